import type { Schema } from "./schema.js";

/** Which side sends a message. */
export type Sender = "client" | "agent" | "both";

/**
 * Where a message belongs: to the session that `params.sessionId` names, or to the connection. A message of scope
 * `session` without that member (only an elicitation about a request has none) belongs to the connection too.
 */
export type Scope = "session" | "connection";

/** One method as data. Without a `result` it is a notification. */
export interface ContractRow {
  /** Who sends it. */
  readonly from: Sender;
  /** Where it belongs. */
  readonly scope: Scope;
  /** Validates its params. */
  readonly params: Schema;
  /** Validates its result. */
  readonly result?: Schema;
  /** There is a notification of this name besides the request: who sends it, and what validates its params. */
  readonly notification?: { readonly from: Sender; readonly params: Schema };
}

/** The methods of one protocol version, by name. A method that is not there does not exist. */
export type Contract = Readonly<Record<string, ContractRow>>;
