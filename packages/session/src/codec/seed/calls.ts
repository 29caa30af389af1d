import type { Answering, Asking, AuthMethod, Calls, McpServer, SessionLists, SessionPlace } from "../../call.js";
import type { ToolCallPatch } from "../../tool-call.js";
import { type Answers, type Asks, type ClientCall, whole } from "../call-halves.js";
import { encodeContent } from "../fallback/content.js";
import { answerAboutToolCall, askAboutToolCall } from "../fallback/permission.js";
import { noTerminals } from "../fallback/sending.js";
import { encodeList } from "../fallback/settings.js";
import { type Lost, lostIn } from "../losses.js";
import { compact, mark, required, type Wire } from "../read.js";
import { answersOfAgent, asksOfClient } from "../shared-calls.js";
import { loginBy, logoutBy } from "../simple-calls.js";
import { askInitialize, encodeSessionCapabilities, readHello } from "../v2/initialize.js";
import {
  askPrompt,
  askSetConfigOption,
  decodeLists,
  decodePlace,
  encodePlace,
  readPrompt,
  readSetting,
} from "../v2/session-calls.js";
import { toolCallPatch } from "../v2/tool-call.js";

/** `initialize` as seed answers it: who it is and what it can do have older names there (V2-SEED-24). */
const answerInitialize: Answering<Calls["initialize"]> = {
  method: "initialize",
  decodeParams: readHello,
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

const askNewSession: Asking<Calls["newSession"]> = {
  method: "session/new",
  encodeParams: (place, onLoss) => encodeFullPlace(place, lostIn("seed", "newSession", onLoss)),
  decodeResult: (wire) => ({ sessionId: required((wire as Wire).sessionId), ...decodeLists(wire as Wire) }),
};

const answerNewSession: Answering<Calls["newSession"]> = {
  method: "session/new",
  decodeParams: (wire) => decodePlace(wire as Wire),
  encodeResult: ({ sessionId, ...lists }, _peer, onLoss) => ({
    sessionId,
    ...encodeLists(lists, lostIn("seed", "newSession", onLoss)),
  }),
};

type Restoring = "loadSession" | "resumeSession";

const askBack = (method: string, call: Restoring): Asking<Calls[Restoring]> => ({
  method,
  encodeParams: ({ sessionId, replayFrom, ...place }: Calls["resumeSession"]["params"], onLoss) => {
    const lost = lostIn("seed", call, onLoss);
    if (replayFrom != null) lost("replay-from", replayFrom.type);
    return { sessionId, ...encodeFullPlace(place, lost) };
  },
  decodeResult: (wire) => decodeLists((wire ?? {}) as Wire),
});

const answerBack = (method: string, call: Restoring): Answering<Calls[Restoring]> => ({
  method,
  decodeParams: (wire) => ({ ...decodePlace(wire as Wire), sessionId: required((wire as Wire).sessionId) }),
  encodeResult: (lists, _peer, onLoss) => encodeLists(lists, lostIn("seed", call, onLoss)),
});

/** Commands follow as an update: an answer has no place for them. */
function encodeLists({ configOptions, _meta }: SessionLists, lost: Lost): object {
  const options = configOptions == null ? undefined : encodeList(configOptions, NO_BOOLEANS, lost);
  return compact({ configOptions: options, _meta });
}

/** Seed has selects only. */
export const NO_BOOLEANS = { booleanOptions: false };

/** `session/prompt` of seed: its answer is the end of the turn; custom reasons pass, `error` is an error response. */
const answerPrompt: Answering<Calls["prompt"]> = {
  method: "session/prompt",
  decodeParams: readPrompt,
  encodeResult: ({ stopReason = "end_turn", messageId, usage, _meta }, _peer, onLoss) => {
    const lost = lostIn("seed", "prompt", onLoss);
    if (stopReason === "error") lost("stop-reason", stopReason);
    if (usage != null) lost("turn-usage");
    return compact({ stopReason, messageId, _meta });
  },
};

const answerSetConfigOption: Answering<Calls["setConfigOption"]> = {
  method: "session/set_config_option",
  decodeParams: readSetting,
  encodeResult: ({ configOptions }, _peer, onLoss) => ({
    configOptions: encodeList(configOptions, NO_BOOLEANS, lostIn("seed", "setConfigOption", onLoss)),
  }),
};

const askPermission = /* @__PURE__ */ askAboutToolCall({ dialect: "seed", writePatch: encodePatch });
const answerPermission = /* @__PURE__ */ answerAboutToolCall(toolCallPatch);

function encodePatch(patch: ToolCallPatch, title: string, lost: Lost): object {
  const { capabilities, content, ...others } = patch;
  // A question shows what is known now and is not sent again when a terminal goes on.
  const told = { lost, terminals: noTerminals(), clientTerminals: false };
  if (capabilities != null) lost("tool-call-cancel", patch.toolCallId);
  const items = content == null ? content : encodeContent(content, patch.toolCallId, undefined, told);
  return compact({ ...others, title: patch.title ?? (patch.name == null ? title : patch.title), content: items });
}

const login = /* @__PURE__ */ loginBy("authenticate");
const logout = /* @__PURE__ */ logoutBy("logout");

/** What clients ask in seed. */
export const clientAsks = /* @__PURE__ */ asksOfClient({
  initialize: askInitialize,
  login,
  logout,
  newSession: askNewSession,
  loadSession: /* @__PURE__ */ askBack("session/load", "loadSession"),
  resumeSession: /* @__PURE__ */ askBack("session/resume", "resumeSession"),
  setConfigOption: askSetConfigOption,
  prompt: askPrompt,
} satisfies Asks<ClientCall>);

/** How agents answer it. */
export const agentAnswers = /* @__PURE__ */ answersOfAgent({
  initialize: answerInitialize,
  login,
  logout,
  newSession: answerNewSession,
  loadSession: /* @__PURE__ */ answerBack("session/load", "loadSession"),
  resumeSession: /* @__PURE__ */ answerBack("session/resume", "resumeSession"),
  setConfigOption: answerSetConfigOption,
  prompt: answerPrompt,
} satisfies Answers<ClientCall>);

/** What agents ask in seed. */
export const agentAsks = { askPermission } satisfies Asks;

/** How clients answer it. */
export const clientAnswers = { askPermission: answerPermission } satisfies Answers;

/** The calls of seed, both halves of each. */
export const calls = /* @__PURE__ */ allCalls();

function allCalls() {
  return { ...whole(clientAsks, agentAnswers), ...whole(agentAsks, clientAnswers) };
}
