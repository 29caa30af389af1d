import type { ToolCall, ToolCallStart } from "@turnkit/agent";
import { expect, it } from "vitest";
import * as z from "zod";
import { ToolError } from "../errors.js";
import { defineTool, type ToolContext } from "./tool.js";

const seen: unknown[] = [];
const tool = defineTool({
  name: "echo",
  description: "Echoes.",
  input: z.object({ text: z.string().describe("Any text."), times: z.int().min(1).max(9).default(1) }),
  parallel: true,
  open(input) {
    seen.push(input);
    return { start: { title: "Echo" }, run: async () => ({ type: "json" as const, value: input }) };
  },
});
const toolCall = ({ rawInput }: ToolCallStart) => {
  seen.push(rawInput);
  return {} as ToolCall;
};
const context = { turn: { toolCall } } as unknown as ToolContext;

it("describes its input to the model as JSON Schema", () => {
  expect(tool.inputSchema).toEqual({
    type: "object",
    properties: {
      text: { type: "string", description: "Any text." },
      times: { type: "integer", minimum: 1, maximum: 9, default: 1 },
    },
    required: ["text"],
  });
});

it("takes null for a member that is left out, drops what it does not know, and keeps the input as it was written", () => {
  const raw = { text: "a", times: null, more: true };
  tool.open(raw, context);
  expect(seen).toEqual([{ text: "a", times: 1 }, raw]);
});

it.each([
  [{}, "text"],
  [undefined, "text"],
  [{ text: 1 }, "text"],
  [{ text: "a", times: 0 }, "times"],
  [{ text: "a", times: "2" }, "times"],
])("refuses %j and names the member", (input, member) => {
  const error = expect.objectContaining({ code: "invalid_input", message: expect.stringContaining(`\`${member}\``) });
  expect(() => tool.open(input, context)).toThrow(error);
  expect(() => tool.open(input, context)).toThrow(ToolError);
});

it.each([
  ["{not json", /^The arguments are not JSON: .*position 1.* The tool was not used\.$/],
  ['{"text": "a', /^The arguments are not JSON: Unterminated string.*/],
  ['"{}"', "The arguments must be one JSON object. The tool was not used."],
  [["a"], "The arguments must be one JSON object. The tool was not used."],
  [7, "The arguments must be one JSON object. The tool was not used."],
])("defect P56: %j is no object, and the model reads that", (input, message) => {
  expect(() => tool.open(input, context)).toThrow(message);
});
