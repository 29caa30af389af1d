import type { TerminalState } from "@turnkit/session";
import type { AcpChunk, AcpTerminal, AcpToolOutput } from "./acp-message.js";
import type { ShownCall } from "./questions.js";

/** Answer to a permission question. */
export type Answer = "allowed" | "denied";

const TERMINAL_CHARACTERS = 16_384;

/** Members of the chunks of tool calls. The agent executes the calls, so the chat does not call `onToolCall`. */
const fixed = { dynamic: true, providerExecuted: true } as const;

/** Returns the name of a tool for the AI SDK. */
export const toolNameOf = ({ name, kind }: ShownCall): string => name ?? kind;

/** Returns the chunk that begins the part of a tool call, or replaces its name, title and input. */
export function inputChunk(entry: ShownCall): AcpChunk {
  const { toolCallId, title, rawInput: input = {} } = entry;
  return { ...fixed, type: "tool-input-available", toolCallId, toolName: toolNameOf(entry), input, title };
}

/**
 * Returns the chunk with the output of a tool call. A call that waits or works has none before its first output.
 *
 * @param answer answer to a question about the call. An answered part needs an output to show that the call goes on
 */
export function outputChunks(entry: ShownCall, answer: Answer | undefined): AcpChunk[] {
  const { toolCallId, kind, status, locations, rawOutput } = entry;
  const isDone = status === "completed";
  if (answer === "denied" && !isDone) return [{ type: "tool-output-denied", toolCallId }];
  const content = [...entry.content].filter(({ type }) => type !== "diff" && type !== "terminal");
  if (status === "failed" || status === "cancelled") {
    const texts = content.map((item) =>
      item.type === "content" && item.content.type === "text" ? item.content.text : "",
    );
    const errorText = texts.join("") || (typeof rawOutput === "string" && rawOutput) || status;
    return [{ ...fixed, type: "tool-output-error", toolCallId, errorText }];
  }
  if (!isDone && !answer && content.length === 0 && rawOutput === undefined) return [];
  const output: AcpToolOutput = { kind, status, locations, content, rawOutput };
  return [{ ...fixed, type: "tool-output-available", toolCallId, output, ...(!isDone && { preliminary: true }) }];
}

/** Returns the data part of a terminal, with its newest output. */
export function terminalData({ terminalId, command, cwd, text, droppedBytes, exitStatus }: TerminalState): AcpTerminal {
  const isCut = droppedBytes > 0 || text.length > TERMINAL_CHARACTERS;
  return { terminalId, command, cwd, text: text.slice(-TERMINAL_CHARACTERS), isCut, exitStatus };
}
