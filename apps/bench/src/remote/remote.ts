import type { Connected } from "../wire/party.js";

/** Profile of the remote transport. */
export type Profile = "SSE" | "WebSocket";

/** One implementation of both sides of the remote transport. */
export type Remote = {
  /** Serves the load agent on a free port of this machine. Returns the port. */
  serve(): Promise<number>;
  connect(port: number, profile: Profile): Promise<Connected>;
};
