import { describe, it } from "vitest";
import { type Case, expectOutcome, fine } from "../../test/outcome.js";
import { backgroundWork, runningStateUpdate } from "./index.js";

describe("background work (V2-BG-03)", () => {
  it.each<Case>([
    ["a process", backgroundWork, { type: "terminal", terminalId: "x" }, fine],
    [
      "work without a process of its own",
      backgroundWork,
      { type: "tool_call", toolCallId: "t", _meta: { a: 1 } },
      fine,
    ],
    ["a process without its id", backgroundWork, { type: "terminal", toolCallId: "t" }, { refused: ["terminalId"] }],
    ["a call without its id", backgroundWork, { type: "tool_call" }, { refused: ["toolCallId"] }],
    ["a child (P-BG-01)", backgroundWork, { type: "subagent", sessionId: "c" }, fine],
    ["a child without its id", backgroundWork, { type: "subagent" }, { refused: ["sessionId"] }],
    ["no type", backgroundWork, { terminalId: "x" }, { refused: ["type"] }],
    [
      "one bad item: nothing is told of any (V2-DEC-05)",
      runningStateUpdate,
      { background: [{ type: "terminal", terminalId: "x" }, { type: "terminal" }] },
      { salvaged: ["background"], as: {} },
    ],
    [
      "an item that nobody here knows stays in the list: something runs",
      runningStateUpdate,
      { background: [{ type: "cron", at: "03:00" }] },
      { kept: ["background.0.type"] },
    ],
  ])("%s", (_, schema, value, outcome) => expectOutcome(schema, value, outcome));
});
