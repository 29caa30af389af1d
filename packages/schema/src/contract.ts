import type { Infer, Schema } from "./schema.js";

/** Side that sends a message. */
export type Sender = "client" | "agent" | "both";

/**
 * Destination of a message: the session that `params.sessionId` names, or the connection. A message of scope `session`
 * without `sessionId` belongs to the connection. The only such message is an elicitation about a request.
 */
export type Scope = "session" | "connection";

/** One method as data. Without a `result` it is a notification. */
export interface ContractRow {
  /** Side that sends it. */
  readonly from: Sender;
  /** Destination of the message. */
  readonly scope: Scope;
  /** Schema of its params. */
  readonly params: Schema;
  /** Schema of its result. */
  readonly result?: Schema;
  /** Notification of the same name as the request: its sender, and the schema of its params. */
  readonly notification?: { readonly from: Sender; readonly params: Schema };
}

/** The methods of one protocol version, by name. A method that is not in it does not exist. */
export type Contract = Readonly<Record<string, ContractRow>>;

/** The part of a contract that one side reads: `result` of requests that it sends, `params` of all others. */
export type ContractPart = Readonly<Record<string, Pick<ContractRow, "from" | "scope"> & Partial<ContractRow>>>;

type Joined<A, B> = {
  readonly [M in keyof A | keyof B]: (M extends keyof A ? A[M] : unknown) & (M extends keyof B ? B[M] : unknown);
};

/** Joins the parts of both sides to the whole contract. */
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

/** Result of a method of a contract; `never` for a notification. */
export type ContractResult<C, M extends keyof C> = C[M] extends { readonly result: infer S extends Schema }
  ? Infer<S>
  : never;
