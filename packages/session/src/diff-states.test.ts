import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { soundEvent } from "../test/arbitrary-event.js";
import { comparedStates } from "../test/full-comparison.js";
import { createSessionState } from "./create-session-state.js";
import { diffStates } from "./diff-states.js";
import type { SessionEvent } from "./event.js";
import { reduce, reduceAll } from "./reduce.js";
import type { SessionState } from "./state.js";

const chunk = (text: string, messageId: string): SessionEvent => ({
  type: "agent_message_chunk",
  messageId,
  content: { type: "text", text },
});
const talk = (messages: number): SessionState => {
  let state = createSessionState();
  for (let index = 0; index < messages; index++) state = reduce(state, chunk("x", `${index}`));
  return state;
};

describe("since", () => {
  it("names what is new, what changed and what it was, and other members", () => {
    const before = reduceAll(createSessionState(), [chunk("a", "m"), chunk("b", "n")]);
    const after = reduceAll(before, [chunk("c", "m"), chunk("d", "o"), { type: "session_info_update", title: "T" }]);
    const { timeline, members, terminals } = diffStates(before, after);
    expect(timeline.changed.map(({ position, item }) => [position, item.key])).toEqual([
      [0, "agent:m"],
      [2, "agent:o"],
    ]);
    expect(timeline.changed.map((one) => one.before)).toEqual([before.timeline.at(0), undefined]);
    expect([members, timeline.removed, timeline.moved, terminals.changed]).toEqual([["title"], [], false, []]);
    expect(diffStates(after, after).members).toEqual([]);
  });

  it("names what was removed, also backwards in time", () => {
    const before = reduceAll(createSessionState(), [chunk("a", "m"), chunk("b", "n")]);
    const replay = reduceAll(before, [{ type: "replay_started" }, chunk("b", "n")]);
    const { timeline, members } = diffStates(before, replay);
    expect([timeline.removed, timeline.moved, members]).toEqual([["agent:m"], true, ["replaying"]]);
    expect(diffStates(reduce(before, chunk("c", "o")), before).timeline.removed).toEqual(["agent:o"]);
  });

  it("takes a message for new that another entry stood for, since a list on a screen goes by keys", () => {
    const said: SessionEvent = { type: "user_message", messageId: "u", content: [{ type: "text", text: "Hi" }] };
    const sent: SessionEvent = { type: "prompt_sent", promptId: "p", content: [{ type: "text", text: "Hi" }] };
    const live = reduceAll(createSessionState(), [sent, said]);
    const { timeline } = diffStates(live, reduceAll(live, [{ type: "replay_started" }, said]));
    expect(timeline).toMatchObject({
      changed: [{ item: { key: "user:u" }, before: undefined }],
      removed: ["prompt:p"],
    });
  });

  it("costs what changed, not what there is", () => {
    const cost = (messages: number): number => {
      const before = talk(messages);
      const after = reduceAll(before, [chunk("y", "3"), chunk("z", `${messages - 1}`), chunk("new", "new")]);
      expect(diffStates(before, after).timeline.changed).toHaveLength(3);
      // The quickest of several, since a collection of garbage and other work on the machine add to it. The clock of CPU
      // time is too coarse: it can say 0.
      const times = Array.from({ length: 20 }, () => {
        const start = performance.now();
        for (let time = 0; time < 20; time++) diffStates(before, after);
        return performance.now() - start;
      });
      return Math.min(...times);
    };
    // Looking at everything would cost a hundred and sixty times as much.
    expect(cost(64_000)).toBeLessThan(30 * cost(400));
  });

  it("agrees with a comparison of everything, between any two states that ever were", () => {
    const limits = fc.constantFrom(undefined, { stateBytes: 3000 });
    fc.assert(
      fc.property(fc.array(soundEvent, { maxLength: 60 }), limits, fc.nat(), fc.nat(), (events, bounds, from, to) => {
        const states = [createSessionState(bounds)];
        for (const event of events) states.push(reduce(states.at(-1) as SessionState, event));
        const [before, after] = [from, to].map((index) => states[index % states.length] as SessionState);
        const { said, found } = comparedStates(before as SessionState, after as SessionState);
        expect(said).toEqual(found);
      }),
      { numRuns: 1000 },
    );
  });
});
