import { type Answers, type Asks, type ClientCall, whole } from "../call-halves.js";
import { answerElicit, askElicit } from "../elicit.js";
import {
  answerListSessions,
  askListSessions,
  closeSession,
  completeElicitation,
  deleteSession,
} from "../simple-calls.js";
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
export const clientAsks = {
  initialize: askInitialize,
  login,
  logout,
  newSession: askNewSession,
  loadSession: askLoadSession,
  resumeSession: askResumeSession,
  listSessions: askListSessions,
  closeSession,
  deleteSession,
  setConfigOption: askSetConfigOption,
  setMode: askSetMode,
  setModel: askSetModel,
  prompt: askPrompt,
} satisfies Asks<ClientCall>;

/** How agents answer it. */
export const agentAnswers = {
  initialize: answerInitialize,
  login,
  logout,
  newSession: answerNewSession,
  loadSession: answerLoadSession,
  resumeSession: answerResumeSession,
  listSessions: answerListSessions,
  closeSession,
  deleteSession,
  setConfigOption: answerSetConfigOption,
  setMode: answerSetMode,
  setModel: answerSetModel,
  prompt: answerPrompt,
} satisfies Answers<ClientCall>;

/** What agents ask in version 1. */
export const agentAsks = { askPermission, elicit: askElicit, completeElicitation } satisfies Asks;

/** How clients answer it. */
export const clientAnswers = {
  askPermission: answerPermission,
  elicit: answerElicit,
  completeElicitation,
} satisfies Answers;

/** Names of the calls that version 1 has. */
export type CallName = keyof typeof clientAsks | keyof typeof agentAsks;

/** The calls of version 1, both halves of each. */
export const calls = /* @__PURE__ */ allCalls();

function allCalls() {
  return { ...whole(clientAsks, agentAnswers), ...whole(agentAsks, clientAnswers) };
}
