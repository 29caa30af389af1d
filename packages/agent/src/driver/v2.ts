import * as v2 from "@turnkit/schema/v2";
import type { SessionEvent, SessionWorkspace, WireEvent } from "@turnkit/session";
import { v2AgentCodec } from "@turnkit/session/codec";
import { type InboundCall, isRpcError, RpcError } from "@turnkit/transport";
import { offeredCalls } from "../capabilities.js";
import { describeEnd, type TurnEnd } from "../turn-end.js";
import type { CallHandlers, Dialect, DialectRules, DriverSession, Service } from "./driver.js";

/** Version 2 of the protocol, in its current Preview. */
export const v2Dialect: Dialect = {
  dialect: "v2",
  version: 2,
  since: "2026-08",
  codec: v2AgentCodec,
  contract: v2.agentContract,
  checksAnswers: true,
  nullIds: false,
  commandsInAnswers: true,
  repeatsContents: false,
  echoesPrompts: true,
  // V2-MCP-02
  hasSse: false,
  // V2-SEED-20: older drafts of version 2 have no `info`.
  fits: (params) => "info" in params,
  readHello(params, asked) {
    const checked = v2.initializeRequest["~standard"].validate(params);
    const malformed = checked instanceof Promise || checked.issues !== undefined;
    if (malformed && asked) throw RpcError.invalidParams("initialize needs protocolVersion and info");
    // V2-INIT-11: a client of a later version may send params of any form.
    return v2AgentCodec.answer.initialize.decodeParams(malformed ? params : checked.value);
  },
  mayRepeat: ({ requested }) => !requested,
  calls,
  rules: () => turnsByState,
};

// V2-BG-02
/** Rules that report turns by state updates. Every state update is a complete snapshot and contains the background work. */
const turnsByState: DialectRules = {
  begin(session, { messageId, prompt, promptKey }) {
    for (const event of v2AgentCodec.turns.begun({ messageId, content: prompt })) {
      // One record of the log has the message and its key (P-IDEM-07).
      say(session, event.type === "user_message" ? withKey(event, promptKey) : event);
    }
  },
  end: (session, _messageId, end) => say(session, endedBy(end)),
  waiting: (session, forUser) => say(session, v2AgentCodec.turns.waiting(forUser)),
  backgroundChanged: (session) => say(session, v2AgentCodec.turns.unchanged(session.output.state)),
  childStates: "own",
  // P-REPLAY-01
  replayed: ({ output }) => output.sendOnly({ type: "replay_complete" }),
  restored: (session) => say(session, v2AgentCodec.turns.unchanged(session.output.state)),
};

const withKey = (
  event: WireEvent,
  promptKey: SessionEvent["promptKey"],
): WireEvent & Pick<SessionEvent, "promptKey"> => (promptKey === undefined ? event : { ...event, promptKey });

function endedBy(end: TurnEnd): WireEvent {
  const event = v2AgentCodec.turns.ended(describeEnd(end));
  return "_meta" in end && end._meta !== undefined ? { ...event, _meta: end._meta } : event;
}

function say({ background, output }: DriverSession, event: WireEvent): void {
  output.say(background && event.type === "state_update" ? { ...event, background } : event);
}

/** Returns the calls of version 2. All agents of version 2 can list and resume sessions. */
function calls(service: Service): CallHandlers {
  const { newSession, resumeSession, closeSession } = service.calls;
  return {
    ...offeredCalls(service.calls, { ...service.capabilities, list: true, resume: true }),
    async newSession(params, call) {
      checkServerNames(params);
      return newSession(params, call);
    },
    async resumeSession(params, call) {
      const { sessionId, replayFrom } = params;
      if (replayFrom != null && replayFrom.type !== "start") {
        throw RpcError.invalidParams(`a replay from ${replayFrom.type} is not supported`);
      }
      checkServerNames(params);
      // Every agent of version 2 has the method. An agent without `restoreSession` has no session that can be resumed.
      if (!service.capabilities.resume) throw RpcError.resourceNotFound({ sessionId });
      return resumeSession(params, call);
    },
    async closeSession(params, call) {
      try {
        return await closeSession(params, call);
      } catch (error) {
        // Closing a closed session succeeds (V2-SES-18).
        if (isRpcError(error, -32002)) return {};
        throw error;
      }
    },
    prompt: (params, call) => prompt(service, params, call),
  };
}

/** Answers a prompt when its message joins the conversation. Updates report the rest of the turn. */
async function prompt(service: Service, params: Parameters<Service["prompt"]>[0], call: InboundCall) {
  const receipt = service.prompt(params, call);
  call.onAbort(() => receipt.withdraw());
  call.afterResponse(() => receipt.proceed());
  void receipt.ended.then(() => receipt.release());
  const messageId = await receipt.inserted;
  if (messageId !== undefined) return { messageId };
  const end = await receipt.ended;
  throw "error" in end ? end.error : RpcError.requestCancelled();
}

// V2-MCP-03
/** @throws RpcError `-32602` for two servers with the same name */
function checkServerNames({ mcpServers = [] }: SessionWorkspace): void {
  const names = new Set<string>();
  for (const { name } of mcpServers) {
    if (names.has(name)) throw RpcError.invalidParams("MCP servers have names of their own", { name });
    names.add(name);
  }
}
