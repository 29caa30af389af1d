import { Buffer, isAscii, transcode } from "node:buffer";
import { spread } from "../cells.js";
import { type Load, say } from "../wire/load.js";

const BATCH = 64 * 1024;

/** Measures the steps that every implementation needs, in microseconds of CPU time for each message. */
export function stepCosts(kind: Load["kind"], count: number): Readonly<Record<string, number>> {
  const messages = [...say({ kind, count })].map((text) => messageOf(kind, text));
  const lines = messages.map((message) => `${JSON.stringify(message)}\n`);
  const bytes = lines.map((line) => Buffer.from(line));
  const batch = Buffer.allocUnsafeSlow(BATCH);
  return {
    "agent: `JSON.stringify`": cost(messages, (message) => JSON.stringify(message)),
    "agent: text to UTF-8, into memory that is there": cost(lines, (line) => batch.write(line)),
    "client: UTF-8 to text": cost(bytes, decode),
    "client: `JSON.parse`": cost(lines, (line) => JSON.parse(line)),
  };
}

/** Decodes a line in the fastest way of Node. For texts beyond ASCII, `toString` takes twice as long. */
function decode(line: Buffer): string {
  return isAscii(line) ? line.toString() : transcode(line, "utf8", "utf16le").toString("utf16le");
}

/** Returns the notification of version 1 with a text. */
function messageOf(kind: Load["kind"], text: string): object {
  const content = { type: "text", text };
  const update =
    kind === "tool"
      ? { sessionUpdate: "tool_call_update", toolCallId: "tool", content: [{ type: "content", content }] }
      : { sessionUpdate: "agent_message_chunk", content };
  return { jsonrpc: "2.0", method: "session/update", params: { sessionId: "session", update } };
}

/** Returns the median cost of several runs. */
function cost<T>(items: readonly T[], step: (item: T) => unknown): number {
  const times = Array.from({ length: 15 }, () => {
    const before = process.cpuUsage();
    for (const item of items) step(item);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / items.length;
  });
  // The first runs contain the compilation by V8.
  return spread(times.slice(5)).median;
}
