import type { StopReason } from "../../activity.js";
import type { Asking, CallCodec, Calls, McpServer } from "../../call.js";
import type { UnknownTag } from "../../content.js";
import type { PermissionSubject } from "../../permission.js";
import { allCalls, auth, callsOfAgents, commonCommands, on, type SettingParts } from "../calls.js";
import type { CallTable } from "../codec.js";
import { contentBlock } from "../content.js";
import { type Lost, lostIn } from "../losses.js";
import { answerPermission, readOutcome } from "../permission.js";
import { compact, isObject, list, meta, required, text, textOrNull, texts, type Wire, withMeta } from "../read.js";
import { namedValues, type SessionParts, sessionCalls } from "../session-calls.js";
import { tokenUsage } from "../updates.js";
import { configOption, readCommand, toolCallPatch } from "./decode.js";
import { encodePatch } from "./diff.js";
import { encodeCommands, encodeOptions } from "./encode.js";
import { initialize } from "./initialize.js";

/** Functions for the options and values of the Preview and every draft of version 2. Each value has a type. */
export const options: SettingParts = {
  dialect: "v2",
  readOption: configOption,
  writeOptions: encodeOptions,
  encodeParams: ({ sessionId, configId, value, type }) => ({
    sessionId,
    configId,
    type: type ?? (typeof value === "boolean" ? "boolean" : "id"),
    value,
  }),
  decodeParams: (wire) => {
    const { sessionId, configId, type = "id", value } = wire as Wire;
    const wanted = type === "boolean" ? "boolean" : "string";
    const known = (type === "id" || type === "boolean") && typeof value === wanted;
    return compact({
      sessionId: required(sessionId),
      configId: required(configId),
      value: typeof value === "boolean" ? value : required(value),
      type: known ? undefined : (String(type) as UnknownTag),
    });
  },
};

/**
 * Call `session/prompt`. Its answer depends on the dialect:
 * - version 2: the id of the message that the prompt became
 * - seed: the stop reason
 * - drafts between them: no members
 */
// V2-SEED-02
export const prompt: CallCodec<Calls["prompt"]> = {
  method: "session/prompt",
  encodeParams: ({ sessionId, prompt, idempotencyKey, _meta }) => compact({ sessionId, prompt, idempotencyKey, _meta }),
  decodeParams: (wire) => {
    const { sessionId, prompt, idempotencyKey, _meta } = wire as Wire;
    return compact({
      sessionId: required(sessionId),
      prompt: list(prompt, contentBlock),
      idempotencyKey: text(idempotencyKey),
      _meta: meta(_meta),
    });
  },
  encodeResult: ({ messageId, _meta }) => compact({ messageId, _meta }),
  decodeResult: (wire) => {
    const { stopReason, messageId, usage, _meta } = (wire ?? {}) as Wire;
    return compact({
      stopReason: text(stopReason) as StopReason | undefined,
      messageId: text(messageId),
      usage: tokenUsage(usage),
      _meta: meta(_meta),
    });
  },
};

/** Functions for the servers and lists of sessions in the Preview and every draft of version 2. */
export const sessions: SessionParts = {
  dialect: "v2",
  requiresServers: false,
  encodeServer,
  decodeServer,
  encodeLists: ({ configOptions, availableCommands, _meta }) =>
    compact({
      configOptions: configOptions == null ? undefined : encodeOptions(configOptions),
      availableCommands: availableCommands == null ? undefined : encodeCommands(availableCommands),
      _meta,
    }),
  decodeLists: ({ configOptions, availableCommands, _meta }) =>
    compact({
      configOptions: Array.isArray(configOptions) ? list(configOptions, configOption) : undefined,
      availableCommands: Array.isArray(availableCommands) ? list(availableCommands, readCommand) : undefined,
      _meta: meta(_meta),
    }),
};

/** Returns the calls that open a session. To load a session means to resume it with a replay from the start. */
// V2-SES-08
function openingCalls() {
  const { newSession, resumeSession: resume } = sessionCalls(sessions);
  const resumeSession: CallCodec<Calls["resumeSession"]> = {
    ...resume,
    encodeParams: ({ replayFrom, ...params }, onLoss) =>
      compact({ ...resume.encodeParams(params, onLoss), replayFrom: replayFrom ?? undefined }),
    decodeParams: (wire) =>
      compact({ ...resume.decodeParams(wire), replayFrom: readReplayFrom((wire as Wire).replayFrom) }),
  };
  const loadSession: CallCodec<Calls["loadSession"]> = {
    ...resume,
    encodeParams: (params, onLoss) => resumeSession.encodeParams({ ...params, replayFrom: { type: "start" } }, onLoss),
  };
  return { newSession, loadSession, resumeSession };
}

