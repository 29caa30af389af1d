import { type Channel, checkArgument } from "@turnkit/transport";
import { createMemoryPair } from "@turnkit/transport/channels";
import { createTranscript, type Transcript, type TranscriptOptions } from "./transcript.js";

/** Parts of a {@link ConnectedPair}. */
export type PairOptions<A, C> = {
  /** Serves an agent of any implementation: `(channel) => agent.serve(channel)`. */
  readonly agent: (channel: Channel) => A | Promise<A>;
  /** Connects a client: `(channel) => connect(channel, { info })`. */
  readonly client: (channel: Channel) => C | Promise<C>;
  /**
   * Two ends of the connection, such as a byte pair or ends with faults.
   *
   * @defaultValue a memory pair
   */
  readonly channels?: readonly [agent: Channel, client: Channel];
  readonly transcript?: TranscriptOptions;
};

/** Connected agent and client, with both ends of the connection. */
export interface ConnectedPair<A, C> extends AsyncDisposable {
  readonly agent: A;
  readonly client: C;
  readonly agentEnd: Channel;
  readonly clientEnd: Channel;
  /** All messages, in the order in which the client's end sent and received them. */
  readonly transcript: Transcript;
  /** Disposes of the client, then of the agent, if they are disposable. Then closes both ends. */
  close(): Promise<void>;
}

/**
 * Connects an agent and a client. If one side fails to start, both ends are closed, and the error of that side is thrown.
 *
 * @example
 * await using pair = await connectPair({
 *   agent: (channel) => agent.serve(channel),
 *   client: (channel) => connect(channel, { info: { name: "test", version: "1.0.0" } }),
 * });
 */
export async function connectPair<A, C>(options: PairOptions<A, C>): Promise<ConnectedPair<A, C>> {
  const remedy = "pass { agent, client }, two functions that get a channel";
  const isSound = typeof options?.agent === "function" && typeof options.client === "function";
  checkArgument(isSound, "connectPair", { got: options, remedy });
  const [agentEnd, otherEnd] = options.channels ?? createMemoryPair();
  const transcript = createTranscript(options.transcript);
  const clientEnd = transcript.record(otherEnd, "client");
  const closeEnds = async (): Promise<void> => {
    await Promise.all([clientEnd.close(), agentEnd.close()]);
    await Promise.all([clientEnd.closed, agentEnd.closed]);
  };
  try {
    // Started at the same time, because either side may wait for the other.
    const starting = [async () => options.agent(agentEnd), async () => options.client(clientEnd)] as const;
    const [agent, client] = await Promise.all([starting[0](), starting[1]()]);
    const close = async (): Promise<void> => {
      try {
        await dispose(client);
        await dispose(agent);
      } finally {
        await closeEnds();
      }
    };
    return { agent, client, agentEnd, clientEnd, transcript, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await closeEnds();
    throw error;
  }
}

async function dispose(party: unknown): Promise<void> {
  const { asyncDispose, dispose } = Symbol;
  const disposable = (party ?? {}) as { [asyncDispose]?(): PromiseLike<void>; [dispose]?(): void };
  if (typeof disposable[asyncDispose] === "function") await disposable[asyncDispose]();
  else if (typeof disposable[dispose] === "function") disposable[dispose]();
}
