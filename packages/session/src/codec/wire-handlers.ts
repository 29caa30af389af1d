import type { Answering, Asking, Calls, ClientCapabilities } from "../call.js";
import type { AgentCodec, ClientCodec, Codec } from "./codec.js";
import type { Loss, OnLoss } from "./losses.js";

/** Handlers of the calls of a peer, in the neutral form. `C` is the context that the connection passes to each call. */
export type CallHandlers<C> = {
  readonly [K in keyof Calls]?: (params: Calls[K]["params"], call: C) => Promise<Calls[K]["result"]>;
};

/** Receiver of the answers, and listener for their losses. Both are read each time an answer is encoded. */
export type HandlersFor = {
  /** Capabilities of the client that receives the answers. */
  readonly peer?: ClientCapabilities | undefined;
  readonly onLoss?: ((loss: Loss, sessionId?: string) => void) | undefined;
};

type WireHandler<C> = (params: object, call: C) => Promise<object>;

/**
 * Returns handlers by method name. They take and return the forms of a dialect, and call handlers with the neutral
 * form. Calls that do not exist in the dialect are left out. If two calls have one method, the later one answers it. An
 * example is `session/resume`, with which version 2 also loads.
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

/** Call in the neutral form, with its name. */
export type NamedCall<K extends keyof Calls = keyof Calls> = K extends keyof Calls
  ? { readonly name: K; readonly params: Calls[K]["params"] }
  : never;

/** Names of the calls that agents send and clients answer. */
const asked: readonly string[] = ["askPermission", "elicit"];

/** Names of the notifications, which have no answer. */
const notified: readonly string[] = ["completeElicitation"];

/** Returns {@link wireHandlers} that call one handler for all calls of a side. Proxies need this. */
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

/**
 * Returns the functions that read the calls of a dialect, by method. If two calls have one method, the later one reads
 * it.
 */
export function callReaders(codec: Pick<Codec, "call">): ReadonlyMap<string, (params: object) => NamedCall> {
  const readers = new Map<string, (params: object) => NamedCall>();
  for (const [name, call] of Object.entries(codec.call)) {
    readers.set(call.method, (params) => ({ name, params: call.decodeParams(params) }) as NamedCall);
  }
  return readers;
}

/** Request in the form of a dialect, and the function that reads its answer. */
export type WireRequest = {
  readonly method: string;
  readonly params: object;
  read(result: object): object;
};

/** Encodes a call. Returns `undefined` if the call does not exist in the dialect. */
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
