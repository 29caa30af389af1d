import fc from "fast-check";
import { expect, it } from "vitest";
import { createSessionTree, reduceTree, type SessionTree, selectTree } from "../src/index.js";

const announce = (tree: SessionTree, parentId: string, ...children: readonly string[]) =>
  reduceTree(
    tree,
    children.map((sessionId) => ({ sessionId: parentId, event: { type: "subagent_update", sessionId } })),
  );

let fillers = 0;
/** Announces idle child sessions, which push older ones out. */
const fill = (tree: SessionTree, count: number) =>
  announce(tree, "root", ...Array.from({ length: count }, () => `filler-${fillers++}`));

const fillUntil = (tree: SessionTree, isDone: (tree: SessionTree) => boolean) => {
  let next = tree;
  for (let steps = 0; !isDone(next) && steps < 200; steps += 1) next = fill(next, 64);
  return next;
};

/** Parents of all sessions that a tree knows. */
const parentsOf = ({ nodes, folded }: SessionTree) =>
  new Map([...folded, ...nodes].map(({ sessionId, parentId }) => [sessionId, parentId]));

/** Ids of the ancestors of a session, the nearest first. */
function ancestorsOf(parents: ReadonlyMap<string, string | undefined>, sessionId: string): string[] {
  const path: string[] = [];
  for (let id = parents.get(sessionId); id !== undefined && path.length < 100; id = parents.get(id)) path.push(id);
  return path;
}

it("defect W3: a child session of a forgotten one never becomes its parent", () => {
  let tree = fillUntil(announce(createSessionTree("root"), "root", "a"), ({ nodes }) => !nodes.has("a"));
  tree = fillUntil(tree, ({ folded }) => folded.length > 900);
  tree = fillUntil(announce(tree, "a", "b"), ({ nodes }) => !nodes.has("a") && !nodes.has("b"));
  tree = fillUntil(tree, ({ folded }) => !folded.has("a"));
  tree = announce(tree, "b", "a");
  expect(ancestorsOf(parentsOf(tree), "a")).not.toContain("a");
});

it("defect W3: a child session that came back is forgotten with its parent", () => {
  let tree = announce(announce(createSessionTree("root"), "root", "a"), "a", "b");
  tree = fillUntil(tree, ({ nodes }) => !nodes.has("a") && !nodes.has("b"));
  tree = reduceTree(fill(tree, 900), [{ sessionId: "b", event: { type: "session_info_update", title: "B" } }]);
  tree = fillUntil(tree, ({ nodes }) => !nodes.has("b"));
  tree = fillUntil(tree, ({ folded }) => !folded.has("a"));
  expect(tree.folded.has("b")).toBe(false);
});

it("defect W3: the parent of an open child session is not forgotten", () => {
  let tree = announce(announce(createSessionTree("root"), "root", "a"), "a", "b");
  const work = { type: "state_update", state: "running" } as const;
  tree = fillUntil(tree, ({ nodes }) => !nodes.has("a"));
  tree = reduceTree(tree, [{ sessionId: "b", event: work }]);
  tree = fill(tree, 6_000);
  expect(parentsOf(tree).get("a")).toBe("root");
  expect([tree.nodes.has("a"), tree.nodes.has("b")]).toEqual([true, true]);
});

/** Ids of the sessions that a user interface shows. */
const shown = (tree: SessionTree) => selectTree(tree).items.map(({ sessionId }) => sessionId);

const titled = (sessionId: string, title: string) =>
  ({ sessionId, event: { type: "session_info_update", title } }) as const;

it("defect W5: P-SUB-19: a full tree makes no room for a new child session by dropping its parent", () => {
  const full = fill(announce(createSessionTree("root"), "root", "a"), 1_023);
  const tree = announce(full, "a", "b");
  expect(tree.nodes.has("a")).toBe(true);
  expect(shown(tree)).toEqual(expect.arrayContaining(["a", "b"]));
});

it("defect W5: P-SUB-18: nor for one that was announced before its parent", () => {
  const full = fill(announce(createSessionTree("root"), "a", "b"), 1_024);
  const [, idle, ...others] = [...full.nodes].map(({ sessionId }) => sessionId);
  const work = { type: "state_update", state: "running" } as const;
  const busy = reduceTree(
    full,
    others.map((sessionId) => ({ sessionId, event: work })),
  );
  const tree = announce(busy, "root", "a");
  expect([idle, "a", "b"].map((id) => tree.nodes.has(id ?? ""))).toEqual([false, true, false]);
  expect(tree.nodes.get("a")?.state.anomalies.map(({ about }) => about)).toContain("b");
});

it("defect W5: P-SUB-19: a child session comes back with its parents, so that it is shown", () => {
  let tree = announce(announce(announce(createSessionTree("root"), "root", "a"), "a", "b"), "b", "c");
  tree = fillUntil(tree, ({ nodes }) => !nodes.has("a"));
  expect(["a", "b", "c"].map((id) => tree.nodes.has(id))).toEqual([false, false, false]);
  tree = reduceTree(tree, [titled("c", "C")]);
  expect(shown(tree).slice(-3)).toEqual(["a", "b", "c"]);
  expect(tree.nodes.get("c")?.state.title).toBe("C");
});

it("P-SUB-04: no order of announcements makes a circle, changes a parent or hides a session", () => {
  const id = fc.constantFrom("a", "b", "c", "d");
  const step = fc.oneof(
    { arbitrary: fc.tuple(fc.constantFrom("root", "a", "b", "c", "d"), id), weight: 3 },
    { arbitrary: fc.constantFrom(64, 1_100, 3_000), weight: 1 },
  );
  fc.assert(
    fc.property(fc.array(step, { minLength: 6, maxLength: 16 }), (steps) => {
      let tree = fill(createSessionTree("root"), 1_024);
      for (const one of steps) {
        const before = parentsOf(tree);
        tree = typeof one === "number" ? fill(tree, one) : announce(tree, one[0], one[1]);
        const parents = parentsOf(tree);
        for (const sessionId of ["a", "b", "c", "d"]) {
          if (!parents.has(sessionId)) continue;
          expect(ancestorsOf(parents, sessionId).at(-1)).toBe("root");
          if (before.has(sessionId)) expect(parents.get(sessionId)).toBe(before.get(sessionId));
        }
        expect(shown(tree)).toHaveLength(tree.nodes.length);
      }
    }),
    { numRuns: 4 },
  );
});
