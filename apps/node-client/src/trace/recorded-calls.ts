import type { Client, EventListener, Session } from "@turnkit/client";
import { type Codec, type NamedCall, seedCodec, v1Codec, v2Codec } from "@turnkit/session/codec";

/** Does what a recorded client did. */
export interface RecordedCalls {
  /** Makes a call of the log, if that message is one. Settles when it is on its way, not when it is answered. */
  make(message: unknown): Promise<void>;
  /** Settles when every call has been answered, or has failed as it did then. */
  done(): Promise<void>;
}

const codecs = { v1: v1Codec, v2: v2Codec, seed: seedCodec } as const satisfies Record<string, Codec>;

/** Makes the calls of a log on a client, in the words of the version that the two agreed on. */
export function createRecordedCalls(client: Client, tell: EventListener): RecordedCalls {
  const sessions = new Map<string, Promise<Session | undefined>>();
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
    const session = await sessions.get(sessionId);
    if (session !== undefined) keep(work(session));
  };
  const enter = (opened: Promise<Session | undefined>) =>
    keep(
      opened.then((session) => session && sessions.set(session.id, Promise.resolve(session))),
      opening,
    );

  const perform = async (call: NamedCall): Promise<void> => {
    switch (call.name) {
      case "newSession":
        return enter(client.newSession(call.params, tell));
      case "loadSession":
      case "resumeSession": {
        const { sessionId, ...place } = call.params;
        const restored = client.restore(sessionId, place, tell);
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
      case "deleteSession":
        return keep(client.deleteSession(call.params.sessionId));
      case "listSessions":
        return keep(firstPage(client, call.params.cwd ?? undefined));
      case "login":
        return keep(client.login(call.params.methodId));
      case "logout":
        return keep(client.logout());
      default:
        return undefined; // `initialize` is made by connecting
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

const names = [
  ...["newSession", "loadSession", "resumeSession", "prompt", "setConfigOption", "setMode", "setModel"],
  ...["cancelToolCall", "cancelTerminal", "closeSession", "deleteSession", "listSessions", "login", "logout"],
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

/** A page of the log each; the next one is asked for by the loop itself. */
async function firstPage(client: Client, cwd: string | undefined): Promise<void> {
  for await (const _ of client.listSessions(cwd === undefined ? {} : { cwd }));
}
