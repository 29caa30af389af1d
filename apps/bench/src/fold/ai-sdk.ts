import { readUIMessageStream, type UIMessageChunk } from "ai";
import type { Measure } from "../scenario.js";
import type { Update } from "./conversation.js";
import { measureTwice } from "./twice.js";

/**
 * Measures the reader of UI message streams of the AI SDK. It gets the same conversation as its own chunks, and makes a
 * new message after each chunk.
 */
export const measure: Measure = (size) =>
  measureTwice(size, async (updates) => {
    const translate = createTranslator();
    const chunks = [{ type: "start" }, ...updates.flatMap(translate), { type: "finish" }].values();
    const stream = new ReadableStream<UIMessageChunk>({
      pull(controller) {
        const { done, value } = chunks.next();
        if (done) controller.close();
        else controller.enqueue(value as UIMessageChunk);
      },
    });
    for await (const message of readUIMessageStream({ stream })) void message;
  });

function createTranslator(): (update: Update) => readonly object[] {
  let open: string | undefined;
  let texts = 0;
  const close = () => (open === undefined ? [] : [{ type: "text-end", id: open }]);
  return (update) => {
    if (update.sessionUpdate === "agent_message_chunk") {
      const begin = open === undefined ? [{ type: "text-start", id: `t${++texts}` }] : [];
      open = `t${texts}`;
      return [...begin, { type: "text-delta", id: open, delta: (update.content as { text: string }).text }];
    }
    const call = { toolCallId: update.toolCallId, toolName: "execute", dynamic: true };
    const ended = close();
    open = undefined;
    if (update.sessionUpdate === "tool_call") return [...ended, { type: "tool-input-start", ...call }];
    if (update.rawInput !== undefined) return [{ type: "tool-input-available", ...call, input: update.rawInput }];
    const preliminary = update.status === undefined;
    return [{ type: "tool-output-available", ...call, output: update.content, preliminary }];
  };
}
