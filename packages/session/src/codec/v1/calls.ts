import { type Answers, type Asks, type ClientCall, whole } from "../call-halves.js";
import { answersOfAgent, answersOfClient, asksOfAgent, asksOfClient } from "../shared-calls.js";
import { answerInitialize, askInitialize } from "./initialize.js";
import { answerPermission, answerPrompt, askPermission, askPrompt, login, logout } from "./prompt-calls.js";
import {
  answerLoadSession,
  answerNewSession,
  answerResumeSession,
  answerSetConfigOption,
  answerSetMode,
  answerSetModel,
  askLoadSession,
  askNewSession,
  askResumeSession,
  askSetConfigOption,
  askSetMode,
  askSetModel,
} from "./session-calls.js";

/** What clients ask in version 1. */
export const clientAsks = /* @__PURE__ */ asksOfClient({
  initialize: askInitialize,
  login,
  logout,
  newSession: askNewSession,
  loadSession: askLoadSession,
  resumeSession: askResumeSession,
  setConfigOption: askSetConfigOption,
  setMode: askSetMode,
  setModel: askSetModel,
  prompt: askPrompt,
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
  setMode: answerSetMode,
  setModel: answerSetModel,
  prompt: answerPrompt,
} satisfies Answers<ClientCall>);

/** What agents ask in version 1. */
export const agentAsks = /* @__PURE__ */ asksOfAgent({ askPermission } satisfies Asks);

/** How clients answer it. */
export const clientAnswers = /* @__PURE__ */ answersOfClient({
  askPermission: answerPermission,
} satisfies Answers);

/** Names of the calls that version 1 has. */
export type CallName = keyof typeof clientAsks | keyof typeof agentAsks;

/** The calls of version 1, both halves of each. */
export const calls = /* @__PURE__ */ allCalls();

function allCalls() {
  return { ...whole(clientAsks, agentAnswers), ...whole(agentAsks, clientAnswers) };
}
