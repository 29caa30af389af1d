import { type Client, type ClientOptions, connect, type Session } from "@turnkit/client";
import { createRawPeer } from "@turnkit/testing";
import type { Channel } from "@turnkit/transport";
import { createMemoryPair } from "@turnkit/transport/channels";
import { onTestFinished } from "vitest";
import { drawnAfter } from "./mounted.js";

const OPTIONS = [
  { optionId: "yes", name: "Allow", kind: "allow_once" },
  { optionId: "no", name: "Reject", kind: "reject_once" },
];

const agentInfo = { name: "raw-agent", version: "1.0.0" };
const v1 = { protocolVersion: 1, agentInfo, agentCapabilities: { loadSession: true } };
const v2 = { protocolVersion: 2, info: agentInfo, capabilities: { session: {} } };

type Frame = { readonly [key: string]: any };

/** The agent's side of a conversation: bare frames. Each method waits until the page shows their effect. */
export class RawAgent {
  readonly #end: Channel;
  readonly #peer;
  #asked = 0;

  constructor(end: Channel) {
    this.#end = end;
    this.#peer = createRawPeer(end, { patienceMs: Number.POSITIVE_INFINITY });
  }

  call(method: string): Promise<Frame> {
    return drawnAfter(() => this.#peer.call(method));
  }

  count(method: string): number {
    return this.#peer.received.filter((frame) => (frame as Frame).method === method).length;
  }

  /** Sends frames, and waits for the answer of a question that the client reads after them. */
  send(...frames: object[]): Promise<unknown> {
    return drawnAfter(async () => {
      for (const frame of frames) this.#end.send(frame as never);
      const id = `settle-${++this.#asked}`;
      this.#end.send({ jsonrpc: "2.0", id, method: "_settle" } as never);
      await this.#peer.answerTo(id);
    });
  }

  answer({ id }: Frame, result: unknown): Promise<unknown> {
    return this.send({ jsonrpc: "2.0", id, result });
  }

  refuse({ id }: Frame, code: number, message: string): Promise<unknown> {
    return this.send({ jsonrpc: "2.0", id, error: { code, message } });
  }

  update(...updates: object[]): Promise<unknown> {
    return this.updateOf("s-1", ...updates);
  }

  updateOf(sessionId: string, ...updates: object[]): Promise<unknown> {
    const frames = updates.map((update) => ({
      jsonrpc: "2.0",
      method: "session/update",
      params: { sessionId, update },
    }));
    return this.send(...frames);
  }

  say(...texts: string[]): Promise<unknown> {
    return this.update(...texts.map(piece));
  }

  ask(id: string, sessionId = "s-1", toolCallId = `call-${id}`): Promise<unknown> {
    const params = { sessionId, toolCall: { toolCallId, title: `Edit ${id}` }, options: OPTIONS };
    return this.send({ jsonrpc: "2.0", id, method: "session/request_permission", params });
  }

  answerTo(id: string): Promise<Frame> {
    return drawnAfter(() => this.#peer.answerTo(id));
  }

  close(): Promise<void> {
    return drawnAfter(() => this.#end.close());
  }
}

/** A piece of the agent's message. */
export const piece = (text: string) => ({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });

/** A client that is connected with a raw agent. */
export async function open(options: Partial<ClientOptions> = {}, hello: object = v1) {
  const [channel, end] = createMemoryPair();
  const agent = new RawAgent(end);
  const connecting = connect(channel, {
    info: { name: "page", version: "1.0.0" },
    permissions: () => "wait",
    onDiagnostic: () => undefined,
    ...options,
  });
  await agent.answer(await agent.call("initialize"), hello);
  const client = await connecting;
  onTestFinished(() => void client.close());
  return { agent, client };
}

/** The same, with the agent of version 2. */
export const openV2 = (options: Partial<ClientOptions> = {}) => open(options, v2);

/** Opens the session `s-1`, or another one. */
export async function newSession(
  { agent, client }: { readonly agent: RawAgent; readonly client: Client },
  sessionId = "s-1",
): Promise<Session> {
  const opening = client.newSession({ cwd: "/work" });
  await agent.answer(await agent.call("session/new"), { sessionId });
  return opening;
}

/** A client with the session `s-1`. */
export async function openSession(options: Partial<ClientOptions> = {}) {
  const opened = await open(options);
  return { ...opened, session: await newSession(opened) };
}
