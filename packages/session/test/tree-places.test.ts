import fc from "fast-check";
import { expect, it } from "vitest";
import { createSessionTree, reduceTree, type SessionTree } from "../src/index.js";

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
  expect([tree.nodes.has("a"), tree.nodes.has("b")]).toEqual([false, true]);
  tree = fill(tree, 6_000);
  expect(parentsOf(tree).get("a")).toBe("root");
});

it("P-SUB-04: no order of announcements makes a circle, or changes a parent", () => {
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
      }
    }),
    { numRuns: 4 },
  );
});
