import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { type Channel, closeText } from "@turnkit/transport";

/**
 * A channel of `@turnkit/transport` as a transport of the MCP client: MCP over stdio is JSON-RPC in lines too, and a
 * server's process gets the same care as an agent's. Lines that are no JSON are passed over.
 */
export class ChannelTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport["onmessage"];
  readonly #channel: Channel;
  /** Why it ended; absent while it is open. */
  ending: string | undefined;

  constructor(channel: Channel) {
    this.#channel = channel;
    void channel.closed.then((reason) => {
      this.ending = closeText(reason);
      this.onclose?.();
    });
  }

  async start(): Promise<void> {
    this.#channel.start({
      message: (message) => {
        try {
          // The MCP client checks what it is given.
          this.onmessage?.(message as JSONRPCMessage);
        } catch (error) {
          this.onerror?.(error as Error);
        }
      },
      invalidLine: () => {},
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#channel.send(message as Parameters<Channel["send"]>[0]);
  }

  close(): Promise<void> {
    return this.#channel.close();
  }
}
