import type { Answering, Asking, Calls, SessionLists } from "../../call.js";
import { type Answers, type Asks, type ClientCall, whole } from "../call-halves.js";
import { lostIn } from "../losses.js";
import { readOutcome, UNTITLED, writeOutcome } from "../permission.js";
import { compact, required, type Wire } from "../read.js";
import { answersOfAgent, answersOfClient, asksOfAgent, asksOfClient } from "../shared-calls.js";
import { cancelTerminal, cancelToolCall, loginBy, logoutBy } from "../simple-calls.js";
import { encodePatch } from "./diff.js";
import { encodeCommands, encodeOptions } from "./encode.js";
import { askInitialize, encodeSessionCapabilities, readHello } from "./initialize.js";
import {
  askPrompt,
  askSetConfigOption,
  decodeLists,
  decodePlace,
  encodePlace,
  permissionQuestion,
  readPrompt,
  readSetting,
  replayFrom,
} from "./session-calls.js";

const login = /* @__PURE__ */ loginBy("auth/login");
const logout = /* @__PURE__ */ logoutBy("auth/logout");

/** `initialize` of version 2. */
const answerInitialize: Answering<Calls["initialize"]> = {
  method: "initialize",
  decodeParams: readHello,
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
const askNewSession: Asking<Calls["newSession"]> = {
  method: "session/new",
  encodeParams: (place, onLoss) => encodePlace(place, lostIn("v2", "newSession", onLoss)),
  decodeResult: (wire) => ({ sessionId: required((wire as Wire).sessionId), ...decodeLists(wire as Wire) }),
};

const answerNewSession: Answering<Calls["newSession"]> = {
  method: "session/new",
  decodeParams: (wire) => decodePlace(wire as Wire),
  encodeResult: ({ sessionId, ...lists }) => ({ sessionId, ...encodeLists(lists) }),
};

/** `session/resume` of version 2; the replay, where one is asked for, comes before its answer. */
const askResumeSession: Asking<Calls["resumeSession"]> = {
  method: "session/resume",
  encodeParams: ({ sessionId, replayFrom, ...place }, onLoss) =>
    compact({
      sessionId,
      ...encodePlace(place, lostIn("v2", "resumeSession", onLoss)),
      replayFrom: replayFrom ?? undefined,
    }),
  decodeResult: (wire) => decodeLists((wire ?? {}) as Wire),
};

const answerResumeSession: Answering<Calls["resumeSession"]> = {
  method: "session/resume",
  decodeParams: (wire) => {
    const { sessionId, replayFrom: from } = wire as Wire;
    return compact({ ...decodePlace(wire as Wire), sessionId: required(sessionId), replayFrom: replayFrom(from) });
  },
  encodeResult: encodeLists,
};

/** What version 1 calls loading is resuming with a replay from the start (V2-SES-08). */
const askLoadSession: Asking<Calls["loadSession"]> = {
  method: "session/resume",
  encodeParams: (params, onLoss) => askResumeSession.encodeParams({ ...params, replayFrom: { type: "start" } }, onLoss),
  decodeResult: (wire) => decodeLists((wire ?? {}) as Wire),
};

const answerLoadSession: Answering<Calls["loadSession"]> = {
  method: "session/resume",
  decodeParams: (wire) => ({ ...decodePlace(wire as Wire), sessionId: required((wire as Wire).sessionId) }),
  encodeResult: encodeLists,
};

function encodeLists({ configOptions, availableCommands, _meta }: SessionLists): object {
  return compact({
    configOptions: configOptions == null ? undefined : encodeOptions(configOptions),
    availableCommands: availableCommands == null ? undefined : encodeCommands(availableCommands),
    _meta,
  });
}

/** `session/prompt` of version 2: its answer says that the message is part of the conversation. */
const answerPrompt: Answering<Calls["prompt"]> = {
  method: "session/prompt",
  decodeParams: readPrompt,
  encodeResult: ({ messageId, _meta }) => compact({ messageId, _meta }),
};

const answerSetConfigOption: Answering<Calls["setConfigOption"]> = {
  method: "session/set_config_option",
  decodeParams: readSetting,
  encodeResult: ({ configOptions }) => ({ configOptions: encodeOptions(configOptions) }),
};

/** `session/request_permission` of version 2. */
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

const answerPermission: Answering<Calls["askPermission"]> = {
  method: "session/request_permission",
  decodeParams: (wire) => permissionQuestion(wire as Wire, UNTITLED),
  encodeResult: writeOutcome,
};

/** What clients ask in version 2. */
export const clientAsks = /* @__PURE__ */ asksOfClient({
  initialize: askInitialize,
  login,
  logout,
  newSession: askNewSession,
  loadSession: askLoadSession,
  resumeSession: askResumeSession,
  setConfigOption: askSetConfigOption,
  prompt: askPrompt,
  cancelToolCall,
  cancelTerminal,
} satisfies Asks<ClientCall>);

/** How agents answer it. */
export const agentAnswers = /* @__PURE__ */ answersOfAgent({
  initialize: answerInitialize,
  login,
  logout,
  newSession: answerNewSession,
  loadSession: answerLoadSession,
  resumeSession: answerResumeSession,
  setConfigOption: answerSetConfigOption,
  prompt: answerPrompt,
  cancelToolCall,
  cancelTerminal,
} satisfies Answers<ClientCall>);

/** What agents ask in version 2. */
export const agentAsks = /* @__PURE__ */ asksOfAgent({ askPermission } satisfies Asks);

/** How clients answer it. */
export const clientAnswers = /* @__PURE__ */ answersOfClient({
  askPermission: answerPermission,
} satisfies Answers);

/** Names of the calls that version 2 has. */
export type CallName = keyof typeof clientAsks | keyof typeof agentAsks;

/** The calls of version 2, both halves of each. */
export const calls = /* @__PURE__ */ allCalls();

function allCalls() {
  return { ...whole(clientAsks, agentAnswers), ...whole(agentAsks, clientAnswers) };
}
