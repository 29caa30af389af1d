import type { CallCodec, Calls } from "../../call.js";
import { elicit } from "../elicit.js";
import { closeSession, completeElicitation, deleteSession, listSessions } from "../simple-calls.js";
import { initialize } from "./initialize.js";
import { askPermission, login, logout, prompt } from "./prompt-calls.js";
import { loadSession, newSession, resumeSession, setConfigOption, setMode, setModel } from "./session-calls.js";

/** Names of the calls that version 1 has. */
export type CallName = Exclude<keyof Calls, "cancelToolCall" | "cancelTerminal">;

/** The calls of version 1. */
export const calls: { readonly [K in CallName]: CallCodec<Calls[K]> } = {
  initialize,
  login,
  logout,
  newSession,
  loadSession,
  resumeSession,
  listSessions,
  closeSession,
  deleteSession,
  setConfigOption,
  setMode,
  setModel,
  prompt,
  askPermission,
  elicit,
  completeElicitation,
};
