import * as v1 from "@turnkit/schema/v1";
import type { CallCodec, Calls } from "@turnkit/session";
import { v1Codec } from "@turnkit/session";
import { type Connection, createRoutes, type Handlers, type InboundCall, RpcError } from "@turnkit/transport";
import { createClientFiles } from "../client-tools/files.js";
import { createClientTerminals } from "../client-tools/terminals.js";
import type { TurnEnd } from "../prompt-job.js";
import type { ClientInfo, Dialogue, Service } from "./driver.js";

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
    const routes = createRoutes(v1.contract, "agent", handlers(service, client));
    return {
      client,
      contract: v1.contract,
      routes: (method) => routes(method) ?? service.extension(method),
      commandsInAnswers: false,
      createEncoder: (onLoss) => v1Codec.createEncoder(client.capabilities, onLoss),
      askPermission: (sessionId, question, signal) => askPermission(connection, { ...question, sessionId }, signal),
      files: (sessionId, signal) => createClientFiles(connection, client.capabilities, sessionId, signal),
      terminals: (sessionId, signal) =>
        client.capabilities.terminals ? createClientTerminals(connection, sessionId, signal) : undefined,
    };
  },
};

function handlers(service: Service, client: ClientInfo): Handlers {
  const { load, resume } = service.capabilities;

  /** A handler between wire shapes on the outside and neutral ones inside. */
  const serve = <K extends keyof Calls>(
    name: K,
    handle: (params: Calls[K]["params"], call: InboundCall) => Promise<Calls[K]["result"]>,
  ) => {
    const shape = codec(name);
    return async (params: object, call: InboundCall): Promise<object> =>
      shape.encodeResult(await handle(shape.decodeParams(params), call), client.capabilities);
  };

  const choose = (category: "mode" | "model") => async (params: Calls["setMode"]["params"], call: InboundCall) => {
    await service.setConfigOption({ ...params, category }, call);
    return {};
  };

  return {
    authenticate: serve("login", async ({ methodId }, call) => {
      await service.login(methodId, call.signal);
      return {};
    }),
    "session/new": serve("newSession", (params, call) => service.newSession(params, call)),
    "session/load": load
      ? serve("loadSession", (params, call) => service.restoreSession(params, true, call))
      : undefined,
    "session/resume": resume
      ? serve("resumeSession", (params, call) => service.restoreSession(params, false, call))
      : undefined,
    "session/close": (params: v1.CloseSessionRequest, call: InboundCall) =>
      service.closeSession(params.sessionId, call),
    "session/prompt": serve("prompt", async (params, call) => answerOf(await service.prompt(params, call))),
    "session/cancel": (params: v1.CancelNotification) => service.cancel(params.sessionId),
    "session/set_config_option": serve("setConfigOption", (params, call) => service.setConfigOption(params, call)),
    "session/set_mode": serve("setMode", choose("mode")),
    "session/set_model": serve("setModel", choose("model")),
  };
}

/** In version 1 the answer to the prompt is the end of the turn; a turn that failed is an error. */
function answerOf(end: TurnEnd): Calls["prompt"]["result"] {
  if ("error" in end) throw end.error;
  if (end.stopReason === "error") throw RpcError.internalError("the turn failed");
  return end;
}

function codec<K extends keyof Calls>(name: K): CallCodec<Calls[K]> {
  return v1Codec.call(name) as CallCodec<Calls[K]>;
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
