import type { Implementation, PermissionOutcome, PermissionQuestion, SessionEvent } from "@turnkit/session";
import { AcpError, createRoutes, type InboundCall, type Route, RpcError } from "@turnkit/transport";
import type { ClientOptions } from "../client-options.js";
import type { QuestionKind } from "../pending-questions.js";
import { cancelReason, type PermissionPolicy } from "../permissions.js";
import { permissionNames } from "../sdk-names.js";
import type { AgentHost, Dialect, Driver, Peer } from "./driver.js";

type Update = { readonly sessionId: string; readonly update: unknown };
type Routes = { readonly [method: string]: Route };

/** Returns the routes of all methods that an agent may call. */
export function agentRoutes(host: AgentHost, peer: Peer, dialect: Dialect): Driver["routes"] {
  const { options, sessions, report } = host;
  const { files, terminals, elicitations, permissions } = options;
  const { inbound: codec, contract, servesHost } = dialect;
  const decode =
    options.nullSessionIds === "keep" ? (update: unknown) => codec.decode(update).map(withoutNulls) : codec.decode;
  const kind = permissionKind(permissions ?? noPolicy(report), peer.info, report);
  const permission = codec.answer.askPermission;
  const routes = createRoutes(contract, "client", {
    "session/update": ({ sessionId, update }: Update, call: InboundCall) =>
      receive(host, sessionId, decode(update), call.bytes),
    "session/request_permission": async (params: object, call: InboundCall) => {
      const { sessionId, ...question } = permission.decodeParams(params);
      return permission.encodeResult({ outcome: await sessions.get(sessionId).ask(kind, question, call) });
    },
  });
  const offered = new Map(
    Object.entries({
      ...(elicitations?.routes({ agent: peer.info, sessions, report }, codec) ?? noElicitations),
      // Absent handlers have no routes (V1-INIT-18).
      ...(servesHost && { ...files?.fileRoutes(host), ...terminals?.terminalRoutes(host) }),
    }),
  );
  for (const name of Object.keys(options.extensions ?? {})) {
    if (routes(name) === undefined && !offered.has(name)) continue;
    const message = `The handler extensions["${name}"] is not used: ${name} is a method of the protocol.`;
    report({ code: "unused_option", method: name, message });
  }
  return (method) => routes(method) ?? offered.get(method) ?? extension(options, method);
}

/**
 * Returns the policy of a client without `permissions`. Questions wait in the state, and the first question is reported.
 */
function noPolicy(report: AgentHost["report"]): PermissionPolicy {
  let isReported = false;
  return ({ session: { id } }) => {
    if (!isReported) {
      const remedy = 'Pass the option permissions. If your interface calls session.answer, pass () => "wait".';
      const message = `The agent asks for permission. The question waits for session.answer. ${remedy}`;
      report({ code: "unanswered", sessionId: id, message });
    }
    isReported = true;
    return "wait";
  };
}

/** Makes the kind of permission questions. A policy may answer them. */
function permissionKind(
  policy: PermissionPolicy,
  agent: Implementation,
  report: AgentHost["report"],
): QuestionKind<PermissionQuestion, PermissionOutcome> {
  return {
    name: "permission",
    dismissed: { outcome: "cancelled" },
    asked: (requestId, question) => ({ type: "permission_asked", requestId, ...question }),
    answered: (requestId, outcome) => ({ type: "permission_answered", requestId, outcome }),
    isShown: ({ state }, requestId) => state.pendingPermissions.some((shown) => shown.requestId === requestId),
    workOf({ subject }) {
      const known = subject as Extract<PermissionQuestion["subject"], { type: "tool_call" | "command" }> | undefined;
      if (known?.type === "tool_call") return { toolCallId: known.toolCall.toolCallId };
      return known?.type === "command" ? known : {};
    },
    answerOf(requestId, { options }, decision) {
      if ("action" in decision) {
        throw new AcpError("state", `The answer to question ${requestId} must be one of its options or a cancel.`);
      }
      const reason = cancelReason(decision);
      if (reason) report({ code: "unanswered", message: `A permission question was cancelled: ${reason}` });
      const { outcome, _meta } = decision;
      const more = _meta == null ? {} : { _meta };
      if (outcome === "cancelled") return { outcome, ...more };
      const { optionId } = decision;
      // In JavaScript, a decision may be any value. Only the outcome `selected` selects an option.
      if (outcome !== "selected") {
        const expected = '{ outcome: "selected", optionId } or { outcome: "cancelled" }';
        throw new AcpError("state", `The answer to question ${requestId} has to be ${expected}.`);
      }
      if (options.some((option) => option.optionId === optionId)) return { outcome, optionId, ...more };
      const offered = options.map((option) => option.optionId).join(", ");
      throw new AcpError("state", `The question ${requestId} does not offer ${optionId}; it offers ${offered}.`);
    },
    decide: (requestId, question, session, signal) =>
      policy(Object.setPrototypeOf({ ...question, requestId, session, agent }, permissionNames), signal),
  };
}

// V1-ELIC-08, V2-ELI-03
const noElicitations: Routes = {
  "elicitation/create": {
    receive() {
      throw RpcError.invalidParams("this client does not ask the person anything");
    },
  },
  "elicitation/complete": { receive: () => undefined },
};

/** Returns the route of a method outside of the protocol. */
function extension({ extensions = {}, fallback }: ClientOptions, method: string): Route | undefined {
  const handlers: Readonly<Record<string, (params: unknown, signal: AbortSignal) => unknown>> = extensions;
  if (Object.hasOwn(handlers, method)) return { receive: (params, call) => handlers[method]?.(params, call.signal) };
  return fallback && { receive: (params, call) => fallback(method, params, call.signal) };
}

/**
 * Delivers updates. Malformed updates of a known kind are dropped (V2-DEC-06, V2-DEC-09). Updates of unknown kinds are
 * delivered.
 */
function receive(host: AgentHost, sessionId: string, events: readonly SessionEvent[], bytes: number): void {
  const sound = events.every(isSound) ? events : events.filter(isSound);
  for (const event of sound === events ? [] : events) {
    if (event.type !== "unknown" || event.reason === undefined) continue;
    const message = `An update was dropped: ${event.reason}.`;
    host.report({ code: "invalid_message", method: "session/update", sessionId, message });
  }
  if (sound.length > 0) host.sessions.update(sessionId, sound, bytes);
}

/**
 * Returns the event without `null` as the sender or recipient of a message. Agents with old schemas send `null` if
 * nothing changes.
 */
// P-OLD-01
function withoutNulls(event: SessionEvent): SessionEvent {
  if (event.type !== "session_message") return event;
  const { senderSessionId, recipientSessionId, ...message } = event;
  return { ...message, ...(senderSessionId && { senderSessionId }), ...(recipientSessionId && { recipientSessionId }) };
}

const isSound = (event: SessionEvent): boolean => event.type !== "unknown" || event.reason === undefined;
