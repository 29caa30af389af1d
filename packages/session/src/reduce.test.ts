import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { brokenEvent, soundEvent } from "../test/arbitrary-event.js";
import { stateBytes } from "../test/state-bytes.js";
import { createSessionState } from "./create-session-state.js";
import type { SessionEvent } from "./event.js";
import { replacingMetadata } from "./metadata.js";
import { reduce, reduceAll } from "./reduce.js";
import { transcriptMarkdown, transcriptText } from "./transcript.js";

const events = (event: fc.Arbitrary<SessionEvent>) => fc.array(event, { maxLength: 40 });

describe("reduce", () => {
  it("V2-UPD-08: never throws, whatever it is given", () => {
    fc.assert(
      fc.property(events(fc.oneof(brokenEvent, fc.anything() as fc.Arbitrary<SessionEvent>)), (given) => {
        const state = reduceAll(createSessionState({ stateBytes: 4000 }), given);
        expect(transcriptText(state) + transcriptMarkdown(state)).toBeTypeOf("string");
        expect(JSON.parse(JSON.stringify(state))).toBeTypeOf("object");
      }),
      { numRuns: 1000 },
    );
  });

  it("V2-UPD-08: never throws for a type that is no text and cannot be made one, which JSON can say", () => {
    const odd: SessionEvent = JSON.parse('{"type":{"toString":1,"valueOf":1},"_meta":{"a":1}}');
    const state = reduceAll(createSessionState(), [odd, replacingMetadata(createSessionState(), odd)]);
    expect(state).toEqual(reduce(reduce(createSessionState(), odd), odd));
  });

  it("V2-UPD-06: never loses what it cannot read, nor changes it", () => {
    const strange = fc.jsonValue().map((raw): SessionEvent => ({ type: "unknown", raw }));
    fc.assert(
      fc.property(events(fc.oneof(soundEvent, strange)), (given) => {
        const received = given.filter(({ type }) => type !== "replay_started");
        const raws = received.flatMap((event) => (event.type === "unknown" ? [event.raw] : []));
        const entries = reduceAll(createSessionState(), received).timeline.toArray();
        const shown = entries.flatMap((entry) => (entry.type === "unknown" ? [entry.raw] : []));
        expect(shown.length).toBe(raws.length);
        raws.forEach((raw, index) => {
          expect(shown[index]).toBe(raw);
        });
      }),
      { numRuns: 500 },
    );
  });

  it("never falls back on its last resort for events that keep to their types", () => {
    fc.assert(
      fc.property(events(soundEvent), (given) => {
        const { anomalies } = reduceAll(createSessionState(), given);
        expect(anomalies.map(({ what }) => what)).not.toContain("an event could not be folded");
      }),
      { numRuns: 500 },
    );
  });

  it("keeps every old state as it was, and comes to the same state from the same events", () => {
    const limits = fc.constantFrom(undefined, { stateBytes: 3000, terminalBytes: 20 });
    fc.assert(
      fc.property(events(soundEvent), limits, fc.array(fc.tuple(fc.nat(), soundEvent)), (given, bounds, forks) => {
        const states = [createSessionState(bounds)];
        for (const event of given) states.push(reduce(states.at(-1) ?? createSessionState(bounds), event));
        // Going on from old states must not reach into the newer ones.
        for (const [from, event] of forks) {
          const length = from % states.length;
          const fork = reduce(states[length] ?? createSessionState(bounds), event);
          expect(fork).toEqual(reduceAll(createSessionState(bounds), [...given.slice(0, length), event]));
        }
        states.forEach((state, length) => {
          expect(state).toEqual(reduceAll(createSessionState(bounds), given.slice(0, length)));
          for (const entry of state.timeline) expect(state.timeline.get(entry.key)).toBe(entry);
        });
      }),
      { numRuns: 300 },
    );
  });

  it("stays linear when every event is folded twice from the same state, as a strict renderer does", () => {
    const cost = (messages: number): number => {
      const start = process.cpuUsage().user / 1000;
      let state = createSessionState();
      for (let index = 0; index < messages; index++) {
        const event: SessionEvent = { type: "agent_message_chunk", messageId: `${index}`, content };
        const other = reduce(state, event);
        state = reduce(state, event);
        if (index % 1000 === 0) expect(other).toEqual(state);
      }
      return process.cpuUsage().user / 1000 - start;
    };
    const content = { type: "text", text: "x" } as const;
    const quickest = (messages: number): number => Math.min(...Array.from({ length: 3 }, () => cost(messages)));
    quickest(1000);
    // Making the names of all entries anew each time would cost two hundred and fifty times as much.
    expect(quickest(16_000)).toBeLessThan(100 * quickest(1000));
  });

  it("gives the same state back when the same event changes nothing, and keeps unchanged parts", () => {
    const idempotent = new Set(["session_info_update", "plan_update", "plan_removed", "usage_update", "cancel_asked"]);
    for (const type of ["tool_call_update", "config_option_update", "available_commands_update", "state_update"]) {
      idempotent.add(type);
    }
    fc.assert(
      fc.property(events(soundEvent), soundEvent, (given, last) => {
        fc.pre(idempotent.has(last.type));
        const before = reduceAll(createSessionState(), given);
        const once = reduce(before, last);
        expect(reduce(once, last)).toBe(once);
        if (before.configOptions && last.type !== "config_option_update") {
          expect(once.configOptions).toBe(before.configOptions);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("looks at nothing again that is there already, however many pieces follow", () => {
    let looks = 0;
    const seen = {
      get inside() {
        looks += 1;
        return 1;
      },
    };
    const piece: SessionEvent = { type: "agent_message_chunk", messageId: "m", content: { type: "text", text: "x" } };
    const output: SessionEvent = { type: "terminal_output_chunk", terminalId: "t", data: "eA==" };
    const state = reduceAll(createSessionState({ entryBytes: 1 }), [
      { type: "terminal_update", terminalId: "t", _meta: { seen } },
      { ...piece, _meta: { seen } },
    ]);
    const atFirst = looks;
    const pieces = new Array<SessionEvent>(300).fill(piece);
    reduceAll(pieces.reduce(reduce, state), pieces);
    new Array<SessionEvent>(5).fill(output).reduce(reduce, state);
    expect([atFirst > 0, looks]).toEqual([true, atFirst]);
  });

  it("counts bytes as they come and go", () => {
    fc.assert(
      fc.property(events(fc.oneof(soundEvent, brokenEvent)), (given) => {
        const state = reduceAll(createSessionState(), given);
        expect(state.bytes).toBe(stateBytes(state));
      }),
      { numRuns: 1000 },
    );
  });

  it("holds its bound whatever comes", () => {
    fc.assert(
      fc.property(events(fc.oneof(soundEvent, brokenEvent)), fc.integer({ min: 0, max: 5000 }), (given, bound) => {
        let state = createSessionState({ stateBytes: bound, terminalBytes: 30 });
        for (const event of given) {
          state = reduce(state, event);
          expect(state.bytes).toBeLessThanOrEqual(bound);
          expect(stateBytes(state)).toBe(state.bytes);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
