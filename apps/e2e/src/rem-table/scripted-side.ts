import type { Frame } from "@turnkit/testing";
import type { Channel, Message } from "@turnkit/transport";

/**
 * The agent's side of one connection, without a runtime. It answers every request, except prompts with the text `wait`.
 * A prompt `say 3` sends three updates with the texts `1`, `2` and `3` first.
 */
export class ScriptedSide {
  /** Messages of the client, in order. */
  readonly frames: Frame[] = [];
  isClosed = false;
  /** Number of updates that were accepted, by all prompts. */
  said = 0;
  readonly #channel: Channel;
  #sessions = 0;

  constructor(channel: Channel) {
    this.#channel = channel;
    void channel.closed.then(() => {
      this.isClosed = true;
    });
    channel.start({ message: (message) => void this.#take(message as Frame), invalidLine() {} });
  }

  get closed(): Channel["closed"] {
    return this.#channel.closed;
  }

  count(method: string): number {
    return this.frames.filter((frame) => frame.method === method).length;
  }

  /** Sends a message. Settles when there is room for another. */
  async send(frame: Frame): Promise<void> {
    await this.#channel.send({ jsonrpc: "2.0", ...frame } as unknown as Message);
  }

  async say(sessionId: string, text: string): Promise<void> {
    await this.send(update(sessionId, text));
    this.said += 1;
  }

  async #take(frame: Frame): Promise<void> {
    this.frames.push(frame);
    if (frame.id === undefined || frame.method === undefined) return;
    if (frame.method === "session/prompt") {
      const [word, count, size] = String(frame.params?.prompt?.[0]?.text).split(" ");
      if (word === "wait") return;
      for (let at = 1; at <= Number(count); at += 1)
        await this.say(frame.params.sessionId, size === undefined ? String(at) : "x".repeat(Number(size)));
    }
    await this.send({ id: frame.id, result: this.#result(frame) });
  }

  #result({ method, params }: Frame): object {
    if (method === "initialize")
      return { protocolVersion: 1, agentCapabilities: { loadSession: true }, authMethods: [] };
    if (method === "session/prompt") return { stopReason: "end_turn" };
    if (method !== "session/new" && method !== "session/fork") return {};
    this.#sessions += 1;
    return { sessionId: `${params?.sessionId ?? "s"}-${this.#sessions}` };
  }
}

/** Returns an update with text of the agent. */
function update(sessionId: string, text: string): Frame {
  const chunk = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
  return { method: "session/update", params: { sessionId, update: chunk } };
}
