import { sessionUpdate } from "@turnkit/schema/v2";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ClientCapabilities } from "../src/call.js";
import type { Codec } from "../src/codec/codec.js";
import { seedCodec, v1Codec, v2Codec } from "../src/codec/dialects.js";
import { losses } from "../src/codec/losses.js";
import { createSessionState } from "../src/create-session-state.js";
import type { SessionEvent, WireEvent } from "../src/event.js";
import { reduceAll } from "../src/reduce.js";
import type { SessionState } from "../src/state.js";
import { wireEvent } from "./arbitrary-event.js";
import { picture } from "./picture.js";
import { sentFor } from "./sent.js";

const everything: ClientCapabilities = {
  files: { read: false, write: false },
  terminals: false,
  terminalLogin: true,
  elicitation: { form: true, url: true },
  notices: true,
  compaction: true,
  booleanOptions: true,
  subagents: false,
  plans: false,
};

/** Returns the events that arrive of those that are sent, and the losses. */
function send(codec: Codec, events: readonly WireEvent[], peer = everything) {
  const { sent, lost, state } = sentFor(codec, events, peer);
  return { updates: JSON.parse(JSON.stringify(sent)) as readonly object[], lost, state };
}

const receive = (codec: Codec, updates: readonly object[]): SessionState =>
  reduceAll(
    createSessionState(),
    updates.flatMap((update) => codec.decode(update)),
  );

/** Version 2 has patches for texts (V2-DIFF-06). */
const hasTexts = (event: WireEvent): boolean => /"(old|new)Text"/.test(JSON.stringify(event));
const stories = fc.array(wireEvent, { maxLength: 15 });

describe("version 2 there and back", () => {
  it("V2-UPD-02, V2-DEC-07: every event comes back as it was", () => {
    fc.assert(
      fc.property(stories, (events) => {
        const exact = events.filter((event) => !hasTexts(event));
        const { updates, lost } = send(v2Codec, exact);
        expect(updates.flatMap(v2Codec.decode)).toEqual(JSON.parse(JSON.stringify(exact)));
        expect(lost).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  it("V2-DIFF-06: texts come back as a patch, once and for all", () => {
    fc.assert(
      fc.property(stories, (events) => {
        const first = send(v2Codec, events).updates.flatMap(v2Codec.decode) as WireEvent[];
        const second = send(v2Codec, first);
        expect(second.updates.flatMap(v2Codec.decode)).toEqual(first);
        expect(picture(receive(v2Codec, second.updates))).toEqual(picture(second.state));
      }),
      { numRuns: 500 },
    );
  });

  it("V2-EXT-01: what is sent is valid by the official schema, and says nothing beside it", () => {
    fc.assert(
      fc.property(stories, (events) => {
        for (const update of send(v2Codec, events).updates) {
          const read = sessionUpdate["~standard"].validate(update);
          const salvaged = "salvaged" in read ? read.salvaged : undefined;
          expect([read.issues, salvaged, update]).toEqual([undefined, undefined, update]);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe.each([
  ["v1", v1Codec],
  ["seed", seedCodec],
] as const)("%s there and back", (dialect, codec) => {
  it("V2-BRG-13: comes to the same state on the other side unless a loss was reported", () => {
    let lossless = 0;
    fc.assert(
      fc.property(fc.array(wireEvent, { maxLength: 4 }), (events) => {
        const { updates, lost, state } = send(codec, events);
        if (lost.length > 0) return;
        lossless++;
        expect(withoutActivity(receive(codec, updates))).toEqual(withoutActivity(state));
      }),
      { numRuns: 4000 },
    );
    expect(lossless).toBeGreaterThan(300);
  });

  it("V2-BRG-13: every loss that is reported has a row, and names what lost", () => {
    const rows = new Set(losses.filter(({ to }) => to === dialect).map(({ id }) => id));
    const received = new Set<string>();
    const peer = { ...everything, notices: false, compaction: false, booleanOptions: false };
    fc.assert(
      fc.property(stories, (events) => {
        for (const loss of send(codec, events, peer).lost) {
          expect(rows).toContain(loss.id);
          expect(loss).toMatchObject({ to: dialect, event: expect.any(String) });
          if (!["state", "cost-clear", "unknown"].includes(loss.id)) expect(loss.entity).toEqual(expect.any(String));
          received.add(loss.id);
        }
      }),
      { numRuns: 1000 },
    );
    expect(received.size).toBeGreaterThan(8);
  });
});

describe("every dialect", () => {
  it.each([v1Codec, v2Codec, seedCodec])("V2-UPD-08: reads anything without throwing: %#", (codec) => {
    const names = [
      "content",
      "toolCallId",
      "terminalId",
      "plan",
      "planId",
      "state",
      "background",
      "messageId",
      "status",
    ];
    const noise = fc
      .tuple(wireEvent, fc.dictionary(fc.constantFrom(...names, "capabilities", "size", "_meta"), fc.jsonValue()))
      .map(([{ type, ...event }, more]) => ({ sessionUpdate: type, ...event, ...more }));
    fc.assert(
      fc.property(fc.array(fc.oneof(noise, fc.anything()), { maxLength: 20 }), (updates) => {
        const events: readonly SessionEvent[] = updates.flatMap((update) => codec.decode(update));
        expect(events).toHaveLength(updates.length);
        const state = reduceAll(createSessionState(), events);
        expect(state.anomalies.map(({ what }) => what)).not.toContain("an event could not be folded");
      }),
      { numRuns: 500 },
    );
  });
});

/** Returns a state without its activity, which is no update in version 1 and seed. */
function withoutActivity(state: SessionState): unknown {
  const { activity: _, lastTurn: __, ...rest } = picture(state);
  return rest;
}
