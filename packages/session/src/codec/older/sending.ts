import type { ClientCapabilities } from "../../call.js";
import type { Lost } from "../lost.js";

/** Which tool calls show which terminal, and how much of it the peer got. */
export type ShownTerminals = {
  readonly users: Map<string, Set<string>>;
  /** Bytes that a terminal had put out when its text was sent last, by tool call and terminal. */
  readonly sent: Map<string, number>;
};

/** What the parts of one encoder share, where the dialect has no terminals of the agent. */
export type Sending = {
  readonly peer: ClientCapabilities;
  readonly terminals: ShownTerminals;
  /** Whether the dialect knows terminals of the client. */
  readonly clientTerminals: boolean;
  /** Plans that were sent as text: the id they go by, and what was said. */
  readonly planTexts: Map<string, { readonly messageId: string; readonly text: string }>;
  readonly lost: Lost;
};
