import { type Infer, object, optional, type Schema, string, unknown } from "../../vocabulary.js";

/** Params in the form of JSON-RPC. This type restricts only sent messages, because the schema accepts any value. */
type WrappedParams = { readonly [name: string]: unknown } | readonly unknown[] | null;

const wrapped_ = object({
  /** Method of the inner message. */
  method: string(),
  /** Params, which are an object or an array. `null` means the same as absent. */
  params: optional(unknown() as Schema<WrappedParams>),
});
/** Params of the request `proxy/successor`, which contains a request to the successor or from the successor. */
export interface ProxySuccessorRequest extends Infer<typeof wrapped_> {}
/** Validates a {@link ProxySuccessorRequest}. */
export const proxySuccessorRequest: Schema<ProxySuccessorRequest> = wrapped_;

/**
 * Params of the notification `proxy/successor`, which contains a notification to the successor or from the successor.
 */
export interface ProxySuccessorNotification extends Infer<typeof wrapped_> {}
/** Validates a {@link ProxySuccessorNotification}. */
export const proxySuccessorNotification: Schema<ProxySuccessorNotification> = wrapped_;

/** Result of `proxy/successor`, which is the result of the inner request and may be any JSON. */
export type ProxySuccessorResponse = unknown;
/** Validates a {@link ProxySuccessorResponse}. Any value is valid. */
export const proxySuccessorResponse: Schema<ProxySuccessorResponse> = unknown();
