import type { AuthMethod, CallCodec, Calls, McpServer, SessionLists, SessionPlace } from "../../call.js";
import type { ToolCallPatch } from "../../tool-call.js";
import { encodeSessionCapabilities, initializeReading } from "../draft/initialize.js";
import {
  decodeLists,
  decodePlace,
  encodePlace,
  promptParams,
  promptResult,
  setConfigOptionReading,
} from "../draft/session-calls.js";
import { toolCallPatch } from "../draft/tool-call.js";
import { type Lost, lostIn } from "../lost.js";
import { encodeContent } from "../older/content.js";
import { askAboutToolCall } from "../older/permission.js";
import { encodeList } from "../older/settings.js";
import { compact, mark, required, type Wire } from "../read.js";
import { closeSession, deleteSession, listSessions, loginBy, logoutBy } from "../simple-calls.js";

/** `initialize` as seed answers it: who it is and what it can do have older names there (V2-SEED-24). */
const initialize: CallCodec<Calls["initialize"]> = {
  ...initializeReading,
  encodeResult: ({ protocolVersion, info, capabilities, authMethods, _meta }, _peer, onLoss) => {
    const lost = lostIn("seed", "initialize", onLoss);
    const session = {
      ...encodeSessionCapabilities(capabilities),
      load: mark(capabilities.load),
      list: mark(capabilities.list),
      resume: mark(capabilities.resume),
      close: mark(capabilities.close),
    };
    return compact({
      protocolVersion,
      agentInfo: info,
      capabilities: compact({
        session: capabilities.sessions === false ? undefined : compact(session),
        auth: capabilities.logout || authMethods.length > 0 ? { logout: {} } : undefined,
        _meta: capabilities._meta,
      }),
      authMethods: authMethods.flatMap((method) => encodeAuthMethod(method, lost)),
      _meta,
    });
  },
};

function encodeAuthMethod(method: AuthMethod, lost: Lost): readonly object[] {
  if (method.type === "agent") return [{ ...method, id: method.methodId }];
  lost(method.type === "terminal" ? "auth-method" : "unknown", method.methodId);
  return [];
}

/** Every list is written: seed asks for all of them (V2-SEED-05). */
function encodeFullPlace(place: SessionPlace, lost: Lost): object {
  const mcpServers = (place.mcpServers ?? []).map(withLists);
  return { mcpServers: [], ...encodePlace({ ...place, mcpServers }, lost) };
}

function withLists(server: McpServer): McpServer {
  if (server.type === "stdio") return { ...server, args: server.args ?? [], env: server.env ?? [] };
  return server.type === "http" ? { ...server, headers: server.headers ?? [] } : server;
}

const newSession: CallCodec<Calls["newSession"]> = {
  method: "session/new",
  encodeParams: (place, onLoss) => encodeFullPlace(place, lostIn("seed", "newSession", onLoss)),
  decodeParams: (wire) => decodePlace(wire as Wire),
  encodeResult: ({ sessionId, ...lists }, _peer, onLoss) => ({
    sessionId,
    ...encodeLists(lists, lostIn("seed", "newSession", onLoss)),
  }),
  decodeResult: (wire) => ({ sessionId: required((wire as Wire).sessionId), ...decodeLists(wire as Wire) }),
};

type Restoring = "loadSession" | "resumeSession";

const restoring = (method: string, call: Restoring): CallCodec<Calls[Restoring]> => ({
  method,
  encodeParams: ({ sessionId, replayFrom, ...place }: Calls["resumeSession"]["params"], onLoss) => {
    const lost = lostIn("seed", call, onLoss);
    if (replayFrom != null) lost("replay-from", replayFrom.type);
    return { sessionId, ...encodeFullPlace(place, lost) };
  },
  decodeParams: (wire) => ({ ...decodePlace(wire as Wire), sessionId: required((wire as Wire).sessionId) }),
  encodeResult: (lists, _peer, onLoss) => encodeLists(lists, lostIn("seed", call, onLoss)),
  decodeResult: (wire) => decodeLists((wire ?? {}) as Wire),
});

/** Commands follow as an update: an answer has no place for them. */
function encodeLists({ configOptions, _meta }: SessionLists, lost: Lost): object {
  const options = configOptions == null ? undefined : encodeList(configOptions, NO_BOOLEANS, lost);
  return compact({ configOptions: options, _meta });
}

/** Seed has selects only. */
export const NO_BOOLEANS = { booleanOptions: false };

/** `session/prompt` of seed: its answer is the end of the turn; custom reasons pass, `error` is an error response. */
const prompt: CallCodec<Calls["prompt"]> = {
  ...promptParams,
  encodeResult: ({ stopReason = "end_turn", messageId, usage, _meta }, _peer, onLoss) => {
    const lost = lostIn("seed", "prompt", onLoss);
    if (stopReason === "error") lost("stop-reason", stopReason);
    if (usage != null) lost("turn-usage");
    return compact({ stopReason, messageId, _meta });
  },
  decodeResult: promptResult,
};

const setConfigOption: CallCodec<Calls["setConfigOption"]> = {
  ...setConfigOptionReading,
  encodeResult: ({ configOptions }, _peer, onLoss) => ({
    configOptions: encodeList(configOptions, NO_BOOLEANS, lostIn("seed", "setConfigOption", onLoss)),
  }),
};

const askPermission: CallCodec<Calls["askPermission"]> = /* @__PURE__ */ askAboutToolCall({
  dialect: "seed",
  readPatch: toolCallPatch,
  writePatch: encodePatch,
});

function encodePatch(patch: ToolCallPatch, title: string, lost: Lost): object {
  const { capabilities, content, ...others } = patch;
  // A question shows what is known now and is not sent again when a terminal goes on.
  const told = { lost, terminals: { users: new Map(), sent: new Map() }, clientTerminals: false };
  if (capabilities != null) lost("tool-call-cancel", patch.toolCallId);
  const items = content == null ? content : encodeContent(content, patch.toolCallId, undefined, told);
  return compact({ ...others, title: patch.title ?? (patch.name == null ? title : patch.title), content: items });
}

/** Names of the calls that seed has. */
export type CallName = Exclude<
  keyof Calls,
  "setMode" | "setModel" | "elicit" | "completeElicitation" | "cancelToolCall" | "cancelTerminal"
>;

/** The calls of seed. */
export const calls: { readonly [K in CallName]: CallCodec<Calls[K]> } = {
  initialize,
  login: /* @__PURE__ */ loginBy("authenticate"),
  logout: /* @__PURE__ */ logoutBy("logout"),
  newSession,
  loadSession: /* @__PURE__ */ restoring("session/load", "loadSession"),
  resumeSession: /* @__PURE__ */ restoring("session/resume", "resumeSession"),
  listSessions,
  closeSession,
  deleteSession,
  setConfigOption,
  prompt,
  askPermission,
};
