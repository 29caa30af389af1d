import { type Infer, object, optional, type Schema, string, unknown } from "../../vocabulary.js";

/** Params in the form of JSON-RPC. This type restricts only sent messages, since the schema accepts any value. */
type WrappedParams = { readonly [name: string]: unknown } | readonly unknown[] | null;

const wrapped_ = object({
  /** The method of the inner message. */
  method: string(),
  /** Params, an object or array; null means the same as absent. */
  params: optional(unknown() as Schema<WrappedParams>),
});
/** Params of the request `proxy/successor`: a request to the successor, or from it. */
export interface ProxySuccessorRequest extends Infer<typeof wrapped_> {}
/** Validates a {@link ProxySuccessorRequest}. */
export const proxySuccessorRequest: Schema<ProxySuccessorRequest> = wrapped_;

/** Params of the notification `proxy/successor`: a notification to the successor, or from it. */
export interface ProxySuccessorNotification extends Infer<typeof wrapped_> {}
/** Validates a {@link ProxySuccessorNotification}. */
export const proxySuccessorNotification: Schema<ProxySuccessorNotification> = wrapped_;

/** Result of `proxy/successor`: the result of the inner request, any JSON. */
export type ProxySuccessorResponse = unknown;
/** Validates a {@link ProxySuccessorResponse}: it takes everything. */
export const proxySuccessorResponse: Schema<ProxySuccessorResponse> = unknown();