/** Calls of clients in version 2. */
export const commands = /* @__PURE__ */ allCommands();

function allCommands() {
  return {
    ...commonCommands(auth, options),
    ...openingCalls(),
    initialize,
    prompt,
    cancelToolCall: on("tool_call/cancel", "sessionId", "toolCallId"),
    cancelTerminal: on("terminal/cancel", "sessionId", "terminalId"),
  } satisfies CallTable;
}

/** Call `session/request_permission`, for the agent. */
const askPermission: Asking<Calls["askPermission"]> = {
  method: "session/request_permission",
  encodeParams: ({ sessionId, title, description, subject, options, _meta }, onLoss) => {
    const lost = lostIn("v2", "askPermission", onLoss);
    const about =
      subject?.type === "tool_call" ? { ...subject, toolCall: encodePatch(subject.toolCall, lost) } : subject;
    return compact({ sessionId, title, description, subject: about, options, _meta });
  },
  decodeResult: readOutcome,
};

/** Call `session/request_permission`, for the client. It also reads the question of seed. */
// V2-SEED-06
export const answer = /* @__PURE__ */ answerPermission((wire) => {
  const { title, description, toolCall, subject = { type: "tool_call", toolCall } } = wire;
  return { title: text(title), description: textOrNull(description), subject: readSubject(subject) };
});

/** Calls of agents in version 2, for the agent. */
export const questions = /* @__PURE__ */ callsOfAgents(askPermission);

/**
 * Calls of agents in version 2, for the client. They are separate from {@link questions}, because a client needs no
 * encoder of tool calls.
 */
export const answers = /* @__PURE__ */ callsOfAgents(answer);

/** All calls of version 2. */
export const calls = /* @__PURE__ */ allCalls(commands, questions, answers);

/** Encodes one MCP server. Version 2 has no servers over SSE. A client checks this before it sends. */
// V2-MCP-02
export function encodeServer(server: McpServer, lost: Lost): readonly object[] {
  if (server.type !== "sse") return [server];
  lost("mcp-server", server.name);
  return [];
}

/** Reads one MCP server. In older drafts, a server without a type uses stdio. */
function decodeServer(wire: Wire): McpServer {
  const named = wire as Wire & { readonly name: string };
  if (wire.type === "http" && typeof wire.url === "string") {
    return compact({
      ...named,
      type: wire.type,
      url: wire.url,
      headers: wire.headers == null ? undefined : namedValues(wire.headers),
    });
  }
  const stdio = wire.type === undefined || wire.type === "stdio";
  if (!stdio || typeof wire.command !== "string") return wire as unknown as McpServer;
  const args = wire.args == null ? undefined : (texts(wire.args) ?? []);
  const env = wire.env == null ? undefined : namedValues(wire.env);
  const { args: _, env: __, ...others } = named;
  return compact({ ...others, type: "stdio", command: wire.command, args, env });
}

/** Reads the start of a replay. An unknown start stays unknown, because an agent has to refuse it. */
// V2-SES-09
function readReplayFrom(value: unknown): Calls["resumeSession"]["params"]["replayFrom"] {
  if (value == null) return undefined;
  if (isObject(value) && typeof value.type === "string") return value as { readonly type: "start" };
  return { type: "" as UnknownTag };
}

function readSubject(value: unknown): PermissionSubject | undefined {
  if (!isObject(value) || typeof value.type !== "string") return undefined;
  if (value.type === "tool_call") {
    const toolCall = toolCallPatch(value.toolCall);
    return toolCall && withMeta<PermissionSubject>({ type: "tool_call", toolCall }, value);
  }
  if (value.type !== "command") return value as unknown as PermissionSubject;
  const { command: line, cwd, toolCallId, terminalId, _meta } = value;
  if (typeof line !== "string" || typeof cwd !== "string") return undefined;
  return compact<PermissionSubject>({
    type: "command",
    command: line,
    cwd,
    toolCallId: textOrNull(toolCallId),
    terminalId: textOrNull(terminalId),
    _meta: meta(_meta),
  });
}
