import type { Channel, CloseReason, Message } from "@turnkit/transport";
import { onTestFinished } from "vitest";
import { openRemote, type RemoteOptions, type RemoteState } from "../../src/client/index.js";
import type { Frame } from "./raw-server.js";

/** Delays so short that a test need not wait. */
export const quick = { firstDelayMs: 1, longestDelayMs: 2 };

/** A channel of the client under test, and everything that it delivers. */
export class RemoteClient {
  readonly frames: Frame[] = [];
  readonly invalid: string[] = [];
  readonly states: RemoteState[] = [];
  readonly diagnostics: string[] = [];
  channel!: Channel;
  #waiting: (() => void)[] = [];

  /** Opens a channel and starts it. */
  static async open(url: string, options: RemoteOptions = {}): Promise<RemoteClient> {
    const client = new RemoteClient();
    client.channel = await openRemote(url, {
      reconnect: quick,
      onState: (state) => client.#take(() => client.states.push(state)),
      onDiagnostic: ({ message }) => client.#take(() => client.diagnostics.push(message)),
      ...options,
    });
    onTestFinished(async () => void (await client.channel.close()));
    client.channel.start({
      message: (message) => client.#take(() => client.frames.push(message as Frame)),
      invalidLine: (sample) => client.#take(() => client.invalid.push(sample)),
    });
    return client;
  }

  /** Opens a channel, and initialises it. */
  static async connect(url: string, options: RemoteOptions = {}): Promise<RemoteClient> {
    const client = await RemoteClient.open(url, options);
    client.call(0, "initialize", { protocolVersion: 1 });
    await client.answer(0);
    return client;
  }

  get closed(): Promise<CloseReason> {
    return this.channel.closed;
  }

  call(id: string | number, method: string, params: object = {}): void {
    this.send({ id, method, params });
  }

  send(frame: Frame): void {
    void this.channel.send({ jsonrpc: "2.0", ...frame } as unknown as Message);
  }

  prompt(id: string | number, sessionId: string): void {
    this.call(id, "session/prompt", { sessionId, prompt: [] });
  }

  cancel(sessionId: string): void {
    this.send({ method: "session/cancel", params: { sessionId } });
  }

  /** The first message that fits, delivered or yet to come. */
  async next(fits: (frame: Frame) => boolean): Promise<Frame> {
    await this.until(() => this.frames.some(fits));
    return this.frames.find(fits) as Frame;
  }

  answer(id: string | number): Promise<Frame> {
    return this.next((frame) => frame.id === id && frame.method === undefined);
  }

  async until(done: () => boolean): Promise<void> {
    while (!done()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #take(act: () => void): void {
    act();
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

/** An update of a session. */
export const update = (sessionId: string, text: string): Frame => ({
  method: "session/update",
  params: { sessionId, update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } },
});

/** Texts of all updates. */
export const texts = (frames: readonly Frame[]): readonly string[] =>
  frames.flatMap(({ params }) => (params?.update?.content ? [params.update.content.text] : []));
