import { framingChecks } from "../../agent/checks/framing.js";
import { wrongMessageChecks } from "../../agent/checks/wrong-messages.js";
import type { AgentCheck } from "../../check.js";

/**
 * Checks that cannot hold for a remote agent. `initialize` opens the connection, so it is the first message and comes once. The
 * transport adds members and capabilities of its own.
 */
const others = ["TK-INIT-03", "TK-INIT-04", "TK-INIT-09", "ACP-SCHEMA-002", "ACP-INIT-204", "ACP-EXT-202"];

/** Checks of lines and broken messages, which a remote transport does not carry. The transport has checks of its own. */
const leftOut = new Set([...framingChecks, ...wrongMessageChecks].map(({ id }) => id).concat(others));

/** Returns `true` for a check that makes sense over HTTP and WebSocket. */
export function isRemoteCheck({ id }: AgentCheck): boolean {
  return !leftOut.has(id);
}
