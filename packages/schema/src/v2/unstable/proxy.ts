import type { Contract } from "../../contract.js";
import { type Infer, object, optional, type Schema, string, unknown } from "../../vocabulary.js";
import { type InitializeRequest, initializeRequest } from "../initialize.js";
import { type InitializeResponse, initializeResponse } from "./initialize.js";

// V2-EXT-09
/** Params of `proxy/initialize`: `initialize` for a component that has a successor. */
export type InitializeProxyRequest = InitializeRequest;
/** Validates an {@link InitializeProxyRequest}. */
export const initializeProxyRequest: Schema<InitializeProxyRequest> = initializeRequest;

/** Result of `proxy/initialize`: the capabilities of the chain from this component on. */
export type InitializeProxyResponse = InitializeResponse;
/** Validates an {@link InitializeProxyResponse}. */
export const initializeProxyResponse: Schema<InitializeProxyResponse> = initializeResponse;

/** Params as JSON-RPC has them. The protocol's schema accepts any value, so this type restricts writing only. */
type WrappedParams = { readonly [name: string]: unknown } | readonly unknown[] | null;

const wrapped_ = object({
  /** The method of the message inside. */
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

/** Result of `proxy/successor`: the result of the request inside, any JSON. */
export type ProxySuccessorResponse = unknown;
/** Validates a {@link ProxySuccessorResponse}: it takes everything. */
export const proxySuccessorResponse: Schema<ProxySuccessorResponse> = unknown();

// V2-EXT-09
/** Methods between a conductor, in the client's place, and a proxy. Agents and clients have none of them. */
export const proxyContract = {
  "proxy/initialize": {
    from: "client",
    scope: "connection",
    params: initializeProxyRequest,
    result: initializeProxyResponse,
  },
  "proxy/successor": {
    from: "both",
    scope: "connection",
    params: proxySuccessorRequest,
    result: proxySuccessorResponse,
    notification: { from: "both", params: proxySuccessorNotification },
  },
} as const satisfies Contract;
