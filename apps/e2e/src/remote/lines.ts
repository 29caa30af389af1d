import { createInterface } from "node:readline";
import type { Wire } from "@turnkit/testing/node";
import type { Message } from "@turnkit/transport";
import type { MessageStream } from "@turnkit/transport/channels";

/**
 * Joins bare lines to a stream of messages, so that a script that speaks in lines speaks over any transport. Settles
 * when the stream ended. A line that is no JSON cannot be said on a stream of messages: it is dropped.
 */
export async function joinLines({ input, output }: Wire, { readable, writable }: MessageStream): Promise<void> {
  const writer = writable.getWriter();
  createInterface({ input }).on("line", (line) => {
    const message = messageOf(line);
    if (message !== undefined) writer.write(message).catch(() => {});
  });
  try {
    for await (const message of readable) output.write(`${JSON.stringify(message)}\n`);
  } catch {
    // The other side is gone: so are these streams.
  }
}

function messageOf(line: string): Message | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
