import * as v1 from "@turnkit/schema/v1";
import { type CallCodec, type Calls, v1Codec } from "@turnkit/session";
import { createRoutes, type InboundCall, type Route } from "@turnkit/transport";
import { fileRoutes } from "../host/file-routes.js";
import { terminalRoutes } from "../host/terminal-routes.js";
import type { Desk } from "./driver.js";

/** What a version 1 agent may call; hosts that are absent have no routes (V1-INIT-18). */
export function v1Routes(desk: Desk): (method: string) => Route | undefined {
  const permission = v1Codec.call("askPermission") as CallCodec<Calls["askPermission"]>;
  const routes = createRoutes(v1.contract, "client", {
    "session/update": ({ sessionId, update }: v1.SessionNotification, call: InboundCall) =>
      desk.update(sessionId, v1Codec.decode(update), call.bytes),
    "session/request_permission": async (params: v1.RequestPermissionRequest, call: InboundCall) => {
      const { sessionId, ...question } = permission.decodeParams(params);
      return permission.encodeResult({ outcome: await desk.ask(sessionId, question, call) });
    },
    ...fileRoutes(desk),
    ...terminalRoutes(desk),
  });
  return (method) => routes(method) ?? desk.extension(method);
}
