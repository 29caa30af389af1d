import type { StopReason } from "../../activity.js";
import type { CallCodec, Calls, McpServer } from "../../call.js";
import { type ConfigChoice, type ConfigOption, choicesOf, selectOf } from "../../settings.js";
import type { ToolCallPatch } from "../../tool-call.js";
import { allCalls, asIs, callsOfAgents, commonCommands, olderAuth, type SettingParts } from "../calls.js";
import type { CallTable } from "../codec.js";
import { contentBlock } from "../content.js";
import { encodeContent } from "../fallback/content.js";
import { createShownTerminals } from "../fallback/sending.js";
import { type Lost, lostIn } from "../losses.js";
import { answerPermission, askAboutToolCall } from "../permission.js";
import { compact, list, meta, required, text, type Wire } from "../read.js";
import { namedValues, type SessionParts, sessionCalls } from "../session-calls.js";
import { type Reader, record } from "../shape.js";
import { tokenUsage } from "../updates.js";
import { anyListOf, configOption, toolCallPatch } from "./decode.js";
import { encodeListed } from "./encode.js";
import { noteValues, writeToolCall } from "./encode-tool-call.js";
import { initialize } from "./initialize.js";

const STOP_REASONS: readonly string[] = ["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"];

const sessions: SessionParts = {
  dialect: "v1",
  // Version 1 requires every list (V1-SESS-14).
  requiresServers: true,
  encodeServer,
  decodeServer,
  encodeLists: ({ configOptions, _meta }, lost, peer) => {
    if (configOptions == null) return compact({ _meta });
    const listed = configOptions.some((option) => option.setBy === undefined) || configOptions.length === 0;
    return compact({
      ...encodeModes(configOptions),
      configOptions: listed ? encodeListed(configOptions, lost, peer) : undefined,
      _meta,
    });
  },
  decodeLists: (wire) => compact({ configOptions: optionsOf(wire), _meta: meta(wire._meta) }),
};

const options: SettingParts = {
  dialect: "v1",
  readOption: configOption,
  writeOptions: encodeListed,
  // Only boolean values have a type (V1-CFG-07).
  encodeParams: (params) => (typeof params.value === "boolean" ? { ...params, type: "boolean" } : params),
  decodeParams: (wire) => {
    const { sessionId, configId, value } = wire as Wire;
    return {
      sessionId: required(sessionId),
      configId: required(configId),
      value: typeof value === "boolean" ? value : String(value),
    };
  },
};

/** Returns the call that selects a mode or a model. Version 1 had models in 2025. */
// V1-MODEL-02
/* @__NO_SIDE_EFFECTS__ */
const choose = (method: string, id: "modeId" | "modelId"): CallCodec<Calls["setMode"]> => ({
  method,
  encodeParams: ({ sessionId, value }) => ({ sessionId, [id]: value }),
  decodeParams: (wire) => ({ sessionId: required((wire as Wire).sessionId), value: required((wire as Wire)[id]) }),
  encodeResult: asIs,
  // The specification of 2025 uses the name `meta` for the metadata of this answer (V1-MODEL-06).
  decodeResult: (wire) => {
    const { meta: older, _meta = older, ...others } = (wire ?? {}) as Wire;
    return compact({ ...others, _meta: meta(_meta) });
  },
});

/** Call `session/prompt`. Its answer is the end of the turn. */
const prompt: CallCodec<Calls["prompt"]> = {
  method: "session/prompt",
  encodeParams: ({ sessionId, prompt, _meta }) => compact({ sessionId, prompt, _meta }),
  decodeParams: (wire) => {
    const { sessionId, prompt, _meta } = wire as Wire;
    return compact({ sessionId: required(sessionId), prompt: list(prompt, contentBlock), _meta: meta(_meta) });
  },
  encodeResult: ({ stopReason = "end_turn", usage, _meta }, _peer, onLoss) => {
    const counts = usage ?? undefined;
    if (STOP_REASONS.includes(stopReason)) return compact({ stopReason, usage: counts, _meta });
    lostIn("v1", "prompt", onLoss)("stop-reason", stopReason);
    return compact({ stopReason: "end_turn", usage: counts, _meta: { ..._meta, "turnkit.stopReason": stopReason } });
  },
  decodeResult: (wire) => {
    const { stopReason, usage, _meta } = wire as Wire;
    return compact({
      stopReason: text(stopReason) as StopReason | undefined,
      usage: tokenUsage(usage),
      _meta: meta(_meta),
    });
  },
};

/** Call `session/request_permission`, for the agent. */
const askPermission = /* @__PURE__ */ askAboutToolCall({
  dialect: "v1",
  kinds: ["allow_once", "allow_always", "reject_once", "reject_always"],
  writePatch: encodePatch,
});

/** Call `session/request_permission`, for the client. */
const answer = /* @__PURE__ */ answerPermission((wire) => {
  const toolCall = toolCallPatch(wire.toolCall);
  return toolCall === undefined ? {} : { subject: { type: "tool_call", toolCall } };
});

