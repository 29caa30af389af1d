import { checkArgument } from "./check-argument.js";
import { InvalidMessageError, type Issue, invalidParams } from "./errors.js";
import { MAX_NAME } from "./near-names.js";
import type { RequestOptions } from "./pending-requests.js";
import { ASYNCHRONOUS, checkIncoming, checkOutgoing, type StandardSchemaV1 } from "./standard-schema.js";

/** Value that a schema accepts. */
type Input<S> = S extends StandardSchemaV1<infer I, unknown> ? I : unknown;
/** Value that a schema returns. */
type Output<S> = S extends StandardSchemaV1<infer _, infer O> ? O : unknown;

/** Side that sends calls of extension methods: a client, or the `session.client` of an agent. */
export type ExtensionPeer = {
  request<R>(method: `_${string}`, params: object, options?: RequestOptions<R>): Promise<R>;
  notify(method: `_${string}`, params: object): unknown;
};

/** Schemas of an extension method. Standard Schema objects with synchronous validators. */
export type ExtensionSchemas<P, R> = {
  /** Schema of the params. The params of JSON-RPC are an object. */
  readonly params: P;
  /** Schema of the result of a request. Without a schema, the result is not checked. */
  readonly result?: R;
};

/**
 * Extension method with its schemas, made by {@link createExtension}. Both sides can import the same object.
 *
 * A value is checked by the side that receives it. A result is also checked before it is sent.
 */
export interface ExtensionMethod<M extends string, P, R> {
  readonly method: M;
  /**
   * Returns a handler for the option `extensions` of a client or an agent.
   *
   * - The handler gets the value that the schema of the params returns.
   * - Malformed params are answered with `-32602` and the path of each issue. A malformed notification is dropped and
   *   reported.
   * - If the result does not fit its schema, the peer gets `-32603`, and `onDiagnostic` gets `handler_failed`.
   */
  handle<C = unknown>(
    handler: (params: Output<P>, signal: AbortSignal, caller: C) => Input<R> | Promise<Input<R>>,
  ): (params: unknown, signal: AbortSignal, caller?: C) => unknown;
  /**
   * Sends a request to the peer.
   *
   * @throws InvalidMessageError for an answer that does not fit the schema of the result
   * @throws the errors of the peer's `request`
   */
  request(
    peer: ExtensionPeer,
    params: Input<P> & object,
    options?: Omit<RequestOptions<Output<R>>, "result">,
  ): Promise<Output<R>>;
  /** Sends a notification to the peer. */
  notify(peer: ExtensionPeer, params: Input<P> & object): void;
}

/**
 * Creates an extension method from its name and its schemas.
 *
 * - Agents and clients handle the method with `extensions: { [method]: extension.handle(…) }`.
 * - Names of your own methods begin with `_` and your domain. Methods of other programs may have other names. This side
 *   can handle such a method, but not send it.
 *
 * @throws TypeError for a name that is not text, and without a schema of the params
 *
 * @example
 * const undo = createExtension("_example.com/undo", { params: z.object({ steps: z.number() }) });
 * const agent = createAgent({ info, prompt, extensions: { [undo.method]: undo.handle(({ steps }) => history.undo(steps)) } });
 */
export function createExtension<
  M extends string,
  P extends StandardSchemaV1,
  R extends StandardSchemaV1 | undefined = undefined,
>(method: M, schemas: ExtensionSchemas<P, R>): ExtensionMethod<M, P, R> {
  const { params, result } = schemas ?? {};
  const remedy = 'pass a name such as "_example.com/undo", and { params } with a schema';
  checkArgument(typeof method === "string" && method !== "", "createExtension", { got: method, remedy });
  checkArgument(isSchema(params), `createExtension ${method} params`, { got: params, remedy });
  checkArgument(result === undefined || isSchema(result), `createExtension ${method} result`, { got: result, remedy });
  const nameFor = (call: "request" | "notify"): `_${string}` => {
    checkArgument(method.startsWith("_"), call, { got: method, remedy: 'sent extensions begin with "_"' });
    return method as unknown as `_${string}`;
  };
  const checkedResult = (value: unknown): unknown => {
    if (result === undefined) return value;
    const checked = checkOutgoing(result, value ?? {});
    // A plain error, because the fault is one of this program and not of the peer.
    if ("issues" in checked) throw new TypeError(new InvalidMessageError(method, "result", checked.issues).message);
    return value;
  };
  return {
    method,
    handle: (handler) => {
      const handle = (received: unknown, signal: AbortSignal, caller?: unknown): unknown => {
        const checked = checkIncoming(params as StandardSchemaV1<unknown, Output<P>>, received);
        if ("issues" in checked) throw refusal(method, checked.issues);
        const answer = handler(checked.value, signal, caller as never);
        return answer instanceof Promise ? answer.then(checkedResult) : checkedResult(answer);
      };
      made.add(handle);
      return handle;
    },
    request: async (peer, sent, options) =>
      peer.request(nameFor("request"), sent, { ...options, ...(result && { result }) } as RequestOptions<Output<R>>),
    notify: (peer, sent) => void peer.notify(nameFor("notify"), sent),
  };
}

/** Handlers that {@link createExtension} made. */
const made = /* @__PURE__ */ new WeakSet<object>();

/** Names of the protocol, also of its unstable methods, and names of custom methods. */
const NAMED =
  /^(?:_|\$\/|(?:auth|call|document|elicitation|fs|mcp|nes|providers|session|terminal)\/|(?:authenticate|initialize|logout)$)/;

/**
 * Returns one sentence for each handler that no program with turnkit calls, because its name does not begin with `_`. The
 * handlers of {@link createExtension} are left out: they may serve methods of other programs.
 */
export function uncalledExtensions(extensions: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(extensions)
    .filter((name) => !NAMED.test(name) && !made.has(extensions[name] as object))
    .map((given) => {
      const name = given.slice(0, MAX_NAME);
      return `The handler extensions["${name}"] is not used by programs with turnkit. Name it "_${name}", or use createExtension for other programs.`;
    });
}

const isSchema = (value: unknown): boolean =>
  typeof (value as Partial<StandardSchemaV1> | undefined)?.["~standard"]?.validate === "function";

/** Returns the error for params that do not fit. An asynchronous validator is a fault of this program. */
function refusal(method: string, issues: readonly Issue[]): Error {
  const isOurs = issues[0]?.message === ASYNCHRONOUS;
  return isOurs ? new TypeError(`${method}: ${ASYNCHRONOUS}`) : invalidParams(method, issues);
}
