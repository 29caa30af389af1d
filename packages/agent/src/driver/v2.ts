import * as v2 from "@turnkit/schema/v2";
import type { SessionPlace, WireEvent } from "@turnkit/session";
import { v2AgentCodec, wireHandlers } from "@turnkit/session/codec";
import { createRoutes, type InboundCall, isRpcError, RpcError } from "@turnkit/transport";
import { askPermission, type CallHandlers, commonCalls, elicit, shapeOf, withoutSse } from "./calls.js";
import type { Dialect, Driver, DriverParts, DriverSession, Service } from "./driver.js";
import { describeEnd } from "./turns-by-answer.js";

/** Version 2 of the protocol as its draft stands now, as an agent speaks it. */
export const v2Dialect: Dialect = {
  dialect: "v2",
  version: 2,
  since: "2026-08",
  // Older drafts of version 2 did not know `info` (V2-SEED-20).
  fits: (params) => "info" in params,
  readHello(params, asked) {
    const checked = v2.initializeRequest["~standard"].validate(params);
    const malformed = checked instanceof Promise || checked.issues !== undefined;
    if (malformed && asked) throw RpcError.invalidParams("initialize needs protocolVersion and info");
    // A client of a later version may say everything otherwise (V2-INIT-11).
    return shapeOf(v2AgentCodec.answer("initialize")).decodeParams(malformed ? params : checked.value);
  },
  mayRepeat: ({ requested }) => !requested,
  answerHello(answer, client) {
    const authMethods = answer.authMethods.filter(
      ({ type }) => type !== "terminal" || client.capabilities.terminalLogin,
    );
    return shapeOf(v2AgentCodec.answer("initialize")).encodeResult({ ...answer, authMethods, protocolVersion: 2 });
  },
  createDriver,
};

function createDriver({ connection, service, client, onLoss }: DriverParts): Driver {
  const asking = { connection, codec: v2AgentCodec, onLoss };
  const handlers = wireHandlers(v2AgentCodec, v2Calls(service), { peer: client.capabilities, onLoss });
  const routes = createRoutes(v2.agentContract, "agent", {
    ...handlers,
    "session/cancel": (params: v2.CancelSessionNotification) => service.cancel(params.sessionId),
  });
  return {
    client,
    offers: withoutSse(service.capabilities),
    routes,
    nullIds: false,
    commandsInAnswers: true,
    createEncoder: (lost) => v2AgentCodec.createEncoder(client.capabilities, lost),
    repeatsContents: false,
    ...turnsByState,
    askPermission: (sessionId, question, signal) =>
      askPermission({ ...asking, signal, result: v2.requestPermissionResponse }, { ...question, sessionId }),
    elicit: (question, signal) => elicit({ ...asking, signal, result: v2.createElicitationResponse }, question),
    completeElicitation: (elicitationId) => void connection.notify("elicitation/complete", { elicitationId }),
    files: () => undefined,
    terminals: () => undefined,
  };
}

/** Updates say what a session is doing: every one is a whole snapshot, background work included (V2-BG-02). */
const turnsByState: Pick<Driver, "begin" | "end" | "waiting" | "backgroundChanged" | "restored"> = {
  begin(session, { messageId, prompt }) {
    for (const event of v2AgentCodec.turns.begun({ messageId, content: prompt })) tell(session, event);
  },
  end: (session, _messageId, end) => tell(session, v2AgentCodec.turns.ended(describeEnd(end))),
  waiting: (session, forUser) => tell(session, v2AgentCodec.turns.waiting(forUser)),
  backgroundChanged: (session) => tell(session, v2AgentCodec.turns.unchanged(session.state)),
  restored: (session) => tell(session, v2AgentCodec.turns.unchanged(session.state)),
};

function tell(session: DriverSession, event: WireEvent): void {
  const { background } = session;
  session.tell(background && event.type === "state_update" ? { ...event, background } : event);
}

function v2Calls(service: Service): CallHandlers {
  const { closeSession, ...common } = commonCalls(service);
  return {
    ...common,
    async newSession(params, call) {
      checkServerNames(params);
      return service.newSession(params, call);
    },
    listSessions: (params, call) => service.listSessions(params, call),
    async cancelToolCall(params) {
      service.cancelToolCall(params);
      return {};
    },
    async cancelTerminal(params) {
      service.cancelTerminal(params);
      return {};
    },
    async closeSession(params, call) {
      try {
        return (await closeSession?.(params, call)) ?? {};
      } catch (error) {
        // It is closed, which is what was asked for (V2-SES-18).
        if (isRpcError(error, -32002)) return {};
        throw error;
      }
    },
    async resumeSession({ replayFrom, ...params }, call) {
      if (replayFrom != null && replayFrom.type !== "start") {
        throw RpcError.invalidParams(`a replay from ${replayFrom.type} is not supported`);
      }
      checkServerNames(params);
      const { sessionId } = params;
      // Version 2 has the method always; an agent that restores nothing has nothing to resume.
      if (!service.capabilities.resume) throw RpcError.resourceNotFound({ sessionId });
      return service.restoreSession({ ...params, replay: replayFrom != null }, call);
    },
    prompt: (params, call) => prompt(service, params, call),
  };
}

/** The answer says that the message is part of the conversation; what comes of it is told by updates. */
async function prompt(service: Service, params: Parameters<Service["prompt"]>[0], call: InboundCall) {
  const receipt = service.prompt(params, call);
  call.onAbort(() => receipt.withdraw());
  call.afterResponse(() => receipt.proceed());
  void receipt.ended.then(() => receipt.told());
  const messageId = await receipt.inserted;
  if (messageId !== undefined) return { messageId };
  const end = await receipt.ended;
  throw "error" in end ? end.error : RpcError.requestCancelled();
}

/** @throws RpcError `-32602` where two servers have one name (V2-MCP-03) */
function checkServerNames({ mcpServers = [] }: SessionPlace): void {
  const names = new Set<string>();
  for (const { name } of mcpServers) {
    if (names.has(name)) throw RpcError.invalidParams("MCP servers have names of their own", { name });
    names.add(name);
  }
}
