import type { AgentCapabilities, PermissionOutcome } from "@turnkit/session";
import type { AgentCodec, Calls, CallHandlers as SessionCallHandlers } from "@turnkit/session/codec";
import type { Connection, InboundCall, StandardSchemaV1 } from "@turnkit/transport";
import { RpcError } from "@turnkit/transport";
import type { TurnEnd } from "../prompt-job.js";
import type { DriverParts, Service } from "./driver.js";

/** What answers the calls that a client may make, in the neutral form. */
export type CallHandlers = SessionCallHandlers<InboundCall>;

/** The shape of a call that every dialect has. */
export function shapeOf<T>(shape: T | undefined): T {
  if (shape === undefined) throw new TypeError("The dialect has no such call.");
  return shape;
}

/** Only version 1 has MCP servers over SSE (V2-MCP-02). */
export function withoutSse(capabilities: AgentCapabilities): AgentCapabilities {
  return { ...capabilities, mcp: { ...capabilities.mcp, sse: false } };
}

/** What is the same in every dialect. */
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

/** What version 1 and seed have in common: two ways to restore, and an answer that is the end of the turn. */
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
      call.afterResponse(() => receipt.told());
      return receipt.ended.then(answerOf);
    },
  };
}

/** A turn that failed is an error. */
function answerOf(end: TurnEnd): Calls["prompt"]["result"] {
  if ("error" in end) throw end.error;
  if (end.stopReason === "error") throw RpcError.internalError("the turn failed");
  return end;
}

async function done(work: Promise<void>): Promise<object> {
  await work;
  return {};
}

/** How an agent asks its client. */
export type Asking = {
  readonly connection: Connection;
  readonly codec: AgentCodec;
  readonly onLoss: DriverParts["onLoss"];
  readonly signal: AbortSignal;
  /** What an answer has to look like; absent: whatever the codec reads. */
  readonly result?: StandardSchemaV1 | undefined;
};

/** Asks for a permission. An answer that comes after `signal` fired counts for nothing. */
export async function askPermission(
  { connection, codec, onLoss, signal, result }: Asking,
  question: Calls["askPermission"]["params"],
): Promise<PermissionOutcome> {
  const shape = shapeOf(codec.ask("askPermission"));
  const params = shape.encodeParams(question, (loss) => onLoss(loss, question.sessionId));
  const options = { signal, onAbort: "abandon", ...(result && { result }) } as const;
  return shape.decodeResult(objectOf(await connection.request(shape.method, params, options))).outcome;
}

/** Asks the person for something. */
export async function elicit(
  { connection, codec, signal, result }: Asking,
  question: Calls["elicit"]["params"],
): Promise<Calls["elicit"]["result"]> {
  const shape = shapeOf(codec.ask("elicit"));
  const options = { signal, onAbort: "abandon", ...(result && { result }) } as const;
  return shape.decodeResult(objectOf(await connection.request(shape.method, shape.encodeParams(question), options)));
}

/** What a codec can read of an answer that nobody validated. */
const objectOf = (answer: unknown): object => (typeof answer === "object" && answer !== null ? answer : {});
