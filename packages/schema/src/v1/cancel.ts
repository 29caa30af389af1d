import { sessionId } from "../both/identifiers.js";
import { firstOf, type Infer, integer, nullable, object, type Schema, string } from "../vocabulary.js";

// V1-RPC-02
/** Identifier of a request of one side. `1` and `"1"` are different ids. `0`, `""` and null are valid ids. */
export type RequestId = string | number | null;
/** Validates a {@link RequestId}. */
export const requestId: Schema<RequestId> = nullable(firstOf(string(), integer()));

const cancelNotification_ = object({
  /** Session whose turn is cancelled. */
  sessionId,
});
// V1-CANCEL-01, V1-CANCEL-06
/** Params of `session/cancel`, which cancels the turn. The answer to the prompt confirms the cancel. */
export interface CancelNotification extends Infer<typeof cancelNotification_> {}
/** Validates a {@link CancelNotification}. */
export const cancelNotification: Schema<CancelNotification> = cancelNotification_;

const cancelRequestNotification_ = object({
  /** Request that its sender no longer needs. */
  requestId,
});
// V1-CANCEL-13, V1-CANCEL-15
/** Params of `$/cancel_request`. The side that sent the request sends it. The request is still answered. */
export interface CancelRequestNotification extends Infer<typeof cancelRequestNotification_> {}
/** Validates a {@link CancelRequestNotification}. */
export const cancelRequestNotification: Schema<CancelRequestNotification> = cancelRequestNotification_;
