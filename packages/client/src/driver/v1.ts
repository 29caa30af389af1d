import * as v1 from "@turnkit/schema/v1";
import { type Asking, type Calls, v1ClientCodec } from "@turnkit/session/codec";
import { checkIncoming, InvalidMessageError } from "@turnkit/transport";
import { fileRoutes } from "../host/file-routes.js";
import { terminalRoutes } from "../host/terminal-routes.js";
import { agentRoutes } from "./agent-routes.js";
import type { Dialogue } from "./driver.js";
import { TurnDriver } from "./turn-driver.js";

const contract = v1.clientContract;
const initialize = /* @__PURE__ */ v1ClientCodec.ask("initialize") as Asking<Calls["initialize"]>;

/** Version 1 of the protocol, as a client speaks it. */
export const v1Dialect: Dialogue = {
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
    const routes = agentRoutes(desk, contract, v1ClientCodec, { ...fileRoutes(desk), ...terminalRoutes(desk) });
    const peer = { dialect: "v1", info, capabilities, authMethods } as const;
    return new TurnDriver({ connection, peer, codec: v1ClientCodec, contract, routes });
  },
};
