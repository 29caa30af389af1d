import {
  proxySuccessorNotification,
  proxySuccessorRequest,
  proxySuccessorResponse,
} from "../../both/unstable/proxy.js";
import type { Contract } from "../../contract.js";
import type { Schema } from "../../vocabulary.js";
import { type InitializeRequest, initializeRequest } from "../initialize.js";
import { type InitializeResponse, initializeResponse } from "./initialize.js";

// V2-EXT-09
/** Params of `proxy/initialize`. They are the params of `initialize`, for a component that has a successor. */
export type InitializeProxyRequest = InitializeRequest;
/** Validates an {@link InitializeProxyRequest}. */
export const initializeProxyRequest: Schema<InitializeProxyRequest> = initializeRequest;

/** Result of `proxy/initialize`, with the capabilities of this component and all components after it. */
export type InitializeProxyResponse = InitializeResponse;
/** Validates an {@link InitializeProxyResponse}. */
export const initializeProxyResponse: Schema<InitializeProxyResponse> = initializeResponse;

// V2-EXT-09
/**
 * Methods between a conductor, which replaces the client, and a proxy. Agents and clients do not have these methods.
 */
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
