import type { InboundCall } from "./inbound-request.js";
import type { StandardSchemaV1 } from "./standard-schema.js";

/** What happens with one method of the peer. */
// biome-ignore lint/suspicious/noExplicitAny: routes of many param types live in one table; each checks its own.
export type Route<P = any> = {
  /** Checks the params; absent: they are taken as they come. Synchronous validators only. */
  readonly params?: StandardSchemaV1<unknown, P>;
  /**
   * Runs at receipt, before the next message is looked at. For a request, what it returns is the result, or a promise
   * of it; throw an `RpcError` to answer with it. What it returns for a notification is ignored.
   */
  receive(params: P, call: InboundCall): unknown;
};

/** One method of a protocol. */
export type ContractRow = {
  readonly from: "client" | "agent" | "both";
  readonly scope: "session" | "connection";
  /** Absent: they are not checked. A side needs no schema for what it sends itself. */
  readonly params?: StandardSchemaV1;
  /** Absent: a notification, or a request whose result is not checked. */
  readonly result?: StandardSchemaV1;
  /** Where the other side, or both, send a notification of the same name. */
  readonly notification?: { readonly from: "client" | "agent" | "both"; readonly params?: StandardSchemaV1 };
};

/** The methods of one version of a protocol, as data. */
export type Contract = Readonly<Record<string, ContractRow>>;

/** What one side does with the methods of its peer, by method name. */
export type Handlers = Readonly<Record<string, ((params: never, call: InboundCall) => unknown) | undefined>>;

/**
 * Joins a contract and handlers to a route table: params are checked by the contract, and what has no handler does not
 * exist (`-32601`). Handlers for methods outside the contract (extensions, which begin with `_`) get their params
 * unchecked.
 *
 * @param side the side that the handlers serve; they answer what the other side may call
 * @throws TypeError for a handler of a method that this side sends itself, or that neither the contract has nor `_` marks
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
