import { describe, expect, test } from "vitest";
import type { Turn } from "../src/index.js";
import { open } from "./raw-client.js";

/** Runs one prompt. Returns the reports. */
async function reportsOf(prompt: (turn: Turn) => unknown): Promise<readonly string[]> {
  const { client, sessionId, diagnostics } = await open(
    { prompt: prompt as never },
    { validateOutgoing: undefined as never },
  );
  await client.ask(sessionId);
  return diagnostics.map(({ message }) => message);
}

const diff = (change: object) => ({ type: "diff", changes: [{ path: "/a", oldText: "a", newText: "b", ...change }] });

describe("defect N153: a diff whose text clients would not get is reported, with the operations", () => {
  test.each<[string, object, string]>([
    [
      "an unknown operation",
      { operation: "create" },
      'The operation of a change is "create". It can be add, modify, delete, move, copy.',
    ],
    ["no operation", {}, "operation got undefined: pass add, modify, delete, move or copy"],
    ["a move without the old path", { operation: "move" }, "oldPath got undefined: pass the path before the move"],
    ["a copy without the old path", { operation: "copy" }, "oldPath got undefined: pass the path before the copy"],
  ])("%s", async (_, change, message) => {
    const item = diff(change) as never;
    const all = [expect.stringContaining(message)];
    expect(await reportsOf((turn) => turn.toolCall({ title: "a", content: [item] }).finish())).toEqual(all);
    const emitted = {
      type: "tool_call_update",
      toolCallId: "t",
      title: "a",
      status: "failed",
      content: [item],
    } as const;
    expect(await reportsOf((turn) => void turn.emit(emitted))).toEqual(all);
  });

  test.each<[string, object]>([
    ["an operation of the protocol", { operation: "move", oldPath: "/b" }],
    ["an operation of one's own", { operation: "_own" }],
  ])("and %s is no report", async (_, change) => {
    const content = [diff(change)] as never;
    expect(await reportsOf((turn) => turn.toolCall({ title: "a", content }).finish())).toEqual([]);
  });
});

describe("defect N154: a data URL in place of base64 is reported", () => {
  const data = "data:image/png;base64,iVBORw0KGgo=";
  const message = "The data of a block of type image is a data URL. Pass only the base64 text after the comma.";
  const block = { type: "image", mimeType: "image/png", data } as const;
  test.each<[string, (turn: Turn) => unknown]>([
    ["by say", (turn) => void turn.say(block)],
    ["by emit", (turn) => void turn.emit({ type: "agent_message_chunk", content: block } as never)],
    [
      "in a tool call",
      (turn) => turn.toolCall({ title: "a", content: [{ type: "content", content: block }] }).finish(),
    ],
  ])("%s", async (_, prompt) => {
    expect(await reportsOf(prompt)).toEqual([expect.stringContaining(message)]);
  });

  test("in an embedded resource", async () => {
    const resource = { uri: "file:///a.png", blob: data } as const;
    expect(await reportsOf((turn) => void turn.say({ type: "resource", resource } as never))).toEqual([
      expect.stringContaining("The data of a block of type resource is a data URL."),
    ]);
  });

  test("and base64 is no report", async () => {
    expect(await reportsOf((turn) => void turn.say({ ...block, data: "iVBORw0KGgo=" }))).toEqual([]);
  });
});
