import type { ErrorObject, SessionEvent } from "@turnkit/session";
import type { Calls } from "@turnkit/session/codec";
import { type Diagnostic, isRpcError, type RequestSignal, rpcErrorCode, toRpcError } from "@turnkit/transport";
import type { Call, EndOrFailure, PromptTurn, TurnSession } from "./dialect-rules.js";

/** Handlers of the answer to a prompt. They run at the receipt of the answer, and only while the turn is open. */
export type PromptAnswer = {
  answered(result: Calls["prompt"]["result"]): void;
  failed(failure: FailedTurn): void;
  readonly signal?: RequestSignal;
};

/** Result of a failed prompt, for the session and for callers that await the turn. */
export type FailedTurn = {
  /** Error from the agent's answer, or from the client. */
  readonly error: ErrorObject;
  readonly event: Pick<SessionEvent & { type: "turn_ended" }, "stopReason" | "error">;
  readonly end: EndOrFailure;
};

/** Error of a prompt that this side cancelled before the agent accepted it. */
export const GIVEN_UP = { code: -32800, message: "The session was closed before the agent accepted the prompt." };

type KeySource = {
  readonly driver: { readonly dialect: { readonly hasPromptKeys: boolean } };
  readonly options: { readonly promptKeys?: boolean };
};

type Keyed = { readonly idempotencyKey?: string };

/** Returns true if the prompts of a connection have keys. */
// P-IDEM-13
export const hasKeys = ({ driver, options }: KeySource): boolean =>
  driver.dialect.hasPromptKeys && options.promptKeys !== false;

/**
 * Returns the key of a prompt, if the prompt has one. A random key is made when the user submits the prompt, once for all
 * attempts. Reports a key that is not sent.
 */
// P-IDEM-03
export function keyForPrompt(
  source: KeySource & { readonly report: (diagnostic: Diagnostic) => void },
  { idempotencyKey }: Keyed,
): Keyed {
  if (hasKeys(source)) return { idempotencyKey: idempotencyKey ?? crypto.randomUUID() };
  if (idempotencyKey === undefined) return {};
  const why =
    "this connection sends no keys (client.sendsPromptKeys is false), so a prompt that is sent twice may run twice";
  source.report({ code: "unused_option", message: `The option idempotencyKey of prompt is not used: ${why}.` });
  return {};
}

/** Sends the prompt of a turn, then publishes it. */
export function sendPrompt(
  call: Call,
  { session, turn }: { readonly session: TurnSession; readonly turn: PromptTurn },
  { answered, failed, signal }: PromptAnswer,
): void {
  const { promptId, message } = turn;
  const fail = (failure: unknown) => {
    if (!turn.isOver) failed(failedTurn(failure));
  };
  // Sent before listeners get the prompt. A listener may cancel the turn, and the cancel must follow the prompt.
  const request = call(
    "prompt",
    { sessionId: session.sessionId, ...message },
    {
      received: (result) => {
        if (!turn.isOver) answered(result);
      },
      failed: fail,
      signal,
    },
  );
  const { prompt: content, idempotencyKey: key } = message;
  session.publish({ type: "prompt_sent", promptId, content, ...(key !== undefined && { idempotencyKey: key }) });
  // If the request was refused before it was sent, neither callback is called.
  request.catch(fail);
}

/** Returns an end for an error answer of the agent, and a failure for an error of the client. */
function failedTurn(failure: unknown): FailedTurn {
  const { code, message, data } = toRpcError(failure);
  const error = { code, message, ...(data !== undefined && { data }) };
  // A cancelled prompt is not a failure (V1-ERR-04, V2-ERR-02). In version 1, agents should not use this error
  // (V1-CANCEL-07).
  if (isRpcError(failure, rpcErrorCode.requestCancelled)) {
    return { error, event: { stopReason: "cancelled" }, end: { stopReason: "cancelled", agentConfirmed: true } };
  }
  const end: EndOrFailure = isRpcError(failure) ? { stopReason: "error", error, agentConfirmed: true } : { failure };
  return { error, event: { stopReason: "error", error }, end };
}
