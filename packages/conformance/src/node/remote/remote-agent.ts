import { openRemote } from "@turnkit/remote/client";
import type { Message } from "@turnkit/transport";
import { WebSocket } from "ws";
import type { AgentPipe, OpenAgent } from "../../agent/agent-pipe.js";
import { ByteLines, readLine } from "../../byte-lines.js";

/** Options of {@link remoteAgent}. */
export type RemoteAgentOptions = {
  /** Bearer token of every request. */
  readonly token?: string;
  /** Folder of the sessions, on the machine of the agent. @defaultValue the folder of the run */
  readonly cwd?: string;
};

const encoder = new TextEncoder();

/**
 * Returns a function that opens a connection to an agent behind an address: `http:`, `https:`, `ws:` or `wss:`. Each
 * conversation has a connection of its own. Lines that are not JSON cannot be sent, and are dropped.
 *
 * The returned function rejects with a `ConnectionClosedError` if a WebSocket cannot be opened.
 *
 * @throws TypeError for another scheme
 */
export function remoteAgent(url: string | URL, options: RemoteAgentOptions = {}): OpenAgent {
  const { protocol } = new URL(url);
  if (!/^(https?|wss?):$/.test(protocol)) throw new TypeError(`--url needs http, https, ws or wss, not ${protocol}`);
  const { token, cwd } = options;
  return async (): Promise<AgentPipe> => {
    const channel = await openRemote(url, {
      ...(token !== undefined && { token }),
      webSocket: (address, { headers, protocols }) =>
        new WebSocket(address, [...protocols], { headers, perMessageDeflate: false }),
    });
    const readable = new ReadableStream<Uint8Array>({
      start(controller) {
        channel.start({
          message: (message) => controller.enqueue(encoder.encode(`${JSON.stringify(message)}\n`)),
          invalidLine: (sample) => controller.enqueue(encoder.encode(`${sample}\n`)),
        });
        void channel.closed.then(() => controller.close());
      },
    });
    const lines = new ByteLines();
    const send = (bytes: readonly Uint8Array[]) => {
      for (const line of bytes) {
        const { frame } = readLine(line) ?? {};
        if (frame !== undefined) channel.send(frame as Message);
      }
    };
    const writable = new WritableStream<Uint8Array>({
      write: (bytes) => send(lines.add(bytes)),
      async close() {
        send(lines.end());
        await channel.close();
      },
    });
    return { readable, writable, kill: async () => void (await channel.close()), ...(cwd !== undefined && { cwd }) };
  };
}
