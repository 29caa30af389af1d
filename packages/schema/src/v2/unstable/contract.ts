import { bothContract } from "../../both/unstable/contract.js";
import * as both from "../../both/unstable/session.js";
import {
  type Contract,
  type ContractParams,
  type ContractPart,
  type ContractResult,
  joinContracts,
} from "../../contract.js";
import type { contract } from "../contract.js";
import { initializeRequest } from "../initialize.js";
import * as stable from "../session.js";
import * as initialize from "./initialize.js";
import * as session from "./session.js";
import * as update from "./update.js";

/**
 * Methods that the unstable part of version 2 adds, and methods whose params or result it extends. To use them, join
 * both contracts: `{ ...contract, ...unstableContract }`.
 */
export const unstableContract = /* @__PURE__ */ joinContracts(bothContract, {
  initialize: {
    from: "client",
    scope: "connection",
    params: initializeRequest,
    result: initialize.initializeResponse,
  },
  "session/new": {
    from: "client",
    scope: "connection",
    params: session.newSessionRequest,
    result: stable.newSessionResponse,
  },
  "session/resume": {
    from: "client",
    scope: "session",
    params: session.resumeSessionRequest,
    result: stable.resumeSessionResponse,
  },
  "session/fork": {
    from: "client",
    scope: "session",
    params: session.forkSessionRequest,
    result: session.forkSessionResponse,
  },
  "session/list": {
    from: "client",
    scope: "connection",
    params: session.listSessionsRequest,
    result: session.listSessionsResponse,
  },
  "session/status": {
    from: "client",
    scope: "session",
    params: both.sessionStatusRequest,
    result: session.sessionStatusResponse,
  },
  "session/update": { from: "agent", scope: "session", params: update.updateSessionNotification },
} as const satisfies ContractPart) satisfies Contract;

type Merged = Omit<typeof contract, keyof typeof unstableContract> & typeof unstableContract;

/** Name of a method of this version, including unstable methods. */
export type Method = keyof Merged;
/** Params of a method. */
export type ParamsOf<M extends Method> = ContractParams<Merged, M>;
/** Result of a method. The type is `never` for a notification. */
export type ResultOf<M extends Method> = ContractResult<Merged, M>;
