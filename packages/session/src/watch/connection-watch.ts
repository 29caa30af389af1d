import type { SessionLists, SessionWorkspace } from "../call.js";
import { checkBounds, checkNames, checkOption } from "../check-option.js";
import { isSettingCall, optionToChange, type SettingCall } from "../codec/calls.js";
import type { Codec } from "../codec/codec.js";
import { seedCodec, v1Codec, v2Codec } from "../codec/dialects.js";
import type { DialectName } from "../codec/losses.js";
import { isObject } from "../codec/read.js";
import { callReaders, type NamedCall } from "../codec/wire-handlers.js";
import type { SessionEvent } from "../event.js";
import type { PermissionOutcome } from "../permission.js";
import { stateEvents } from "../state-events.js";
import type { SessionStore } from "../store.js";
import { Misuse } from "./misuse.js";
import { OpenRequests, type Settle } from "./open-requests.js";
import { Openings } from "./openings.js";
import type { SessionWatch, SessionWatchOptions, WatchedSide } from "./watch-options.js";
import type { WatchedSession } from "./watched-session.js";
import { WatchedSessions } from "./watched-sessions.js";

const codecs: { readonly [K in DialectName]: Codec } = { v1: v1Codec, v2: v2Codec, seed: seedCodec };

const codecsByVersion: ReadonlyMap<unknown, Codec> = new Map([
  [1, v1Codec],
  [2, v2Codec],
]);

type Asked = { readonly from: WatchedSide; readonly expect: (settle: Settle) => void };
type Answer = { readonly outcome: PermissionOutcome };
type Expected = { readonly expect: (settle: Settle) => void; readonly decode: (result: object) => object };
type RestoreCall = Extract<NamedCall, { readonly name: "loadSession" | "resumeSession" }>;
type Wire = { readonly [key: string]: unknown };

/**
 * Creates a watch for a connection that another library serves. The watch has the state of every session.
 *
 * @example
 * const watch = watchSessions({ onSession: (id, store) => store.subscribe(() => draw(store.getState())) });
 * watch.message({ jsonrpc: "2.0", id: 1, method: "session/prompt", params }, "client");
 */
export function watchSessions(options: SessionWatchOptions = {}): SessionWatch {
  const isOptions = typeof options === "object" && options !== null;
  checkOption(isOptions, "watchSessions", options, "an object such as { onSession }");
  const { maxSessions, dialect = "v1" } = options;
  checkNames("watchSessions", options, ["onSession", "onEvent", "onError", "maxSessions", "dialect"]);
  checkBounds("watchSessions", { maxSessions });
  checkOption(maxSessions !== 0, "watchSessions maxSessions", maxSessions, "a number above 0");
  checkOption(Object.hasOwn(codecs, dialect), "watchSessions dialect", dialect, Object.keys(codecs).join(" or "));
  for (const name of ["onSession", "onEvent", "onError"] as const) {
    const got = options[name];
    checkOption(got === undefined || typeof got === "function", `watchSessions ${name}`, got, "a function");
  }
  return new ConnectionWatch(options);
}

class ConnectionWatch implements SessionWatch {
  readonly #options: SessionWatchOptions;
  readonly #sessions: WatchedSessions;
  readonly #open = new OpenRequests();
  readonly #openings = new Openings();
  #codec: Codec;
  #readers: ReadonlyMap<string, (params: object) => NamedCall>;
  readonly #misuse: Misuse;
  #serial = 0;

