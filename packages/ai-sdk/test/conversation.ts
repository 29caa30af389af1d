import { type Client, type ClientOptions, connect, type Session } from "@turnkit/client";
import { createRawPeer } from "@turnkit/testing";
import type { Channel } from "@turnkit/transport";
import { createMemoryPair } from "@turnkit/transport/channels";
import { onTestFinished } from "vitest";

export const OPTIONS = [
  { optionId: "yes", name: "Allow", kind: "allow_once" },
  { optionId: "always", name: "Always allow", kind: "allow_always" },
  { optionId: "no", name: "Reject", kind: "reject_once" },
];

const agentInfo = { name: "raw-agent", version: "1.0.0" };
const promptCapabilities = { image: true, audio: true, embeddedContext: true };
const v1 = { protocolVersion: 1, agentInfo, agentCapabilities: { loadSession: true, promptCapabilities } };
const v2 = { protocolVersion: 2, info: agentInfo, capabilities: { session: {} } };

export type Frame = { readonly [key: string]: any };

/** The agent's side of a conversation: bare frames. */
class RawAgent {
  readonly #end: Channel;
  readonly #peer;
  #asked = 0;

  constructor(end: Channel) {
    this.#end = end;
    this.#peer = createRawPeer(end, { patienceMs: Number.POSITIVE_INFINITY });
  }

  call(method: string): Promise<Frame> {
    return this.#peer.call(method);
  }

  count(method: string): number {
    return this.#peer.received.filter((frame) => (frame as Frame).method === method).length;
  }

  /** Sends frames, and waits for the answer of a question that the client reads after them. */
  async send(...frames: object[]): Promise<void> {
    for (const frame of frames) this.#end.send(frame as never);
    const id = `settle-${++this.#asked}`;
    this.#end.send({ jsonrpc: "2.0", id, method: "_settle" } as never);
    await this.#peer.answerTo(id);
  }

  answer({ id }: Frame, result: unknown): Promise<void> {
    return this.send({ jsonrpc: "2.0", id, result });
  }

  refuse({ id }: Frame, code: number, message: string): Promise<void> {
    return this.send({ jsonrpc: "2.0", id, error: { code, message } });
  }

  update(...updates: object[]): Promise<void> {
    return this.updateOf("s-1", ...updates);
  }

  updateOf(sessionId: string, ...updates: object[]): Promise<void> {
    return this.send(
      ...updates.map((update) => ({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update } })),
    );
  }

  ask(
    id: string,
    toolCall: object = { toolCallId: "c1", title: "Edit a.ts" },
    options: object[] = OPTIONS,
  ): Promise<void> {
    const params = { sessionId: "s-1", toolCall, options };
    return this.send({ jsonrpc: "2.0", id, method: "session/request_permission", params });
  }

  answerTo(id: string): Promise<Frame> {
    return this.#peer.answerTo(id);
  }

  close(): Promise<void> {
    return this.#end.close();
  }
}

const content = (text: string) => ({ type: "text", text });
/** Piece of the agent's message. */
export const say = (text: string, messageId = "m1") => ({
  ...{ sessionUpdate: "agent_message_chunk", messageId, content: content(text) },
});
/** Piece of the agent's thought. */
export const think = (text: string, messageId = "t1") => ({
  ...{ sessionUpdate: "agent_thought_chunk", messageId, content: content(text) },
});
/** Tool call of version 1. */
export const call = (toolCallId: string, members: object = {}) => ({
  ...{ sessionUpdate: "tool_call", toolCallId, title: `Call ${toolCallId}`, ...members },
});
/** Change of a tool call. */
export const patch = (toolCallId: string, members: object) => ({
  ...{ sessionUpdate: "tool_call_update", toolCallId, ...members },
});
/** Text in the content of a tool call. */
export const output = (text: string) => [{ type: "content", content: content(text) }];

/** A client that is connected with a raw agent. */
export async function open(options: Partial<ClientOptions> = {}, hello: object = v1) {
  const [channel, end] = createMemoryPair();
  const agent = new RawAgent(end);
  const info = { name: "page", version: "1.0.0" };
  const connecting = connect(channel, { info, permissions: () => "wait", onDiagnostic: () => undefined, ...options });
  await agent.answer(await agent.call("initialize"), hello);
  const client = await connecting;
  onTestFinished(() => void client.close());
  return { agent, client };
}

/** Opens the session `s-1`. */
async function newSession({ agent, client }: { agent: RawAgent; client: Client }): Promise<Session> {
  const opening = client.newSession({ cwd: "/work" });
  await agent.answer(await agent.call("session/new"), { sessionId: "s-1" });
  return opening;
}

/** A client with the session `s-1`. */
export async function openSession(options: Partial<ClientOptions> = {}) {
  const opened = await open(options);
  return { ...opened, session: await newSession(opened) };
}

/** The same in version 2. */
export async function openV2() {
  const opened = await open({}, v2);
  return { ...opened, session: await newSession(opened) };
}
