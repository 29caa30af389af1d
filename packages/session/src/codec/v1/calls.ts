import type { StopReason } from "../../activity.js";
import type { CallCodec, Calls, McpServer, SessionLists, SessionPlace } from "../../call.js";
import { allCalls, asIs, commonCommands, decodePlace, namedValues, olderAuth, withElicitations } from "../calls.js";
import type { CallTable } from "../codec.js";
import { contentBlock } from "../content.js";
import { type Lost, lostIn } from "../losses.js";
import { compact, list, meta, required, text, type Wire } from "../read.js";
import { type SettingParts, settingCalls } from "../setting-calls.js";
import { tokenUsage } from "../updates.js";
import { initialize } from "./initialize.js";
import { answerPermission, askPermission } from "./permission.js";
import { configOption, encodeListed, encodeModes, optionsOf } from "./settings.js";

/** Peer of which nothing is known. */
const plain = { booleanOptions: false };

type Peer = { readonly booleanOptions: boolean };

const STOP_REASONS: readonly string[] = ["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"];

const newSession: CallCodec<Calls["newSession"]> = {
  method: "session/new",
  encodeParams: (place, onLoss) => encodePlace(place, lostIn("v1", "newSession", onLoss)),
  decodeParams: (wire) => decodePlace(wire as Wire, decodeServer),
  encodeResult: ({ sessionId, ...lists }, peer, onLoss) => ({
    sessionId,
    ...encodeLists(lists, peer, lostIn("v1", "newSession", onLoss)),
  }),
  decodeResult: (wire) => ({ sessionId: required((wire as Wire).sessionId), ...decodeLists(wire as Wire) }),
};

/** Returns the call that restores a session: `session/load` replays before its answer, `session/resume` does not. */
/* @__NO_SIDE_EFFECTS__ */
const restore = (method: string, name: "loadSession" | "resumeSession"): CallCodec<Calls["resumeSession"]> => ({
  method,
  encodeParams: ({ sessionId, replayFrom, ...place }, onLoss) => {
    const lost = lostIn("v1", name, onLoss);
    if (replayFrom != null) lost("replay-from", replayFrom.type);
    return { sessionId, ...encodePlace(place, lost) };
  },
  decodeParams: (wire) => {
    const { sessionId } = wire as Wire;
    return { ...decodePlace(wire as Wire, decodeServer), sessionId: required(sessionId) };
  },
  encodeResult: (lists, peer, onLoss) => encodeLists(lists, peer, lostIn("v1", name, onLoss)),
  // Older writers answer `null` (V1-SESS-24).
  decodeResult: (wire) => decodeLists((wire ?? {}) as Wire),
});

const options: SettingParts = {
  dialect: "v1",
  readOption: configOption,
  writeOptions: (options, peer, lost) => encodeListed(options, peer ?? plain, lost),
  // Only a boolean says its type (V1-CFG-07).
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

/** Returns the call that chooses a mode or a model. Version 1 had models in 2025. */
// V1-MODEL-02
/* @__NO_SIDE_EFFECTS__ */
const choose = (method: string, id: "modeId" | "modelId"): CallCodec<Calls["setMode"]> => ({
  method,
  encodeParams: ({ sessionId, value }) => ({ sessionId, [id]: value }),
  decodeParams: (wire) => ({ sessionId: required((wire as Wire).sessionId), value: required((wire as Wire)[id]) }),
  encodeResult: asIs,
  // The text of 2025 calls the metadata of this answer `meta` (V1-MODEL-06).
  decodeResult: (wire) => {
    const { meta: older, _meta = older, ...others } = (wire ?? {}) as Wire;
    return compact({ ...others, _meta: meta(_meta) });
  },
});

/** `session/prompt`, whose answer is the end of the turn. */
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

/** Calls that clients make in version 1. */
export const commands = /* @__PURE__ */ allCommands();

function allCommands() {
  return {
    ...commonCommands(olderAuth),
    ...settingCalls(options),
    initialize,
    newSession,
    loadSession: restore("session/load", "loadSession"),
    resumeSession: restore("session/resume", "resumeSession"),
    setMode: choose("session/set_mode", "modeId"),
    setModel: choose("session/set_model", "modelId"),
    prompt,
  } satisfies CallTable;
}

/** Calls that agents make in version 1, as they make them. */
export const questions = /* @__PURE__ */ withElicitations(askPermission);

/** {@link questions}, as clients answer them. Apart, because a client writes no tool calls. */
export const answers = /* @__PURE__ */ withElicitations(answerPermission);

/** Calls of version 1. */
export const calls = /* @__PURE__ */ allCalls(commands, questions, answers);

function encodePlace({ cwd, additionalDirectories, mcpServers = [], _meta }: SessionPlace, lost: Lost): object {
  return compact({
    cwd,
    additionalDirectories: additionalDirectories?.length ? additionalDirectories : undefined,
    mcpServers: mcpServers.flatMap((server) => encodeServer(server, lost)),
    _meta,
  });
}

/** Writes one server of tools: a server over stdio has no type, and every list is there. */
// V1-SESS-14
function encodeServer(server: McpServer, lost: Lost): readonly object[] {
  if (server.type === "stdio") {
    const { type: _, args = [], env = [], ...others } = server;
    return [{ ...others, args, env }];
  }
  if (server.type === "http" || server.type === "sse") return [{ ...server, headers: server.headers ?? [] }];
  // A server of an unknown type was received from a peer; the agent knows or refuses it.
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

function encodeLists({ configOptions, _meta }: SessionLists, peer: Peer = plain, lost: Lost): object {
  if (configOptions == null) return compact({ _meta });
  const listed = configOptions.some((option) => option.setBy === undefined) || configOptions.length === 0;
  return compact({
    ...encodeModes(configOptions),
    configOptions: listed ? encodeListed(configOptions, peer, lost) : undefined,
    _meta,
  });
}

function decodeLists(wire: Wire): SessionLists {
  return compact({ configOptions: optionsOf(wire), _meta: meta(wire._meta) });
}