  constructor(options: SessionWatchOptions) {
    this.#options = options;
    this.#misuse = new Misuse((error) => this.#sessions.failed(error));
    this.#sessions = new WatchedSessions(options, {
      codec: () => this.#codec,
      isRestored: (id) => this.#openings.isRestored(id),
    });
    this.#codec = codecs[options.dialect ?? "v1"];
    this.#readers = callReaders(this.#codec);
  }

  get sessions(): ReadonlyMap<string, SessionStore> {
    return this.#sessions.stores;
  }

  // A function of its own, because programs pass it to an event emitter.
  readonly message = (message: unknown, from: WatchedSide): void => {
    try {
      this.#misuse.check(message, from);
      if (!isObject(message)) return;
      const { id, method, params, result, error } = message as Wire;
      if (typeof method !== "string") this.#open.answered(from, id, { result, error });
      else if (id === undefined) this.#notification(method, params, from);
      else this.#request(method, params, { from, expect: (settle) => this.#open.add(from, id, settle) });
    } catch {
      // A codec may refuse a malformed message. The two sides handle such a message themselves, and no state changes.
    }
  };

  #notification(method: string, params: unknown, from: WatchedSide): void {
    const { sessionId, update } = (isObject(params) ? params : {}) as Wire;
    const id = String(sessionId);
    if (from === "agent" && method === "session/update") {
      for (const event of this.#codec.decode(update)) this.#updated(id, event);
    }
    if (from === "client" && method === "session/cancel") this.#sessions.find(id)?.cancelled();
  }

  #updated(sessionId: string, event: SessionEvent): void {
    const session = this.#sessions.find(sessionId);
    const { children } = this.#sessions;
    const path = children.pathOf(sessionId);
    const isKnown = session !== undefined || path.some((id) => this.#openings.isRestored(id));
    const isOwn = event.type === "subagent_update" && isKnown && children.add(sessionId, event.sessionId);
    for (const id of path) {
      if (isOwn) this.#openings.announced(id, sessionId, event.sessionId);
      if (this.#openings.addToReplay(id, { sessionId, event }, session)) return;
    }
    if (session === undefined) this.#early(sessionId, event);
    else session.updated(event);
  }

  #early(sessionId: string, event: SessionEvent): void {
    if (!this.#openings.keepEarly(sessionId, event)) this.#misuse.unknownSession();
  }

  #request(method: string, params: unknown, { from, expect }: Asked): void {
    if (method === "initialize" && from === "client") return expect((result) => result && this.#agree(result));
    const read = this.#readers.get(method === "session/fork" ? "session/new" : method);
    if (read === undefined || !isObject(params)) return;
    if (method === "session/fork") return from === "client" ? this.#fork(params, read(params), expect) : undefined;
    const call = read(params);
    // A side cannot send the requests of the other side.
    if ((call.name === "askPermission") === (from === "agent")) this.#called(call, expect);
  }

  /** Records the request for a session that begins with the conversation of another session. */
  #fork(params: object, call: NamedCall, expect: Expected["expect"]): void {
    const parent = this.#sessions.find(String((params as Wire).sessionId));
    const events = parent && stateEvents(parent.store.getState());
    this.#opens(call.params as SessionWorkspace, events?.filter(isConversation) ?? [], {
      expect,
      decode: (result) => this.#codec.call.newSession?.decodeResult(result) ?? result,
    });
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
    if (call.name === "newSession") return this.#opens(call.params, [], { expect, decode });
    const { sessionId } = call.params as { readonly sessionId?: string };
    if (sessionId === undefined) return;
    if (call.name === "loadSession" || call.name === "resumeSession") {
      return this.#restore(call, { expect, decode });
    }
    if (call.name === "closeSession" || call.name === "deleteSession") return this.#ends(sessionId, expect);
    const session = this.#sessions.find(sessionId);
    if (session === undefined) return;
    this.#serial += 1;
    const id = `watched-${this.#serial}`;
    switch (call.name) {
      case "prompt": {
        const prompt = session.prompted(id, call.params);
        return expect((result, error) => {
          const answer = result && readable(result, decode);
          prompt(answer, error ?? (answer ? undefined : UNREADABLE));
        });
      }
      case "askPermission": {
        const answered = session.asked({ type: "permission_asked", requestId: id, ...call.params });
        return expect((result) => answered(result && (readable(result, decode) as Answer | undefined)));
      }
      default:
        if (isSettingCall(call)) expect((result) => result && session.set(optionSet(call, session, decode(result))));
    }
  }

  /**
   * Records a request whose answer contains the id of a new session. The session begins with the conversation `said`.
   */
  #opens(workspace: SessionWorkspace, said: readonly SessionEvent[], { expect, decode }: Expected): void {
    const over = this.#openings.beginNew();
    expect((result) => {
      try {
        if (result === undefined) return;
        const opened = decode(result) as { readonly sessionId: string };
        // If an agent uses an id again, another session begins.
        this.#sessions.leave(opened.sessionId, "the session was opened anew");
        const session = this.#sessions.enter(opened.sessionId);
        if (said.length > 0) session.replayed(said);
        session.opened(workspace, { ...opened });
        for (const event of this.#openings.takeEarly(opened.sessionId)) session.updated(event);
      } finally {
        over();
      }
    });
  }

  #restore(call: RestoreCall, { expect, decode }: Expected): void {
    const { sessionId, ...workspace } = call.params;
    const replays = call.name === "loadSession" || call.params.replayFrom != null;
    // Without a replay, updates during the request belong to the conversation.
    const over = replays ? undefined : this.#openings.beginNew();
    const settle = this.#openings.begin(sessionId, replays);
    expect((result) => {
      const updates = settle(result !== undefined);
      try {
        if (updates === undefined) return;
        if (result === undefined) {
          for (const [id, events] of updates) for (const event of events) this.#updated(id, event);
          return;
        }
        const session = this.#sessions.enter(sessionId);
        if (replays) this.#sessions.children.replay(sessionId, session, updates);
        session.opened(workspace, { ...decode(result), sessionId });
        for (const event of this.#openings.takeEarly(sessionId)) session.updated(event);
      } finally {
        over?.();
        // The child sessions of a session that was not restored are unknown again.
        const isRestored = this.#sessions.children.pathOf(sessionId).some((id) => this.#openings.isRestored(id));
        if (!isRestored && this.#sessions.find(sessionId) === undefined) this.#sessions.leave(sessionId);
      }
    });
  }

  #ends(sessionId: string, expect: Expected["expect"]): void {
    const settle = this.#openings.begin(sessionId, false);
    expect((result) => {
      if (settle(result !== undefined) !== undefined && result !== undefined) this.#sessions.leave(sessionId);
    });
  }
}

/** Error of a prompt whose answer cannot be read. */
const UNREADABLE = { code: -32603, message: "The answer could not be read." };

/** Returns the decoded result of an answer, or `undefined` if its codec refuses it. */
function readable(result: object, decode: (result: object) => object): object | undefined {
  try {
    return decode(result);
  } catch {
    return undefined;
  }
}

/** Returns `true` for events of a conversation. Events of open turns, questions and lists do not belong to it. */
function isConversation(event: SessionEvent): boolean {
  if (event.type === "state_restored") return /^(?:timeline|terminals|plans)$/.test(event.member);
  return !/^(?:session_opened|turn_started|turn_ended)$/.test(event.type);
}

/**
 * Returns the event of an accepted choice. In some dialects, the answer contains all options; in others, it contains
 * none.
 */
function optionSet(call: SettingCall, { store }: WatchedSession, result: object) {
  const { configOptions } = result as Pick<SessionLists, "configOptions">;
  if (configOptions != null && configOptions.length > 0)
    return { type: "config_option_update", configOptions } as const;
  const option = optionToChange(call, store.getState().configOptions);
  return option && ({ type: "config_option_set", configId: option.configId, value: call.params.value } as const);
}
