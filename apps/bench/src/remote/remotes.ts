import type { Connected } from "../wire/party.js";

/** Profile of the remote transport. */
export type Profile = "SSE" | "WebSocket";

/** One implementation of both sides of the remote transport. */
export type Remote = {
  /** Serves the load agent on a free port of this machine. Returns the port. */
  serve(): Promise<number>;
  connect(port: number, profile: Profile): Promise<Connected>;
};

/** Each is loaded in its own processes only. */
export const remotes = {
  turnkit: async () => (await import("./turnkit.js")).turnkit,
  "SDK 2.4.0": async () => (await import("./official.js")).official,
} satisfies Record<string, () => Promise<Remote>>;

export type RemoteName = keyof typeof remotes;
