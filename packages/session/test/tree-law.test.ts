import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SessionEvent } from "../src/event.js";
import { createSessionTree, createTreeSnapshot, readTreeSnapshot, reduceTree, type SessionTree } from "../src/index.js";
import { reduceAll } from "../src/reduce.js";
import { soundEvent } from "./arbitrary-event.js";
import { plain } from "./properties.js";

type Message = { readonly sessionId: string; readonly event: SessionEvent };

/** Random tree: for each child its parent among the sessions before it, and the events of all in any order. */
const arbitraryTree = (most: number, deepest: number) =>
  fc.record({
    parents: fc.array(fc.nat(), { minLength: 1, maxLength: most }),
    events: fc.array(fc.tuple(fc.nat(), soundEvent), { maxLength: 120 }),
    cuts: fc.array(fc.nat(), { maxLength: 6 }),
    deepest: fc.constant(deepest),
  });

/** Lists the messages of a tree: announcements, mirrors and events, mixed. Some events precede their announcement. */
function messagesOf({
  parents,
  events,
  deepest,
}: {
  parents: number[];
  events: [number, SessionEvent][];
  deepest: number;
}): Message[] {
  const ids = ["root"];
  const depths = [0];
  const messages: Message[] = [];
  for (const pick of parents) {
    const open = ids.map((_, at) => at).filter((at) => (depths[at] as number) < deepest);
    const at = open[pick % open.length] as number;
    const sessionId = `kid-${ids.length}`;
    messages.push({ sessionId: ids[at] as string, event: { type: "subagent_update", sessionId, title: sessionId } });
    ids.push(sessionId);
    depths.push((depths[at] as number) + 1);
  }
  for (const [pick, event] of events) {
    const sessionId = ids[pick % ids.length] as string;
    messages.splice(pick % (messages.length + 1), 0, { sessionId, event });
  }
  return messages;
}

const whole = (tree: SessionTree): unknown => ({
  ...tree,
  nodes: [...tree.nodes].map(({ state, ...place }) => ({ ...place, state: plain(state) })),
  folded: [...tree.folded],
});

function restarted(tree: SessionTree): SessionTree {
  const back = readTreeSnapshot(JSON.parse(JSON.stringify(createTreeSnapshot(tree))));
  if (back === undefined) throw new Error("the snapshot was not read");
  return back;
}

const restartsLaw = (most: number, deepest: number) =>
  fc.property(arbitraryTree(most, deepest), (given) => {
    const messages = messagesOf(given);
    const uncut = reduceTree(createSessionTree("root"), messages);
    const cuts = [0, ...given.cuts.map((cut) => cut % (messages.length + 1)).sort((a, b) => a - b), messages.length];
    let tree = createSessionTree("root");
    for (const [index, cut] of cuts.entries())
      if (index > 0) tree = reduceTree(restarted(tree), messages.slice(cuts[index - 1], cut));
    expect(whole(tree)).toEqual(whole(uncut));
    const slow = messages.reduce((before, message) => reduceTree(before, [message]), createSessionTree("root"));
    expect(whole(slow)).toEqual(whole(uncut));
  });

describe("laws of trees", () => {
  it("P-SUB-19: a tree that was restarted anywhere, or got one message at a time, equals the tree of an uncut run", () => {
    fc.assert(restartsLaw(40, 16), { numRuns: Number(process.env.TREES ?? 60) });
  });

  it("P-SUB-19: so does a tree of 1 024 children down to depth 16", () => {
    fc.assert(restartsLaw(1024, 16), { numRuns: Math.ceil(Number(process.env.TREES ?? 60) / 12) });
    const chain = { parents: Array.from({ length: 1024 }, (_, at) => at), events: [], deepest: 16 };
    const tree = reduceTree(createSessionTree("root"), messagesOf(chain));
    expect([tree.nodes.length, Math.max(...[...tree.nodes].map(({ depth }) => depth))]).toEqual([1_025, 16]);
  });

  it("P-SUB-07: each session has the state of its own events", () => {
    fc.assert(
      fc.property(arbitraryTree(20, 16), (given) => {
        const received = messagesOf({ ...given, events: [] });
        const own = given.events.filter(([, { type }]) => type !== "subagent_update" && type !== "state_update");
        const ids = ["root", ...given.parents.map((_, at) => `kid-${at + 1}`)];
        const after = own.map(([pick, event]) => ({ sessionId: ids[pick % ids.length] as string, event }));
        const tree = reduceTree(createSessionTree("root"), [...received, ...after]);
        for (const { sessionId, state } of tree.nodes) {
          const mine = [...received, ...after].filter((message) => message.sessionId === sessionId);
          const alone = reduceAll(
            createSessionTree("x").nodes.at(0)?.state as never,
            mine.map(({ event }) => event),
          );
          expect(plain(state)).toEqual(plain(alone));
        }
      }),
      { numRuns: 60 },
    );
  });
});
