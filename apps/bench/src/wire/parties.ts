import type { Party } from "./party.js";

/** Implementations of the protocol. A process loads only its own. */
export const parties = {
  "turnkit v1": async () => (await import("./turnkit.js")).turnkit("v1"),
  "turnkit v2": async () => (await import("./turnkit.js")).turnkit("v2"),
  "SDK 2.4.0 v1": async () => (await import("./official-v1.js")).official,
  "SDK 2.4.0 v2": async () => (await import("./official-v2.js")).official,
  "vscode-jsonrpc 8": async () => (await import("./vscode.js")).vscode,
  "raw pipe": async () => (await import("./raw.js")).raw,
} satisfies Record<string, () => Promise<Party>>;

export type PartyName = keyof typeof parties;
