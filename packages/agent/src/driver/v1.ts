import { v1Codec } from "@turnkit/session";
import type { Calls, CallCodec, ClientCapabilities } from "@turnkit/session";
import * as v1 from "@turnkit/schema/v1";
import { type Connection, createRoutes, type InboundCall, RpcError } from "@turnkit/transport";
import { createClientFiles } from "../client-tools/files.js";
import { createClientTerminals } from "../client-tools/terminals.js";
import type { TurnEnd } from "../turn-queue.js";
import type { ClientInfo, Dialogue, Driver, Service } from "./driver.js";

/** Version 1 of the protocol, as an agent speaks it. */
export const v1Dialogue: Dialogue = {
  version: 1,
  readHello(params) {
    const result = v1.initializeRequest["~standard"].validate(params);
    if (result instanceof Promise || result.issues) throw RpcError.invalidParams("initialize needs a protocolVersion");
    return codec("initialize").decodeParams(result.value);
  },
  answerHello(answer, client) {
    const authMethods = answer.authMethods.filter(
      ({ type }) => type !== "terminal" || client.capabilities.terminalLogin,
    );
    return codec("initialize").encodeResult({ ...answer, authMethods, protocolVersion: 1 });
  },
  createDriver(connection, service, hello) {
    const client: ClientInfo = { dialect: "v1", info: hello.info, capabilities: hello.capabilities };
    const routes = createRoutes(v1.contract, "agent", handlers(service));
    return {
      client,
      contract: v1.contract,
      routes: (method) => routes(method) ?? service.extension(method),
      createEncoder: (onLoss) => v1Codec.createEncoder(client.capabilities, onLoss),
      askPermission: (sessionId, question, signal) => askPermission(connection, { ...question, sessionId }, signal),
      files: (sessionId, signal) => createClientFiles(connection, client.capabilities, sessionId, signal),
      terminals: (sessionId, signal, over) =>
        client.capabilities.terminals ? createClientTerminals(connection, sessionId, signal, over) : undefined,
    };
  },
};

function handlers(service: Service) {
  const { capabilities } = service;
  return {
    authenticate: async (params: v1.AuthenticateRequest, call: InboundCall) => {
      await service.login(params.methodId, call.signal);
    },
    "session/new": serve("newSession", (params, call) => service.newSession(params, call)),
    "session/load": capabilities.load
      ? serve("loadSession", (params, call) => service.restoreSession(params, true, call))
      : undefined,
    "session/resume": capabilities.resume
      ? serve("loadSession", (params, call) => service.restoreSession(params, false, call))
      : undefined,
    "session/close": (params: v1.CloseSessionRequest, call: InboundCall) =>
      service.closeSession(params.sessionId, call),
    "session/prompt": serve("prompt", async (params, call) => endOf(await service.prompt(params, call))),
    "session/cancel": (params: v1.CancelNotification) => service.cancel(params.sessionId),
    "session/set_config_option": serve("setConfigOption", (params, call) => service.setConfigOption(params, call)),
    "session/set_mode": serve("setMode", (params, call) => setByCategory(service, "mode", params, call)),
    "session/set_model": serve("setModel", (params, call) => setByCategory(service, "model", params, call)),
  };
}

/** A handler between wire shapes on the outside and neutral ones inside. */
function serve<K extends keyof Calls>(
  name: K,
  handle: (params: Calls[K]["params"], call: InboundCall) => Promise<Calls[K]["result"]>,
): (params: object, call: InboundCall) => Promise<object> {
  const shape = codec(name);
  return async (params, call) => shape.encodeResult(await handle(shape.decodeParams(params), call));
}

function codec<K extends keyof Calls>(name: K): CallCodec<Calls[K]> {
  return v1Codec.call(name) as CallCodec<Calls[K]>;
}

/** In version 1 the answer to the prompt is the end of the turn. */
function endOf(end: TurnEnd): Calls["prompt"]["result"] {
  if ("error" in end) throw end.error;
  return end;
}

async function setByCategory(
  service: Service,
  category: "mode" | "model",
  { sessionId, value }: { readonly sessionId: string; readonly value: string },
  call: InboundCall,
): Promise<object> {
  await service.setConfigOption({ sessionId, configId: service.optionOf(sessionId, category), value }, call);
  return {};
}

async function askPermission(
  connection: Connection,
  question: Calls["askPermission"]["params"],
  signal: AbortSignal,
): Promise<Calls["askPermission"]["result"]["outcome"]> {
  const shape = codec("askPermission");
  const wire = await connection.request<object>(shape.method, shape.encodeParams(question), {
    result: v1.requestPermissionResponse,
    signal,
    onAbort: "abandon",
  });
  return shape.decodeResult(wire).outcome;
}
