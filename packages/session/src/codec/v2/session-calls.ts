import type { StopReason } from "../../activity.js";
import type { Asking, Calls, McpServer, SessionLists, SessionPlace } from "../../call.js";
import type { UnknownTag } from "../../content.js";
import type { PermissionSubject } from "../../permission.js";
import { contentBlock } from "../content.js";
import type { Lost } from "../losses.js";
import { namedValues } from "../named-values.js";
import { readOption } from "../permission.js";
import { compact, isObject, list, meta, required, text, textOrNull, texts, type Wire, withMeta } from "../read.js";
import { tokenUsage } from "../updates.js";
import { configOption, readCommand } from "./decode.js";
import { toolCallPatch } from "./tool-call.js";

/** Where a session works and with what. */
export function encodePlace(
  { cwd, additionalDirectories, mcpServers, _meta }: SessionPlace,
  lost: Lost,
): { readonly mcpServers?: readonly object[] } {
  const servers = mcpServers?.flatMap((server) => encodeServer(server, lost));
  return compact({
    cwd,
    additionalDirectories: additionalDirectories?.length ? additionalDirectories : undefined,
    mcpServers: servers?.length ? servers : undefined,
    _meta,
  });
}

/** Servers over SSE are gone (V2-MCP-02); a client's gate says so before anything is sent. */
function encodeServer(server: McpServer, lost: Lost): readonly object[] {
  if (server.type !== "sse") return [server];
  lost("mcp-server", server.name);
  return [];
}

/** {@link encodePlace} read back; a server without a type is one over stdio, as in older drafts. */
export function decodePlace(wire: Wire): SessionPlace {
  return compact({
    cwd: required(wire.cwd),
    additionalDirectories: texts(wire.additionalDirectories),
    mcpServers: Array.isArray(wire.mcpServers) ? wire.mcpServers.filter(isObject).map(decodeServer) : undefined,
    _meta: meta(wire._meta),
  });
}

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

/** What an answer says of a session as it opens. */
export function decodeLists(wire: Wire): SessionLists {
  const { configOptions, availableCommands, _meta } = wire;
  return compact({
    configOptions: Array.isArray(configOptions) ? list(configOptions, configOption) : undefined,
    availableCommands: Array.isArray(availableCommands) ? list(availableCommands, readCommand) : undefined,
    _meta: meta(_meta),
  });
}

/** A cursor is never taken for another, nor for none: an agent has to refuse what it cannot read (V2-SES-09). */
export function replayFrom(value: unknown): Calls["resumeSession"]["params"]["replayFrom"] {
  if (value == null) return undefined;
  if (isObject(value) && typeof value.type === "string") return value as { readonly type: "start" };
  return { type: "" as UnknownTag };
}

/**
 * `session/prompt` of any draft, as a client makes it. Seed says why the turn ended, version 2 which message it became,
 * the drafts between nothing (V2-SEED-02).
 */
export const askPrompt: Asking<Calls["prompt"]> = {
  method: "session/prompt",
  encodeParams: ({ sessionId, prompt, _meta }) => compact({ sessionId, prompt, _meta }),
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

/** The params of a prompt. */
export function readPrompt(wire: object): Calls["prompt"]["params"] {
  const { sessionId, prompt, _meta } = wire as Wire;
  return compact({ sessionId: required(sessionId), prompt: list(prompt, contentBlock), _meta: meta(_meta) });
}

/**
 * `session/set_config_option` of any draft, as a client makes it. Seed reads the value alone, so its type does no harm
 * there (V2-SEED-05).
 */
export const askSetConfigOption: Asking<Calls["setConfigOption"]> = {
  method: "session/set_config_option",
  encodeParams: ({ sessionId, configId, value, type }) => ({
    sessionId,
    configId,
    type: type ?? (typeof value === "boolean" ? "boolean" : "id"),
    value,
  }),
  decodeResult: (wire) => ({ configOptions: list((wire as Wire).configOptions, configOption) }),
};

/** The choice of a value. */
export function readSetting(wire: object): Calls["setConfigOption"]["params"] {
  const { sessionId, configId, type = "id", value } = wire as Wire;
  const wanted = type === "boolean" ? "boolean" : "string";
  const known = (type === "id" || type === "boolean") && typeof value === wanted;
  return compact({
    sessionId: required(sessionId),
    configId: required(configId),
    value: typeof value === "boolean" ? value : required(value),
    type: known ? undefined : (String(type) as UnknownTag),
  });
}

/** A permission question of any draft: seed asks about a tool call and calls it so (V2-SEED-06). */
export function permissionQuestion(wire: Wire, untitled: string): Calls["askPermission"]["params"] {
  const { sessionId, title, description, subject, toolCall, options, _meta } = wire;
  const about = subject === undefined ? { type: "tool_call", toolCall } : subject;
  const read = permissionSubject(about);
  const own = read?.type === "tool_call" ? (read.toolCall.title ?? read.toolCall.name) : undefined;
  return compact({
    sessionId: required(sessionId),
    title: text(title) ?? own ?? untitled,
    description: textOrNull(description),
    subject: read,
    options: list(options, readOption),
    _meta: meta(_meta),
  });
}

function permissionSubject(value: unknown): PermissionSubject | undefined {
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
