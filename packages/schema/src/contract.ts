import type { Infer, Schema } from "./schema.js";

/** Side of the connection that sends a message. */
export type Sender = "client" | "agent" | "both";

/**
 * Destination of a message. It is the connection, or the session with the id `params.sessionId`. If a message of the
 * scope `session` has no `sessionId`, it belongs to the connection. The only such message is an elicitation about a
 * request.
 */
export type Scope = "session" | "connection";

/** Method as data. A method without a `result` is a notification. */
export interface ContractRow {
  /** Side that sends the message. */
  readonly from: Sender;
  /** Destination of the message. */
  readonly scope: Scope;
  /** Schema of the params. */
  readonly params: Schema;
  /** Schema of the result. */
  readonly result?: Schema;
  /** Notification with the same name as the request. It has a sender and a schema of its params. */
  readonly notification?: { readonly from: Sender; readonly params: Schema };
}

/** Methods of one protocol version, by name. A name that is not in the contract is an unknown method. */
export type Contract = Readonly<Record<string, ContractRow>>;

/**
 * Part of a contract that one side needs for reading: `result` of its own requests, and `params` of received messages.
 */
export type ContractPart = Readonly<Record<string, Pick<ContractRow, "from" | "scope"> & Partial<ContractRow>>>;

type Joined<A, B> = {
  readonly [M in keyof A | keyof B]: (M extends keyof A ? A[M] : unknown) & (M extends keyof B ? B[M] : unknown);
};

/** Joins the parts of both sides into the whole contract. */
// @__NO_SIDE_EFFECTS__
export function joinContracts<A extends ContractPart, B extends ContractPart>(one: A, other: B): Joined<A, B> {
  const whole: Record<string, object> = { ...one };
  for (const [method, row] of Object.entries(other)) whole[method] = { ...whole[method], ...row };
  return whole as Joined<A, B>;
}

/** Params of a method of a contract. */
export type ContractParams<C, M extends keyof C> = C[M] extends { readonly params: infer S extends Schema }
  ? Infer<S>
  : never;

/** Result of a method of a contract. The type is `never` for a notification. */
export type ContractResult<C, M extends keyof C> = C[M] extends { readonly result: infer S extends Schema }
  ? Infer<S>
  : never;
