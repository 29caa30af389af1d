import { describe, expect, it } from "vitest";
import type { ClientCapabilities } from "../call.js";
import { createSessionState } from "../create-session-state.js";
import type { WireEvent } from "../event.js";
import { reduce } from "../reduce.js";
import { seedCodec } from "./seed/index.js";
import { v1Codec } from "./v1/index.js";
import { v2Codec } from "./v2/index.js";

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
    const before = createSessionState({ stateBytes: 1e9, entryBytes: 1e9 });
    const after = reduce(before, event as WireEvent);
    const encode = codec.createEncoder({} as ClientCapabilities, () => undefined);
    expect(encode(event as WireEvent, { before, after })).toHaveLength(1);
  });
});
