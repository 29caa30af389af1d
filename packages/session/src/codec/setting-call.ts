import type { ConfigOption } from "../settings.js";

const SETTERS = { "session/set_mode": "setMode", "session/set_model": "setModel" } as const;

/** The call by which an option is set: version 1 has calls of their own for modes and models. */
export function settingCall({ setBy }: ConfigOption): "setConfigOption" | "setMode" | "setModel" {
  return setBy === undefined ? "setConfigOption" : SETTERS[setBy];
}
