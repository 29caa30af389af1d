import { readUIMessageStream, type UIMessageChunk } from "ai";
import type { Measure } from "../scenario.js";
import { conversation, type Update } from "./conversation.js";

/** Its reader of UI message streams, told the same conversation in its own chunks: a new message after each. */
export const measure: Measure = async (size) => {
  const chunks = [{ type: "start" }, ...conversation(size).flatMap(createTranslator()), { type: "finish" }];
  const stream = new ReadableStream<UIMessageChunk>({
    pull(controller) {
      const next = chunks.shift();
      if (next === undefined) controller.close();
      else controller.enqueue(next as UIMessageChunk);
    },
  });
  const started = performance.now();
  for await (const message of readUIMessageStream({ stream })) void message;
  return { time: performance.now() - started };
};

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
