import { sessionId } from "../both/session-id.js";
import { firstOf, type Infer, integer, nullable, object, type Schema, string } from "../vocabulary.js";

// V1-RPC-02
/** Names a request of one side. `1` and `"1"` are two ids; `0`, `""` and null are ids like others. */
export type RequestId = string | number | null;
/** Validates a {@link RequestId}. */
export const requestId: Schema<RequestId> = nullable(firstOf(string(), integer()));

const cancelNotification_ = object({
  /** The session whose turn is to stop. */
  sessionId,
});
// V1-CANCEL-01, V1-CANCEL-06
/** Params of `session/cancel`: the turn is to stop. What confirms it is the answer to the prompt. */
export interface CancelNotification extends Infer<typeof cancelNotification_> {}
/** Validates a {@link CancelNotification}. */
export const cancelNotification: Schema<CancelNotification> = cancelNotification_;

const cancelRequestNotification_ = object({
  /** The request that its sender does not need any more. */
  requestId,
});
// V1-CANCEL-13, V1-CANCEL-15
/** Params of `$/cancel_request`, from the side that sent the request. The request is answered all the same. */
export interface CancelRequestNotification extends Infer<typeof cancelRequestNotification_> {}
/** Validates a {@link CancelRequestNotification}. */
export const cancelRequestNotification: Schema<CancelRequestNotification> = cancelRequestNotification_;