/** Calls of clients in version 1. */
export const commands = /* @__PURE__ */ allCommands();

function allCommands() {
  return {
    ...commonCommands(olderAuth, options),
    initialize,
    ...sessionCalls(sessions),
    setMode: choose("session/set_mode", "modeId"),
    setModel: choose("session/set_model", "modelId"),
    prompt,
  } satisfies CallTable;
}

/** Calls of agents in version 1, for the agent. */
export const questions = /* @__PURE__ */ callsOfAgents(askPermission);

/**
 * Calls of agents in version 1, for the client. They are separate from {@link questions}, because a client needs no
 * encoder of tool calls.
 */
export const answers = /* @__PURE__ */ callsOfAgents(answer);

/** All calls of version 1. */
export const calls = /* @__PURE__ */ allCalls(commands, questions, answers);

/** Encodes one MCP server. Servers over stdio have no type, and every list is required. */
// V1-SESS-14
function encodeServer(server: McpServer, lost: Lost): readonly object[] {
  if (server.type === "stdio") {
    const { type: _, args = [], env = [], ...others } = server;
    return [{ ...others, args, env }];
  }
  if (server.type === "http" || server.type === "sse") return [{ ...server, headers: server.headers ?? [] }];
  // A client may pass a server of a type that turnkit does not support. The agent may support the type, or refuse the
  // server.
  lost("unknown", server.name);
  return [server];
}

function decodeServer(wire: Wire): McpServer {
  const named = wire as Wire & { readonly name: string };
  if (typeof wire.url === "string" && (wire.type === "http" || wire.type === "sse")) {
    return { ...named, type: wire.type, url: wire.url, headers: namedValues(wire.headers) };
  }
  if (typeof wire.command !== "string") return wire as unknown as McpServer;
  const args = Array.isArray(wire.args) ? wire.args.filter((arg) => typeof arg === "string") : [];
  return { ...named, type: "stdio", command: wire.command, args, env: namedValues(wire.env) };
}

function encodePatch(patch: ToolCallPatch, title: string, lost: Lost): object {
  const { capabilities, _meta, ...members } = patch;
  const { toolCallId, name, content } = members;
  // A question contains the current output. It is not sent again when more output arrives.
  const sending = { lost, terminals: createShownTerminals(), clientTerminals: true, linksSessions: false };
  noteValues(patch, lost);
  if (Object.values(members).includes(null)) lost("tool-call-clear", toolCallId);
  return writeToolCall(
    { ...patch, title: patch.title ?? (name == null ? title : undefined) },
    content == null ? undefined : encodeContent(content, toolCallId, undefined, sending),
  );
}

/**
 * Returns the reader of the modes or models of 2025, which become an option. `setBy` is the method that changes the
 * option.
 */
/* @__NO_SIDE_EFFECTS__ */
function optionOf2025(name: string, idName: string): Reader<ConfigOption> {
  const category = name.toLowerCase();
  const [current, available] = [`current${name}Id`, `available${name}s`];
  const choice = record({
    required: { value: text, name: text },
    optional: { description: text },
    olderNames: { value: idName },
  });
  const read = record({ required: { [current]: text, [available]: anyListOf(choice) } });
  return (value) => {
    const wire = read(value);
    if (wire === undefined) return undefined;
    const { [current]: currentValue, [available]: options } = wire;
    const setBy = `session/set_${category}`;
    return { configId: category, name, category, setBy, type: "select", currentValue, options } as ConfigOption;
  };
}

const modes = /* @__PURE__ */ optionOf2025("Mode", "id");
const models = /* @__PURE__ */ optionOf2025("Model", "modelId");

/**
 * Returns the options of a result, or `undefined` if there are none. Modes, and the models of 2025, become options with
 * the categories `mode` and `model`. If such an option already exists, they are ignored.
 */
// V1-MODE-07
function optionsOf(result: Wire): readonly ConfigOption[] | undefined {
  const options = Array.isArray(result.configOptions) ? list(result.configOptions, configOption) : undefined;
  const has = (category: string): boolean => options?.some((option) => option.category === category) ?? false;
  const mode = has("mode") ? undefined : modes(result.modes);
  const model = has("model") ? undefined : models(result.models);
  const own = [mode, model].filter((option) => option !== undefined);
  return options === undefined && own.length === 0 ? undefined : [...own, ...(options ?? [])];
}

/** Encodes `modes` and `models` of a result from the options with these categories. */
function encodeModes(options: readonly ConfigOption[]): { modes?: object; models?: object } {
  const mode = selectOf(options, "mode");
  const model = selectOf(options, "model");
  return compact({
    modes: mode && { currentModeId: mode.currentValue, availableModes: choicesOf(mode).map((one) => named(one, "id")) },
    models: model && {
      currentModelId: model.currentValue,
      availableModels: choicesOf(model).map((one) => named(one, "modelId")),
    },
  });
}

const named = ({ value, ...others }: ConfigChoice, idName: string): object => ({ [idName]: value, ...others });
