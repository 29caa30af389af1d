import { sep } from "node:path";
import { rejectOnce } from "@turnkit/client";
import { unlessAborted } from "../interrupts.js";
import { listSessions } from "../sessions/find-session.js";
import type { Setup } from "../setup/setup.js";
import { startAgent } from "../setup/start-agent.js";

/** Longest wait for the agent, in milliseconds. */
const LIMIT_MS = 30_000;

/**
 * Deletes the sessions that the agent has stored for a folder of the doctor and the folders in it. They would otherwise
 * stay in the user's list of sessions. Failures are ignored, because the checks are done.
 */
export async function deleteSessions(setup: Setup, folder: string, signal: AbortSignal): Promise<void> {
  // The checks have reported the mistakes of the agent.
  const quiet = { permissions: rejectOnce, onDiagnostic() {} };
  const starting = startAgent({ ...setup, trace: undefined }, quiet);
  const work = async () => {
    const client = await starting;
    for (const { sessionId, cwd } of await listSessions(client)) {
      if (`${cwd}${sep}`.startsWith(`${folder}${sep}`)) await client.deleteSession(sessionId);
    }
  };
  const limit = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
  await unlessAborted(work(), limit).catch(() => undefined);
  await unlessAborted(starting, limit)
    .then((client) => client.close())
    .catch(() => void starting.then((late) => late.close()).catch(() => undefined));
}
