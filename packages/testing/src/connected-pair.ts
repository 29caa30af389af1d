import type { Channel } from "@turnkit/transport";
import { createMemoryPair } from "@turnkit/transport/channels";
import { createTranscript, type Transcript, type TranscriptOptions } from "./transcript.js";

/** What a {@link ConnectedPair} is made of. */
export type PairOptions<A, C> = {
  /** Serves an agent on its end, of whatever implementation: `(channel) => agent.serve(channel)`. */
  readonly agent: (channel: Channel) => A | Promise<A>;
  /** Connects a client to the other: `(channel) => connect(channel, { info })`. */
  readonly client: (channel: Channel) => C | Promise<C>;
  /** What joins the two; a memory pair unless given: a pair of bytes, or ends with faults in them. */
  readonly channels?: readonly [agent: Channel, client: Channel];
  readonly transcript?: TranscriptOptions;
};

/** An agent and a client that talk to each other, with both ends in hand. */
export interface ConnectedPair<A, C> extends AsyncDisposable {
  readonly agent: A;
  readonly client: C;
  readonly agentEnd: Channel;
  readonly clientEnd: Channel;
  /** All that was said, in the order in which the client's end saw it. */
  readonly transcript: Transcript;
  /** Disposes the client, then the agent, if they can be disposed of, then both ends; settles when both are closed. */
  close(): Promise<void>;
}

/**
 * Joins an agent and a client. If one of them fails to start, both ends are closed and its error is thrown.
 *
 * @example
 * await using pair = await connectPair({
 *   agent: (channel) => agent.serve(channel),
 *   client: (channel) => connect(channel, { info: { name: "test", version: "1.0.0" } }),
 * });
 */
export async function connectPair<A, C>(options: PairOptions<A, C>): Promise<ConnectedPair<A, C>> {
  const [agentEnd, otherEnd] = options.channels ?? createMemoryPair();
  const transcript = createTranscript(options.transcript);
  const clientEnd = transcript.record(otherEnd, "client");
  const closeEnds = async (): Promise<void> => {
    await Promise.all([clientEnd.close(), agentEnd.close()]);
    await Promise.all([clientEnd.closed, agentEnd.closed]);
  };
  try {
    // Both at once: either may wait for the other.
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
