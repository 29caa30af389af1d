import type { SessionLists, SessionPlace } from "../call.js";
import { isSettingCall, optionOf, type SettingCall } from "../codec/calls.js";
import type { Codec } from "../codec/codec.js";
import { seedCodec, v1Codec, v2Codec } from "../codec/dialects.js";
import type { DialectName } from "../codec/losses.js";
import { isObject } from "../codec/read.js";
import { callReaders, type NamedCall } from "../codec/wire-handlers.js";
import type { SessionEvent } from "../event.js";
import type { PermissionOutcome } from "../permission.js";
import type { SessionStore } from "../store.js";
import { WatchedSession } from "./watched-session.js";

/** Side that sent a message. */
export type WatchedSide = "client" | "agent";

/** Options of a watch. */
export type SessionWatchOptions = {
  /** Called when a session was opened or restored for the first time, before its first event is in the store. */
  readonly onSession?: (sessionId: string, store: SessionStore) => void;
  /**
   * Dialect of the connection.
   * @defaultValue the one that the two sides agree on in `initialize`
   */
  readonly dialect?: DialectName;
};

/** Observer of one connection. It reads the messages of both sides, and keeps the state of every session. */
export interface SessionWatch {
  /** Stores of the open sessions, by session id. A session leaves the map when it is closed or deleted. */
  readonly sessions: ReadonlyMap<string, SessionStore>;
  /** Reads one JSON-RPC message. Takes any value, and never throws. States may hold parts of it: do not change it later. */
  message(message: unknown, from: WatchedSide): void;
}

const codecs: { readonly [K in DialectName]: Codec } = { v1: v1Codec, v2: v2Codec, seed: seedCodec };

const codecsByVersion: ReadonlyMap<unknown, Codec> = new Map([
  [1, v1Codec],
  [2, v2Codec],
]);

/** Most requests that wait for an answer. Above it the oldest is forgotten, and so is the effect of its answer. */
const MAX_OPEN_REQUESTS = 1_000;

type Settle = (result: object | undefined, error: object | undefined) => void;
type Asked = { readonly from: WatchedSide; readonly expect: (settle: Settle) => void };
type Answer = { readonly outcome: PermissionOutcome };
type Wire = { readonly [key: string]: unknown };

/**
 * Creates a watch: the state of every session on a connection that any other library serves.
 *
 * @example
 * const watch = watchSessions({ onSession: (id, store) => store.subscribe(() => draw(store.getState())) });
 * watch.message({ jsonrpc: "2.0", id: 1, method: "session/prompt", params }, "client");
 */
export function watchSessions(options: SessionWatchOptions = {}): SessionWatch {
  return new Watch(options);
}

class Watch implements SessionWatch {
  readonly sessions = new Map<string, SessionStore>();
  readonly #options: SessionWatchOptions;
  readonly #watched = new Map<string, WatchedSession>();
  readonly #open = new Map<string, Settle>();
  #codec: Codec;
  #readers: ReadonlyMap<string, (params: object) => NamedCall>;
  #serial = 0;

  constructor(options: SessionWatchOptions) {
    this.#options = options;
    this.#codec = codecs[options.dialect ?? "v1"];
    this.#readers = callReaders(this.#codec);
  }

  message(message: unknown, from: WatchedSide): void {
    try {
      if (!isObject(message)) return;
      const { id, method, params, result, error } = message as Wire;
      if (typeof method !== "string") this.#answer(keyOf(from, id), result, error);
      else if (id === undefined) this.#notification(method, params, from);
      else this.#request(method, params, { from, expect: (settle) => this.#expect(keyOf(other(from), id), settle) });
    } catch {
      // A codec may refuse a malformed message. The peers judge it; the watch has nothing to add to a state.
    }
  }

  #notification(method: string, params: unknown, from: WatchedSide): void {
    const { sessionId, update } = (isObject(params) ? params : {}) as Wire;
    if (from === "agent" && method === "session/update") {
      const session = this.#watched.get(String(sessionId));
      for (const event of this.#codec.decode(update)) session?.updated(event);
    }
    if (from === "client" && method === "session/cancel") this.#watched.get(String(sessionId))?.cancelled();
  }

  #expect(key: string, settle: Settle): void {
    this.#open.set(key, settle);
    if (this.#open.size <= MAX_OPEN_REQUESTS) return;
    for (const oldest of this.#open.keys()) {
      this.#open.delete(oldest);
      return;
    }
  }

