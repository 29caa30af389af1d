import { expect, it } from "vitest";
import type { SessionEvent } from "../src/event.js";
import { createNestingSelector, createSessionTree, reduceTree, selectTree } from "../src/index.js";

it("defect W2: calls that are nested without end are at most 16 below their session, and none is lost", () => {
  const calls = Array.from(
    { length: 3_000 },
    (_, at): SessionEvent => ({
      ...{ type: "tool_call_update", toolCallId: `t${at}`, title: `T${at}` },
      _meta: at === 0 ? {} : { parent: `t${at - 1}` },
    }),
  );
  const tree = reduceTree(
    createSessionTree("root"),
    calls.map((event) => ({ sessionId: "root", event })),
  );
  const { items, get, childrenOf } = selectTree(
    tree,
    createNestingSelector(({ _meta }) => _meta?.parent as string | undefined),
  );
  expect(items.map(({ id }) => id)).toEqual(["root", ...calls.slice(1).map((_, at) => `tool_call:t${at}`)]);
  expect(Math.max(...items.map(({ depth }) => depth))).toBe(16);
  expect(get("tool_call:t2998")?.titles).toEqual([...Array.from({ length: 15 }, (_, at) => `T${at}`), "T2998"]);
  expect([...(get("tool_call:t2998")?.entries ?? [])].map(({ key }) => key)).toEqual(["tool_call:t2999"]);
  expect(childrenOf("tool_call:t14")).toHaveLength(2_984);
});

it("P-SUB-19: calls that name each other, or themselves, as parents are all shown once", () => {
  const parents = { a: "b", b: "a", c: "c" };
  const calls = Object.entries(parents).map(
    ([toolCallId, parent]): SessionEvent => ({ type: "tool_call_update", toolCallId, _meta: { parent } }),
  );
  const tree = reduceTree(
    createSessionTree("root"),
    calls.map((event) => ({ sessionId: "root", event })),
  );
  const { items } = selectTree(
    tree,
    createNestingSelector(({ _meta }) => _meta?.parent as string | undefined),
  );
  expect(items.flatMap(({ entries }) => [...entries].map(({ key }) => key))).toEqual([
    ...["tool_call:a", "tool_call:c", "tool_call:b"],
  ]);
});
