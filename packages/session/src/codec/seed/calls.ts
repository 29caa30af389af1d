import type { AuthMethod, CallCodec, Calls, McpServer } from "../../call.js";
import type { ToolCallPatch } from "../../tool-call.js";
import { AUTH_MARKS, allCalls, commonCommands, olderAuth } from "../calls.js";
import type { CallTable } from "../codec.js";
import { encodeContent } from "../fallback/content.js";
import { createShownTerminals } from "../fallback/sending.js";
import { encodeList } from "../fallback/settings.js";
import { allMarks, writeMarks } from "../introduction.js";
import { type Lost, lostIn } from "../losses.js";
import { askAboutToolCall } from "../permission.js";
import { compact } from "../read.js";
import { sessionCalls } from "../session-calls.js";
import * as v2 from "../v2/calls.js";
import { encodeSessionCapabilities, initialize, MARKERS } from "../v2/initialize.js";

/** Returns the calls of version 2, with the differences of seed. */
function allCommands() {
  return {
    ...commonCommands(olderAuth, {
      ...v2.options,
      dialect: "seed",
      writeOptions: (options, lost) => encodeList(options, lost),
    }),
    ...sessionCalls({
      ...v2.sessions,
      dialect: "seed",
      // Seed requires every list (V2-SEED-05).
      requiresServers: true,
      encodeServer: (server, lost) => v2.encodeServer(withLists(server), lost),
      // The commands follow in an update.
      encodeLists: ({ configOptions, _meta }, lost) =>
        compact({
          configOptions: configOptions == null ? undefined : encodeList(configOptions, lost),
          _meta,
        }),
    }),
    // The answer has older names for the agent and its capabilities (V2-SEED-24).
    initialize: { ...initialize, encodeResult: encodeHello },
    prompt: { ...v2.prompt, encodeResult: encodeTurnEnd },
  } satisfies CallTable;
}

const encodeHello: CallCodec<Calls["initialize"]>["encodeResult"] = (
  { protocolVersion, info, capabilities, authMethods, _meta },
  _peer,
  onLoss,
) => {
  const lost = lostIn("seed", "initialize", onLoss);
  // Every agent with a login has these capabilities (V2-AUTH-01).
  const auth = writeMarks(authMethods.length > 0 ? allMarks(AUTH_MARKS, true) : capabilities, AUTH_MARKS);
  const session = {
    ...encodeSessionCapabilities(capabilities),
    ...writeMarks(capabilities, MARKERS),
  };
  return compact({
    protocolVersion,
    agentInfo: info,
    capabilities: compact({
      session: capabilities.sessions === false ? undefined : compact(session),
      auth: Object.keys(auth).length > 0 ? auth : undefined,
      _meta: capabilities._meta,
    }),
    authMethods: authMethods.flatMap((method) => encodeAuthMethod(method, lost)),
    _meta,
  });
};

/** Encodes the end of a turn. Stop reasons of extensions are not changed. An error becomes an error response. */
const encodeTurnEnd: CallCodec<Calls["prompt"]>["encodeResult"] = (
  { stopReason = "end_turn", messageId, usage, _meta },
  _peer,
  onLoss,
) => {
  const lost = lostIn("seed", "prompt", onLoss);
  if (stopReason === "error") lost("stop-reason", stopReason);
  if (usage != null) lost("turn-usage");
  return compact({ stopReason, messageId, _meta });
};

function encodeAuthMethod(method: AuthMethod, lost: Lost): readonly object[] {
  if (method.type === "agent") return [{ ...method, id: method.methodId }];
  lost(method.type === "terminal" ? "auth-method" : "unknown", method.methodId);
  return [];
}

function withLists(server: McpServer): McpServer {
  if (server.type === "stdio") return { ...server, args: server.args ?? [], env: server.env ?? [] };
  return server.type === "http" ? { ...server, headers: server.headers ?? [] } : server;
}

function encodePatch(patch: ToolCallPatch, title: string, lost: Lost): object {
  const { capabilities, content, ...others } = patch;
  // A question contains the current output. It is not sent again when more output arrives.
  const sending = { lost, terminals: createShownTerminals(), clientTerminals: false, linksSessions: false };
  if (capabilities != null) lost("tool-call-cancel", patch.toolCallId);
  const items = content == null ? content : encodeContent(content, patch.toolCallId, undefined, sending);
  return compact({ ...others, title: patch.title ?? (patch.name == null ? title : patch.title), content: items });
}

/** Calls of clients in seed. */
export const commands = /* @__PURE__ */ allCommands();

/** Calls of agents in seed, for the agent. */
export const questions = {
  askPermission: /* @__PURE__ */ askAboutToolCall({ dialect: "seed", writePatch: encodePatch }),
};

/** Calls of agents in seed, for the client. */
export const answers = { askPermission: v2.answer };

/** All calls of seed. */
export const calls = /* @__PURE__ */ allCalls(commands, questions, answers);
