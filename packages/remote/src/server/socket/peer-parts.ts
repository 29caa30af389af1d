import type { Connections } from "../connections.js";
import type { Principal } from "../server-options.js";
import type { Settings } from "../settings.js";

/** Parts of an accepted WebSocket. */
export type PeerParts<P extends Principal> = {
  /** Id of the connection that it begins or continues. */
  readonly id: string;
  /** `true` if the upgrade has named a connection. */
  readonly isResume: boolean;
  readonly principal: P;
  readonly connections: Connections<P>;
  readonly settings: Settings;
};
