import type { Remote } from "./remote.js";

/** Implementations. A process loads only its own. */
export const remotes = {
  turnkit: async () => (await import("./turnkit.js")).turnkit,
  "SDK 2.4.0": async () => (await import("./official.js")).official,
} satisfies Record<string, () => Promise<Remote>>;

export type RemoteName = keyof typeof remotes;
