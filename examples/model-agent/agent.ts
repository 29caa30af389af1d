import { createAgent, type Turn } from "@turnkit/agent";
import { createFileLog, createLocalFiles } from "@turnkit/agent/node";
import { messageText, type SessionState } from "@turnkit/session";
import { type LanguageModel, type ModelMessage, stepCountIs, streamText, tool } from "ai";
import { z } from "zod";

export type ModelAgentOptions = {
  readonly model: LanguageModel;
  /** Folder for the conversations. A client can list and restore them after a restart. */
  readonly folder: string;
};

/** Creates an agent that answers with a model and lets it read files, each after a question to the user. */
export function createModelAgent({ model, folder }: ModelAgentOptions) {
  return createAgent({
    info: { name: "model-agent", version: "1.0.0" },
    log: createFileLog(folder),
    newSession() {},
    async prompt(turn) {
      const answer = streamText({
        model,
        system: `You help with the files in ${turn.session.cwd}. Paths are absolute.`,
        messages: messagesOf(turn.session.state),
        tools: { read_file: readFile(turn) },
        stopWhen: stepCountIs(10),
        abortSignal: turn.signal,
        onError: () => undefined, // the loop below throws it
      });
      for await (const part of answer.fullStream) {
        if (part.type === "text-delta") await turn.say(part.text);
        if (part.type === "reasoning-delta") await turn.think(part.text);
        if (part.type === "error") throw part.error;
      }
      const { inputTokens = 0, outputTokens = 0 } = await answer.totalUsage;
      return { usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens } };
    },
  });
}

/** The conversation as the model reads it. The log restores it, so a restarted agent continues with the same history. */
function messagesOf(state: SessionState): ModelMessage[] {
  const messages: ModelMessage[] = [];
  for (const entry of state.timeline) {
    if (entry.type !== "message" || entry.role === "thought") continue;
    const text = messageText(entry);
    if (text !== "") messages.push({ role: entry.role === "user" ? "user" : "assistant", content: text });
  }
  return messages;
}

const readFile = (turn: Turn) =>
  tool({
    description: "Returns the text of a file.",
    inputSchema: z.object({ path: z.string().describe("absolute path") }),
    async execute({ path }) {
      const call = turn.toolCall({ title: `Read ${path}`, kind: "read", locations: [{ path }], rawInput: { path } });
      const allowed = await call.ask();
      if (!allowed) {
        call.fail("Not allowed.");
        return "The user did not allow this.";
      }
      // The client's files show unsaved changes. Without them, the agent reads inside the session's folders.
      const files = { ...createLocalFiles(turn.session.roots), ...turn.files };
      return call.run(() => files.read(path));
    },
  });
