import { describe, expect, it } from "vitest";
import { sentFor } from "../../test/sent.js";
import type { WireEvent } from "../event.js";
import { seedCodec, v1Codec, v2Codec } from "./dialects.js";

/** More than a call can have arguments. */
const MANY = 200_000;

const diffOf = (changes: readonly object[]) => ({
  type: "tool_call_update",
  toolCallId: "t",
  content: [{ type: "diff", changes }],
});
const entries = Array.from({ length: MANY }, () => ({ content: "Step", priority: "low", status: "pending" }));
const gone = Array.from({ length: MANY }, (_, n) => ({ operation: "delete", path: `/${n}` }));

describe.each([v1Codec, v2Codec, seedCodec])("an encoder of $dialect", (codec) => {
  it.each([
    ["lines of a file", diffOf([{ operation: "add", path: "/a", newText: "x\n".repeat(MANY) }])],
    ["files of a diff", diffOf(gone)],
    ["steps of a plan", { type: "plan_update", plan: { type: "items", planId: "p", entries } }],
  ])("says very many %s", (_, event) => {
    expect(sentFor(codec, [event as WireEvent]).sent).toHaveLength(1);
  });
});
