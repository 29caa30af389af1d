import type { InboundCall } from "./inbound-request.js";
import type { StandardSchemaV1 } from "./standard-schema.js";

/** The handling of one method of the peer. */
// biome-ignore lint/suspicious/noExplicitAny: routes of many param types live in one table; each checks its own.
export type Route<P = any> = {
  /** Synchronous validator of the params. Without it, the route gets the params unchecked. */
  readonly params?: StandardSchemaV1<unknown, P>;
  /**
   * Runs at receipt, before the next message is handled. For a request it returns the result or a promise of it, or
   * throws an `RpcError` to answer with it. The return value for a notification is ignored.
   */
  receive(params: P, call: InboundCall): unknown;
};

/** One method of a protocol. */
export type ContractRow = {
  readonly from: "client" | "agent" | "both";
  readonly scope: "session" | "connection";
  /** Validator of the params. A side needs none for the methods that it sends itself. */
  readonly params?: StandardSchemaV1;
  /** Validator of the result. Absent for notifications and for results that are not checked. */
  readonly result?: StandardSchemaV1;
  /** A notification of the same name, and the side that sends it. */
  readonly notification?: { readonly from: "client" | "agent" | "both"; readonly params?: StandardSchemaV1 };
};

/** The methods of one version of a protocol, as data. */
export type Contract = Readonly<Record<string, ContractRow>>;

/** Handlers of one side for the methods of its peer, by method name. */
export type Handlers = Readonly<Record<string, ((params: never, call: InboundCall) => unknown) | undefined>>;

/**
 * Joins a contract and handlers to a route table. The contract checks the params. A method without a handler does not
 * exist (`-32601`). Handlers for extensions, methods that begin with `_`, get their params unchecked.
 *
 * @param side the side that the handlers serve, which answers calls of the other side
 * @throws TypeError for a handler of a method that this side sends itself, or that is neither in the contract nor an
 *   extension
 */
export function createRoutes(
  contract: Contract,
  side: "client" | "agent",
  handlers: Handlers,
): (method: string) => Route | undefined {
  const table = new Map<string, Route>();
  for (const [method, receive] of Object.entries(handlers)) {
    if (receive === undefined) continue;
    const row = Object.hasOwn(contract, method) ? contract[method] : undefined;
    if (row === undefined && !method.startsWith("_")) throw new TypeError(`${method} is not in the contract.`);
    const incoming = row?.from === side ? row.notification : row;
    if (row !== undefined && (incoming === undefined || incoming.from === side)) {
      throw new TypeError(`${method} is sent by the ${side}, which cannot handle it.`);
    }
    const route: Route = { receive: receive as Route["receive"] };
    table.set(method, incoming?.params === undefined ? route : { ...route, params: incoming.params });
  }
  return (method) => table.get(method);
}
