import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { SessionLog } from "@turnkit/agent";
import { createFileLog } from "@turnkit/agent/node";
import { absolute } from "../config/config-folder.js";

/** Variables that set the folder of state. */
export type StateEnvironment = { readonly XDG_STATE_HOME?: string; readonly LOCALAPPDATA?: string };

/** Returns the folder of sessions: `~/.local/state/turnkit/agent/sessions`, or the platform's equivalent. */
export function sessionsFolder(
  env: StateEnvironment = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const windows = platform === "win32" ? env.LOCALAPPDATA : undefined;
  const state = absolute(env.XDG_STATE_HOME) ?? (windows || join(homedir(), ".local", "state"));
  return join(state, "turnkit", "agent", "sessions");
}

/**
 * Opens the log of all sessions. Only this user may read the folder.
 *
 * @param onProblem called when the folder cannot be used, and for a damaged session; the agent also works without a log
 * @returns `undefined` if the folder cannot be created or used
 */
export async function openSessions(
  folder: string,
  onProblem: (message: string) => void,
): Promise<SessionLog | undefined> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    onProblem(`Sessions are not kept: ${folder} cannot be used: ${(error as Error).message}.`);
    return undefined;
  }
  return createFileLog(folder, {
    onRepair: ({ sessionId, cutBytes, damagedRecords }) =>
      onProblem(
        `Session ${sessionId} was damaged: ${cutBytes} bytes at its end and ${damagedRecords} records are lost.`,
      ),
  });
}