  #answer(key: string, result: unknown, error: unknown): void {
    const settle = this.#open.get(key);
    this.#open.delete(key);
    if (isObject(error)) settle?.(undefined, error);
    else settle?.(isObject(result) ? result : {}, undefined);
  }

  #request(method: string, params: unknown, { from, expect }: Asked): void {
    if (method === "initialize" && from === "client") return expect((result) => result && this.#agree(result));
    const read = this.#readers.get(method);
    if (read === undefined || !isObject(params)) return;
    const call = read(params);
    // Neither side can speak for the other one.
    if ((call.name === "askPermission") === (from === "agent")) this.#called(call, expect);
  }

  #agree(result: object): void {
    if (this.#options.dialect !== undefined) return;
    const codec = codecsByVersion.get((result as Wire).protocolVersion);
    if (codec === undefined) return;
    this.#codec = codecs[codec.ask.initialize.decodeResult(result).dialect ?? codec.dialect];
    this.#readers = callReaders(this.#codec);
  }

  #called(call: NamedCall, expect: (settle: Settle) => void): void {
    const decode = (result: object): object => this.#codec.call[call.name]?.decodeResult(result) ?? result;
    if (call.name === "newSession") {
      return expect((result) => {
        if (result === undefined) return;
        const opened = decode(result) as { readonly sessionId: string };
        this.#enter(opened.sessionId).opened(call.params, { ...opened });
      });
    }
    const { sessionId } = call.params as { readonly sessionId?: string };
    if (sessionId === undefined) return;
    if (call.name === "loadSession" || call.name === "resumeSession") {
      return this.#restore(call.params, sessionId, expect, decode);
    }
    const session = this.#watched.get(sessionId);
    if (session === undefined) return;
    this.#serial += 1;
    const id = `watched-${this.#serial}`;
    switch (call.name) {
      case "prompt": {
        const prompt = session.prompted(id, call.params.prompt, this.#codec.turns === undefined);
        return expect((result, error) => prompt(result && decode(result), error));
      }
      case "askPermission": {
        const answered = session.asked({ type: "permission_asked", requestId: id, ...call.params });
        return expect((result) => answered(result && (decode(result) as Answer)));
      }
      case "closeSession":
      case "deleteSession":
        return expect((result) => result && this.#leave(sessionId));
      default:
        if (isSettingCall(call)) expect((result) => result && session.set(optionSet(call, session, decode(result))));
    }
  }

  #restore(
    place: SessionPlace,
    sessionId: string,
    expect: (settle: Settle) => void,
    decode: (result: object) => object,
  ): void {
    const wasOpen = this.#watched.has(sessionId);
    const session = this.#enter(sessionId);
    const settle = session.restoring();
    expect((result) => {
      settle(result !== undefined);
      if (result !== undefined) session.opened(place, { ...decode(result), sessionId });
      else if (!wasOpen) this.#leave(sessionId);
    });
  }

  #enter(sessionId: string): WatchedSession {
    const open = this.#watched.get(sessionId);
    if (open !== undefined) return open;
    const session = new WatchedSession();
    this.#watched.set(sessionId, session);
    this.sessions.set(sessionId, session.store);
    this.#options.onSession?.(sessionId, session.store);
    return session;
  }

  #leave(sessionId: string): void {
    this.#watched.get(sessionId)?.closed();
    this.#watched.delete(sessionId);
    this.sessions.delete(sessionId);
  }
}

/** Returns the key of a request that `side` answers. Ids of different types differ, and may be bigints. */
const keyOf = (side: WatchedSide, id: unknown): string => `${side} ${typeof id} ${String(id)}`;

const other = (side: WatchedSide): WatchedSide => (side === "client" ? "agent" : "client");

/** Returns the event of an accepted choice. Some dialects answer with all options, others with none. */
function optionSet(call: SettingCall, { store }: WatchedSession, result: object): SessionEvent | undefined {
  const { configOptions } = result as Pick<SessionLists, "configOptions">;
  if (configOptions != null && configOptions.length > 0) return { type: "config_option_update", configOptions };
  const option = optionOf(call, store.getState().configOptions);
  return option && { type: "config_option_set", configId: option.configId, value: call.params.value };
}
