import type { CallCodec, Calls } from "../../call.js";
import { initialize } from "./initialize.js";
import { askPermission, login, prompt } from "./prompt-calls.js";
import { loadSession, newSession, resumeSession, setConfigOption, setMode, setModel } from "./session-calls.js";

/** The calls of version 1. */
export const calls: { readonly [K in keyof Calls]: CallCodec<Calls[K]> } = {
  initialize,
  login,
  newSession,
  loadSession,
  resumeSession,
  setConfigOption,
  setMode,
  setModel,
  prompt,
  askPermission,
};
