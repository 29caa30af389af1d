import { createSessionState, reduce, type SessionState } from "@turnkit/session";
import { seedCodec, v1Codec, v2Codec } from "@turnkit/session/codec";
import type { DialectName } from "./attached-clients.js";
import { type Frame, RawClient } from "./raw-client.js";

const codecs = { v1: v1Codec, v2: v2Codec, seed: seedCodec };

/** States after an update, by the state before it. Clients in one state that get one update have one state afterwards. */
const after = new WeakMap<SessionState, WeakMap<object, SessionState>>();

function stateAfter(dialect: DialectName, before: SessionState, update: object): SessionState {
  const known = after.get(before) ?? new WeakMap<object, SessionState>();
  after.set(before, known);
  const found = known.get(update);
  if (found !== undefined) return found;
  const events = codecs[dialect].decode(update);
  const made = events.reduce((state, event) => reduce(state, event), before);
  known.set(update, made);
  return made;
}

/** A client that is nothing but frames, and the state that its updates lead to. Thousands of them fit into one test. */
export class FoldedClient {
  state: SessionState = createSessionState();

  private constructor(channel: ConstructorParameters<typeof RawClient>[0], dialect: DialectName) {
    this.raw = new RawClient(channel, (frame) => {
      if (frame.method !== "session/update") return true;
      this.state = stateAfter(dialect, this.state, frame.params.update);
      return false;
    });
  }

  readonly raw: RawClient;

  /** Connects, and attaches to a session with its history. */
  static async attach(
    channel: ConstructorParameters<typeof RawClient>[0],
    dialect: DialectName,
    sessionId: string,
  ): Promise<FoldedClient> {
    const client = new FoldedClient(channel, dialect);
    const info = { name: "folded", version: "1.0.0" };
    const capabilities = { session: { notices: {}, compaction: {} } };
    const hello: Readonly<Record<DialectName, Frame>> = {
      v1: { protocolVersion: 1, clientCapabilities: capabilities },
      v2: { protocolVersion: 2, info, capabilities: {} },
      seed: { protocolVersion: 2, clientInfo: info, capabilities: {} },
    };
    await client.raw.request("initialize", hello[dialect]);
    const params = { sessionId, cwd: "/work", mcpServers: [] };
    const { error } = await (dialect === "v2"
      ? client.raw.request("session/resume", { ...params, replayFrom: { type: "start" } })
      : client.raw.request("session/load", params));
    if (error !== undefined) throw new Error(JSON.stringify(error));
    return client;
  }
}
