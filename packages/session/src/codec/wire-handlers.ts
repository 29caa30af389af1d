import type { Answering, Asking, Calls, ClientCapabilities } from "../call.js";
import type { AgentCodec, ClientCodec, Codec } from "./codec.js";
import type { Loss, OnLoss } from "./losses.js";

/** Handlers of the calls of a peer, in the neutral form. `C` is the context that the connection gives to a call. */
export type CallHandlers<C> = {
  readonly [K in keyof Calls]?: (params: Calls[K]["params"], call: C) => Promise<Calls[K]["result"]>;
};

/** Receiver of the answers, and of their losses. Both are read when an answer is encoded. */
export type HandlersFor = {
  /** Capabilities of the client that gets the answers. */
  readonly peer?: ClientCapabilities | undefined;
  readonly onLoss?: ((loss: Loss, sessionId?: string) => void) | undefined;
};

type WireHandler<C> = (params: object, call: C) => Promise<object>;

/**
 * Handlers by method name, with a dialect's shapes on the outside and neutral ones inside. Calls that the dialect does
 * not have are left out. Where two are one method (version 2 loads by `session/resume`), the later one answers it.
 */
export function wireHandlers<C>(
  codec: Pick<AgentCodec, "answer">,
  handlers: CallHandlers<C>,
  to: HandlersFor = {},
): { readonly [method: string]: WireHandler<C> } {
  const table: { [method: string]: WireHandler<C> } = {};
  for (const name of Object.keys(handlers) as (keyof Calls)[]) {
    const shape = codec.answer[name] as Answering<Any> | undefined;
    const handle = handlers[name] as WireHandler<C> | undefined;
    if (shape === undefined || handle === undefined) continue;
    table[shape.method] = async (params, call) => {
      const neutral = shape.decodeParams(params);
      const sessionId = "sessionId" in neutral ? String(neutral.sessionId) : undefined;
      return shape.encodeResult(await handle(neutral, call), to.peer, (loss) => to.onLoss?.(loss, sessionId));
    };
  }
  return table;
}

type Any = { readonly params: object; readonly result: object };

/** A call in the neutral form. */
export type NamedCall<K extends keyof Calls = keyof Calls> = K extends keyof Calls
  ? { readonly name: K; readonly params: Calls[K]["params"] }
  : never;

/** Calls that agents make and clients answer. */
const asked: readonly string[] = ["askPermission", "elicit"];

/** Notifications, which have no answer. */
const notified: readonly string[] = ["completeElicitation"];

/** Returns {@link wireHandlers} with one handler for all calls of a side, for proxies. */
export function wireCalls<C>(
  codec: Pick<AgentCodec, "answer">,
  handler: { readonly from: "client" | "agent"; handle(call: NamedCall, context: C): Promise<object> },
  to?: HandlersFor,
): { readonly [method: string]: WireHandler<C> } {
  const fromAgent = handler.from === "agent";
  const names = Object.keys(codec.answer) as (keyof Calls)[];
  const answered = names.filter((name) => asked.includes(name) === fromAgent && !notified.includes(name));
  const handle = (name: keyof Calls) => (params: object, context: C) =>
    handler.handle({ name, params } as NamedCall, context);
  return wireHandlers<C>(codec, Object.fromEntries(answered.map((name) => [name, handle(name)])), to);
}

/** Returns the readers of a dialect's calls, by method. Where two calls are one method, the later one reads it. */
export function callReaders(codec: Pick<Codec, "call">): ReadonlyMap<string, (params: object) => NamedCall> {
  const readers = new Map<string, (params: object) => NamedCall>();
  for (const [name, call] of Object.entries(codec.call)) {
    readers.set(call.method, (params) => ({ name, params: call.decodeParams(params) }) as NamedCall);
  }
  return readers;
}

/** A call as a dialect writes it, and how to read the answer. */
export type WireRequest = {
  readonly method: string;
  readonly params: object;
  read(result: object): object;
};

/** Writes a call of the neutral form; `undefined` where the dialect has no such call. */
export function wireRequest(
  codec: Pick<ClientCodec, "ask">,
  { name, params }: NamedCall,
  onLoss?: OnLoss,
): WireRequest | undefined {
  const shape = codec.ask[name] as Asking<Any> | undefined;
  if (shape === undefined) return undefined;
  const { method } = shape;
  return { method, params: shape.encodeParams(params, onLoss), read: (result) => shape.decodeResult(result) };
}
