import type { CallCodec, Calls, SessionLists } from "../../call.js";
import { encodeSessionCapabilities, initializeReading } from "../draft/initialize.js";
import {
  decodeLists,
  decodePlace,
  encodePlace,
  permissionQuestion,
  promptParams,
  promptResult,
  replayFrom,
  setConfigOptionReading,
} from "../draft/session-calls.js";
import { elicit } from "../elicit.js";
import { lostIn } from "../lost.js";
import { readOutcome, UNTITLED, writeOutcome } from "../permission.js";
import { compact, required, type Wire } from "../read.js";
import {
  cancelTerminal,
  cancelToolCall,
  closeSession,
  completeElicitation,
  deleteSession,
  listSessions,
  loginBy,
  logoutBy,
} from "../simple-calls.js";
import { encodePatch } from "./diff.js";
import { encodeCommands, encodeOptions } from "./settings.js";

/** `initialize` of version 2. */
const initialize: CallCodec<Calls["initialize"]> = {
  ...initializeReading,
  encodeResult: ({ protocolVersion, info, capabilities, authMethods, _meta }) =>
    compact({
      protocolVersion,
      info,
      capabilities: compact({
        session: capabilities.sessions === false ? undefined : encodeSessionCapabilities(capabilities),
        _meta: capabilities._meta,
      }),
      authMethods: authMethods.length > 0 ? authMethods : undefined,
      _meta,
    }),
};

/** `session/new` of version 2. */
const newSession: CallCodec<Calls["newSession"]> = {
  method: "session/new",
  encodeParams: (place, onLoss) => encodePlace(place, lostIn("v2", "newSession", onLoss)),
  decodeParams: (wire) => decodePlace(wire as Wire),
  encodeResult: ({ sessionId, ...lists }) => ({ sessionId, ...encodeLists(lists) }),
  decodeResult: (wire) => ({ sessionId: required((wire as Wire).sessionId), ...decodeLists(wire as Wire) }),
};

/** `session/resume` of version 2; the replay, where one is asked for, comes before its answer. */
const resumeSession: CallCodec<Calls["resumeSession"]> = {
  method: "session/resume",
  encodeParams: ({ sessionId, replayFrom, ...place }, onLoss) =>
    compact({
      sessionId,
      ...encodePlace(place, lostIn("v2", "resumeSession", onLoss)),
      replayFrom: replayFrom ?? undefined,
    }),
  decodeParams: (wire) => {
    const { sessionId, replayFrom: from } = wire as Wire;
    return compact({ ...decodePlace(wire as Wire), sessionId: required(sessionId), replayFrom: replayFrom(from) });
  },
  encodeResult: encodeLists,
  decodeResult: (wire) => decodeLists((wire ?? {}) as Wire),
};

/** What version 1 calls loading is resuming with a replay from the start (V2-SES-08). */
const loadSession: CallCodec<Calls["loadSession"]> = {
  method: "session/resume",
  encodeParams: (params, onLoss) => resumeSession.encodeParams({ ...params, replayFrom: { type: "start" } }, onLoss),
  decodeParams: (wire) => ({ ...decodePlace(wire as Wire), sessionId: required((wire as Wire).sessionId) }),
  encodeResult: encodeLists,
  decodeResult: resumeSession.decodeResult,
};

function encodeLists({ configOptions, availableCommands, _meta }: SessionLists): object {
  return compact({
    configOptions: configOptions == null ? undefined : encodeOptions(configOptions),
    availableCommands: availableCommands == null ? undefined : encodeCommands(availableCommands),
    _meta,
  });
}

/** `session/prompt` of version 2: its answer says that the message is part of the conversation. */
const prompt: CallCodec<Calls["prompt"]> = {
  ...promptParams,
  encodeResult: ({ messageId, _meta }) => compact({ messageId, _meta }),
  decodeResult: promptResult,
};

const setConfigOption: CallCodec<Calls["setConfigOption"]> = {
  ...setConfigOptionReading,
  encodeResult: ({ configOptions }) => ({ configOptions: encodeOptions(configOptions) }),
};

/** `session/request_permission` of version 2. */
const askPermission: CallCodec<Calls["askPermission"]> = {
  method: "session/request_permission",
  encodeParams: ({ sessionId, title, description, subject, options, _meta }, onLoss) => {
    const lost = lostIn("v2", "askPermission", onLoss);
    const about =
      subject?.type === "tool_call" ? { ...subject, toolCall: encodePatch(subject.toolCall, lost) } : subject;
    return compact({ sessionId, title, description, subject: about, options, _meta });
  },
  decodeParams: (wire) => permissionQuestion(wire as Wire, UNTITLED),
  encodeResult: writeOutcome,
  decodeResult: readOutcome,
};

/** Names of the calls that version 2 has. */
export type CallName = Exclude<keyof Calls, "setMode" | "setModel">;

/** The calls of version 2. */
export const calls: { readonly [K in CallName]: CallCodec<Calls[K]> } = {
  initialize,
  login: /* @__PURE__ */ loginBy("auth/login"),
  logout: /* @__PURE__ */ logoutBy("auth/logout"),
  newSession,
  loadSession,
  resumeSession,
  listSessions,
  closeSession,
  deleteSession,
  setConfigOption,
  prompt,
  askPermission,
  elicit,
  completeElicitation,
  cancelToolCall,
  cancelTerminal,
};
