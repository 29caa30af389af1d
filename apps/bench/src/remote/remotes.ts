import type { Remote } from "./remote.js";

/** Each is loaded in its own processes only. */
export const remotes = {
  turnkit: async () => (await import("./turnkit.js")).turnkit,
  "SDK 2.4.0": async () => (await import("./official.js")).official,
} satisfies Record<string, () => Promise<Remote>>;

export type RemoteName = keyof typeof remotes;
