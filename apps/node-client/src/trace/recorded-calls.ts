import { isAbsolute, resolve } from "node:path";
import type { Client, EventListener, Session, SessionPlace } from "@turnkit/client";
import { type Codec, type NamedCall, seedCodec, v1Codec, v2Codec } from "@turnkit/session/codec";
import type { WireEntry } from "@turnkit/transport/trace";

/** Does what a recorded client did. */
export interface RecordedCalls {
  /**
   * Makes a call of the log, if that message is one. Settles when it is on its way, not when it is answered.
   *
   * @throws Error for a call to a session that the log does not open
   */
  make(message: unknown): Promise<void>;
  /** Settles when every call has been answered, or has failed as it did then. */
  done(): Promise<void>;
}

const codecs = { v1: v1Codec, v2: v2Codec, seed: seedCodec } as const satisfies Record<string, Codec>;

/** Makes the calls of a log on a client, in the words of the version that the two agreed on. */
export function createRecordedCalls(client: Client, tell: EventListener): RecordedCalls {
  const sessions = new Map<string, Session>();
  const open = new Set<Promise<unknown>>();
  const opening = new Set<Promise<unknown>>();

  const keep = <T>(call: Promise<T>, ...more: Set<Promise<unknown>>[]): void => {
    const settled: Promise<unknown> = call.catch(() => undefined);
    for (const set of [open, ...more]) {
      set.add(settled);
      void settled.then(() => set.delete(settled));
    }
  };
  const within = async (sessionId: string, work: (session: Session) => Promise<unknown>) => {
    const session = sessions.get(sessionId);
    if (session === undefined) throw new Error(`The log goes on with session ${sessionId}, which it did not open.`);
    keep(work(session));
  };
  const enter = (opened: Promise<Session | undefined>) =>
    keep(
      opened.then((session) => session && sessions.set(session.id, session)),
      opening,
    );

  const perform = async (call: NamedCall): Promise<void> => {
    switch (call.name) {
      case "newSession":
        return enter(client.newSession(placeIn(call.params), tell));
      case "loadSession":
      case "resumeSession": {
        const { sessionId, ...place } = call.params;
        const restored = client.restore(sessionId, placeIn(place), tell);
        return enter(restored.then((outcome) => (outcome.status === "unavailable" ? undefined : outcome.session)));
      }
      case "prompt":
        return within(call.params.sessionId, (session) => session.prompt(call.params.prompt).ended);
      case "setConfigOption":
        return within(call.params.sessionId, (session) =>
          session.setConfigOption(call.params.configId, call.params.value),
        );
      case "setMode":
      case "setModel": {
        const { sessionId, value } = call.params;
        const category = call.name === "setMode" ? "mode" : "model";
        return within(sessionId, async (session) => {
          const option = session.state.configOptions?.find((one) => one.category === category);
          if (option !== undefined) await session.setConfigOption(option.configId, value);
        });
      }
      case "closeSession":
        return within(call.params.sessionId, (session) => session.close());
      case "cancelToolCall":
        return within(call.params.sessionId, (session) => session.cancelToolCall(call.params.toolCallId));
      case "cancelTerminal":
        return within(call.params.sessionId, (session) => session.cancelTerminal(call.params.terminalId));
      default:
        return undefined;
    }
  };
  const readers = readersOf(codecs[client.peer.dialect]);

  return {
    async make(message) {
      const { method, params, id } = (message ?? {}) as { method?: unknown; params?: unknown; id?: unknown };
      if (typeof method !== "string" || typeof params !== "object" || params === null) return;
      // What was answered already has to be known: a prompt needs its session.
      await Promise.all(opening.size > 0 && method !== "session/new" ? [...opening] : []);
      const { sessionId } = params as { sessionId?: unknown };
      if (method === "session/cancel") return within(String(sessionId), (session) => session.cancel());
      const call = id === undefined ? undefined : readers.get(method)?.(params);
      if (call !== undefined) await perform(call);
    },
    async done() {
      while (open.size > 0) await Promise.all(open);
    },
  };
}

/** A place of a log: what was redacted in it is no path any more, and nothing is opened there anyway. */
function placeIn(place: SessionPlace): SessionPlace {
  return { ...place, cwd: isAbsolute(place.cwd) ? place.cwd : resolve(place.cwd) };
}

/** The calls that conversations are made of; `initialize` is made by connecting. */
const names = [
  ...["newSession", "loadSession", "resumeSession", "prompt", "setConfigOption", "setMode", "setModel"],
  ...["cancelToolCall", "cancelTerminal", "closeSession"],
] as readonly NamedCall["name"][];

/** What reads the calls of a dialect, by method. */
function readersOf(codec: Codec): ReadonlyMap<string, (params: object) => NamedCall> {
  const readers = new Map<string, (params: object) => NamedCall>();
  for (const name of names) {
    const shape = codec.call(name);
    if (shape !== undefined)
      readers.set(shape.method, (params) => ({ name, params: shape.decodeParams(params) }) as NamedCall);
  }
  return readers;
}

/** The methods of a client that are played; whatever else it asked or told is no part of a conversation. */
const played = new Set([
  "initialize",
  "session/cancel",
  ...Object.values(codecs).flatMap((one) => [...readersOf(one).keys()]),
]);

/** A log without the calls of its client that are not made anew, and without the answers to them. */
export function conversationIn(entries: readonly WireEntry[]): readonly WireEntry[] {
  const left = new Set<unknown>();
  return entries.filter((entry) => {
    if (!("sent" in entry) && !("received" in entry)) return true;
    const { id, method } = (("sent" in entry ? entry.sent : entry.received) ?? {}) as {
      id?: unknown;
      method?: unknown;
    };
    if ("received" in entry) return method !== undefined || !left.delete(id);
    if (method === undefined || played.has(String(method))) return true;
    if (id !== undefined) left.add(id);
    return false;
  });
}
