import type { ClientCapabilities } from "../../call.js";
import type { Lost } from "../lost.js";
import type { Sent } from "../sent.js";
import type { ShownTerminals } from "./terminals.js";

/** What the parts of one encoder share, where the dialect has no terminals of the agent. */
export type Sending = {
  readonly peer: ClientCapabilities;
  readonly terminals: ShownTerminals;
  /** Whether the dialect knows terminals of the client. */
  readonly clientTerminals: boolean;
  /** Plans that were sent as text: the id they go by, what was said, and how often it began anew. */
  readonly planTexts: Sent<{ readonly messageId: string; readonly text: string; readonly times: number }>;
  readonly lost: Lost;
};
