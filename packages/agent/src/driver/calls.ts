import type { AgentCapabilities, AuthMethod, DialectName, PermissionOutcome } from "@turnkit/session";
import type { AgentCodec, Calls, CallHandlers as SessionCallHandlers } from "@turnkit/session/codec";
import type { Connection, InboundCall, StandardSchemaV1 } from "@turnkit/transport";
import { RpcError } from "@turnkit/transport";
import type { ClientInfo } from "../client-info.js";
import { describeEnd, type TurnEnd } from "../turn-end.js";
import type { Driver, DriverParts, Service } from "./driver.js";

/** Handlers of a client's calls, in the neutral form. */
export type CallHandlers = SessionCallHandlers<InboundCall>;

/** Returns the shape of a call that every dialect has. */
export function shapeOf<T>(shape: T | undefined): T {
  if (shape === undefined) throw new TypeError("The dialect has no such call.");
  return shape;
}

// V2-MCP-02
/** Returns capabilities without MCP servers over SSE, which only version 1 has. */
export function withoutSse(capabilities: AgentCapabilities): AgentCapabilities {
  return { ...capabilities, mcp: { ...capabilities.mcp, sse: false } };
}

/** Returns the login methods that a client can run: those of type `terminal` need its support. */
export function usableMethods(methods: readonly AuthMethod[], client: ClientInfo): readonly AuthMethod[] {
  return methods.filter(({ type }) => type !== "terminal" || client.capabilities.terminalLogin);
}

/** Returns the calls that are the same in every dialect. */
export function commonCalls(service: Service): CallHandlers {
  const { capabilities } = service;
  return {
    login: ({ methodId }, call) => done(service.login(methodId, call)),
    ...(capabilities.logout && { logout: (_params, call) => done(service.logout(call.signal)) }),
    newSession: (params, call) => service.newSession(params, call),
    closeSession: ({ sessionId }, call) => done(service.closeSession(sessionId, call)),
    ...(capabilities.delete && {
      deleteSession: ({ sessionId }, call) => done(service.deleteSession(sessionId, call)),
    }),
    setConfigOption: (params, call) => service.setConfigOption(params, call),
  };
}

/** Returns the calls of version 1 and seed: load and resume, and a prompt that is answered at the end of its turn. */
export function olderCalls(service: Service): CallHandlers {
  const { load, resume, list } = service.capabilities;
  return {
    ...commonCalls(service),
    ...(load && { loadSession: (params, call) => service.restoreSession({ ...params, replay: true }, call) }),
    ...(resume && { resumeSession: (params, call) => service.restoreSession({ ...params, replay: false }, call) }),
    ...(list && { listSessions: (params, call) => service.listSessions(params, call) }),
    prompt(params, call) {
      const receipt = service.prompt(params, call);
      receipt.proceed();
      call.onAbort(() => receipt.cancel());
      call.afterResponse(() => receipt.release());
      return receipt.ended.then(answerOf);
    },
  };
}

/** Returns the reports of a dialect that answers a prompt at the end of its turn: no update carries a session's activity. */
export function turnsByAnswer(
  dialect: DialectName,
  onLoss: DriverParts["onLoss"],
): Pick<Driver, "end" | "waiting" | "backgroundChanged" | "restored"> {
  return {
    end: ({ output }, promptId, end) => output.record({ type: "turn_ended", promptId, ...describeEnd(end) }),
    waiting: () => undefined,
    backgroundChanged: ({ id }) => onLoss({ id: "state", to: dialect, event: "state_update" }, id),
    restored: () => undefined,
  };
}

/** @throws the error of a turn that failed */
function answerOf(end: TurnEnd): Calls["prompt"]["result"] {
  if ("error" in end) throw end.error;
  if (end.stopReason === "error") throw RpcError.internalError("the turn failed");
  return end;
}

async function done(work: Promise<void>): Promise<object> {
  await work;
  return {};
}

/** Parts of a request to the client. */
export type Asking = {
  readonly connection: Connection;
  readonly codec: AgentCodec;
  readonly onLoss: DriverParts["onLoss"];
  readonly signal: AbortSignal;
  /** Schema of the answer. Without one the codec reads any answer. */
  readonly result?: StandardSchemaV1 | undefined;
};

/** Asks for a permission. Rejects once `signal` fired; a later answer is ignored. */
export async function askPermission(
  { connection, codec, onLoss, signal, result }: Asking,
  question: Calls["askPermission"]["params"],
): Promise<PermissionOutcome> {
  const shape = shapeOf(codec.ask("askPermission"));
  const params = shape.encodeParams(question, (loss) => onLoss(loss, question.sessionId));
  const options = { signal, onAbort: "abandon", ...(result && { result }) } as const;
  return shape.decodeResult(objectOf(await connection.request(shape.method, params, options))).outcome;
}

/** Asks the person for input. */
export async function elicit(
  { connection, codec, signal, result }: Asking,
  question: Calls["elicit"]["params"],
): Promise<Calls["elicit"]["result"]> {
  const shape = shapeOf(codec.ask("elicit"));
  const options = { signal, onAbort: "abandon", ...(result && { result }) } as const;
  return shape.decodeResult(objectOf(await connection.request(shape.method, shape.encodeParams(question), options)));
}

/** Returns an answer, or `{}` for one that is no object and was not validated. */
const objectOf = (answer: unknown): object => (typeof answer === "object" && answer !== null ? answer : {});
