import * as v1 from "@turnkit/schema/v1";
import { type Asking, type Calls, v1ClientCodec } from "@turnkit/session/codec";
import { type Contract, checkIncoming, InvalidMessageError } from "@turnkit/transport";
import { agentRoutes } from "./agent-routes.js";
import type { Dialect } from "./driver.js";
import { hears, reads, readsOrNull } from "./read-contract.js";
import { TurnDriver } from "./turn-driver.js";

/** What a client reads of version 1, beside what its files, terminals and elicitations bring. */
const contract: Contract = {
  authenticate: readsOrNull(v1.authenticateResponse),
  logout: readsOrNull(v1.logoutResponse),
  "session/new": reads(v1.newSessionResponse),
  "session/load": readsOrNull(v1.loadSessionResponse),
  "session/resume": readsOrNull(v1.resumeSessionResponse),
  "session/list": reads(v1.listSessionsResponse),
  "session/close": readsOrNull(v1.closeSessionResponse),
  "session/delete": readsOrNull(v1.deleteSessionResponse),
  "session/prompt": reads(v1.promptResponse),
  "session/set_mode": readsOrNull(v1.setSessionModeResponse),
  "session/set_config_option": reads(v1.setSessionConfigOptionResponse),
  "session/set_model": readsOrNull(v1.setSessionModelResponse),
  "session/update": hears(v1.sessionNotification),
  "session/request_permission": hears(v1.requestPermissionRequest),
};
const initialize = /* @__PURE__ */ v1ClientCodec.ask("initialize") as Asking<Calls["initialize"]>;

/** Version 1 of the protocol, as a client speaks it. */
export const v1Dialect: Dialect = {
  dialect: "v1",
  version: 1,
  since: "2025-09",
  hello: (introduction) => initialize.encodeParams({ protocolVersion: 1, ...introduction }),
  dialectOf: () => "v1",
  createDriver(connection, desk, answer) {
    const checked = checkIncoming(v1.initializeResponse, answer);
    if ("issues" in checked) throw new InvalidMessageError("initialize", "result", checked.issues);
    const { info, capabilities, authMethods } = initialize.decodeResult(checked.value);
    // Hosts that are absent have no routes (V1-INIT-18).
    const hosts = { ...desk.files?.fileRoutes(desk), ...desk.terminals?.terminalRoutes(desk) };
    const routes = agentRoutes(desk, contract, v1ClientCodec, hosts);
    const peer = { dialect: "v1", info, capabilities, authMethods } as const;
    return new TurnDriver({ connection, peer, codec: v1ClientCodec, contract, routes });
  },
};
