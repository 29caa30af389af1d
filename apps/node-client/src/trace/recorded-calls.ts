import { isAbsolute, resolve } from "node:path";
import type { Client, EventListener, Session, SessionWorkspace } from "@turnkit/client";
import type { SessionEvent } from "@turnkit/session";
import { type Codec, callReaders, type NamedCall, seedCodec, v1Codec, v2Codec } from "@turnkit/session/codec";
import type { WireEntry } from "@turnkit/transport/trace";
import { descendantsOf, followChildren } from "../child-sessions.js";
import { foreignKey, foreignText, idKey, isObject, membersOf } from "../output/foreign-value.js";

type ChildListener = (event: SessionEvent, child: Session) => void | Promise<void>;

const codecs = { v1: v1Codec, v2: v2Codec, seed: seedCodec } as const satisfies Record<string, Codec>;

/**
 * Repeats the calls of a recorded client, in the agreed dialect. `tell` gets the events of the sessions, and
 * `tellChild` gets the events of child sessions.
 */
export class RecordedCalls {
  readonly #client: Client;
  readonly #tell: EventListener;
  readonly #tellChild: ChildListener;
  readonly #readers: ReadonlyMap<string, (params: object) => NamedCall>;
  readonly #sessions = new Map<string, Session>();
  /** Calls that have no answer yet. `#opening` contains the calls that open a session. */
  readonly #open = new Set<Promise<unknown>>();
  readonly #opening = new Set<Promise<unknown>>();

  constructor(client: Client, tell: EventListener, tellChild: ChildListener) {
    this.#client = client;
    this.#tell = tell;
    this.#tellChild = tellChild;
    this.#readers = callReaders(codecs[client.peer.dialect]);
  }

  /**
   * Makes a call if the message of the log is a call. The promise settles when the call is sent. It does not wait for
   * the answer.
   *
   * @throws Error for a call to a session that the log does not open
   */
  async make(message: unknown): Promise<void> {
    const { method, params, id } = membersOf(message);
    if (typeof method !== "string" || !isObject(params)) return;
    if (method === "session/cancel") return this.#keep((await this.#session(params.sessionId)).cancel());
    const call = id === undefined ? undefined : this.#read(method, params);
    if (call !== undefined) await this.#perform(call);
  }

  /** Settles when every call was answered or has failed. */
  async done(): Promise<void> {
    while (this.#open.size > 0) await Promise.all(this.#open);
  }

  /**
   * Reads a call, in the neutral form. Readers expect params that fit the schema, but params from a log may not fit.
   */
  #read(method: string, params: object): NamedCall | undefined {
    try {
      return this.#readers.get(method)?.(params);
    } catch (cause) {
      throw new Error(`The log contains ${method} with params that cannot be read. Correct or remove that line.`, {
        cause,
      });
    }
  }

  async #perform(call: NamedCall): Promise<void> {
    switch (call.name) {
      case "newSession":
        return this.#enter(this.#client.newSession(withAbsolutePath(call.params), this.#tell));
      case "loadSession":
      case "resumeSession": {
        const { sessionId, replayFrom: _, ...workspace } = call.params as NamedCall<"resumeSession">["params"];
        const restored = this.#client.restore(sessionId, withAbsolutePath(workspace), this.#tell);
        return this.#enter(
          restored.then((outcome) => (outcome.status === "unavailable" ? undefined : outcome.session)),
        );
      }
      default:
        if ("sessionId" in call.params) {
          const session = await this.#session(call.params.sessionId);
          const perform = performers[call.name] as ((session: Session, params: object) => Promise<unknown>) | undefined;
          // The function is async, so that an immediate exception of a call with wrong values becomes a rejection.
          if (perform !== undefined) this.#keep((async () => perform(session, call.params))());
        }
    }
  }

  /** Returns a session of the log. Waits while sessions are being opened. */
  async #session(sessionId: unknown): Promise<Session> {
    const key = foreignKey(sessionId);
    if (!this.#sessions.has(key)) await Promise.all(this.#opening);
    const session = this.#sessions.get(key) ?? this.#child(key);
    if (session === undefined)
      throw new Error(`The log continues session ${foreignText(sessionId)}, but does not contain its opening.`);
    return session;
  }

  #child(sessionId: string): Session | undefined {
    return [...this.#sessions.values()].flatMap(descendantsOf).find(({ id }) => id === sessionId);
  }

  #enter(opened: Promise<Session | undefined>): void {
    const entering = opened.then((session) => {
      if (session === undefined) return;
      this.#sessions.set(session.id, session);
      followChildren(session, this.#tellChild);
    });
    this.#keep(entering, this.#opening);
  }

  /** Adds a call to the open calls. Failures are ignored, because the log contains them too. */
  #keep(call: Promise<unknown>, ...more: readonly Set<Promise<unknown>>[]): void {
    const settled: Promise<unknown> = call.catch(() => undefined);
    for (const set of [this.#open, ...more]) {
      set.add(settled);
      void settled.then(() => set.delete(settled));
    }
  }
}

type Performer<K extends NamedCall["name"]> = (session: Session, params: NamedCall<K>["params"]) => Promise<unknown>;

/** Functions that make the calls of an open session. Their promises settle with the answers. */
const performers: { readonly [K in NamedCall["name"]]?: Performer<K> } = {
  prompt: (session, { prompt, idempotencyKey }) => session.prompt(prompt, { idempotencyKey }).ended,
  setConfigOption: (session, { configId, value }) => session.setConfigOption(configId, value),
  setMode: (session, { value }) => choose(session, "mode", value),
  setModel: (session, { value }) => choose(session, "model", value),
  closeSession: (session) => session.close(),
  cancelToolCall: (session, { toolCallId }) => session.cancelToolCall(toolCallId),
  cancelTerminal: (session, { terminalId }) => session.cancelTerminal(terminalId),
};

async function choose(session: Session, category: string, value: string): Promise<void> {
  const option = session.state.configOptions?.find((one) => one.category === category);
  if (option !== undefined) await session.setConfigOption(option.configId, value);
}

/** Makes the directory absolute, because a redacted path is not absolute. The directory is not opened. */
function withAbsolutePath(workspace: SessionWorkspace): SessionWorkspace {
  return { ...workspace, cwd: isAbsolute(workspace.cwd) ? workspace.cwd : resolve(workspace.cwd) };
}

/** Names of the calls of a conversation. `initialize` is missing, because connecting sends it. */
const names = ["newSession", "loadSession", "resumeSession", ...Object.keys(performers)] as NamedCall["name"][];

/** Methods of a client that are replayed. Other methods are not part of a conversation. */
const played = new Set([
  "initialize",
  "session/cancel",
  ...Object.values(codecs).flatMap((codec: Codec) => names.map((name) => codec.call[name]?.method)),
]);

/** Removes the client's calls that are not replayed, and its malformed messages, together with their answers. */
export function conversationIn(entries: readonly WireEntry[]): readonly WireEntry[] {
  const left = new Set<string>();
  return entries.filter((entry) => {
    if ("received" in entry) {
      const { id, method } = membersOf(entry.received);
      return method !== undefined || !left.delete(idKey(id));
    }
    if (!("sent" in entry)) return true;
    const { id, method, params } = membersOf(entry.sent);
    if (method === undefined) return isObject(entry.sent);
    if (typeof method === "string" && played.has(method) && (params === undefined || isObject(params))) return true;
    if (id !== undefined) left.add(idKey(id));
    return false;
  });
}
