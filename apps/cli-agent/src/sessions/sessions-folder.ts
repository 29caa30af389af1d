import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { SessionLog } from "@turnkit/agent";
import { createFileLog } from "@turnkit/agent/node";
import { absolute } from "../config/config-folder.js";

/** The variables that decide where state is kept. */
export type StateEnvironment = { readonly XDG_STATE_HOME?: string; readonly LOCALAPPDATA?: string };

/** Where sessions are kept: `~/.local/state/turnkit/agent/sessions`, or what the platform has instead. */
export function sessionsFolder(
  env: StateEnvironment = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const windows = platform === "win32" ? env.LOCALAPPDATA : undefined;
  const state = absolute(env.XDG_STATE_HOME) ?? (windows || join(homedir(), ".local", "state"));
  return join(state, "turnkit", "agent", "sessions");
}

/**
 * The log of all sessions. Only this user may look into the folder.
 *
 * @param onProblem told when sessions cannot be kept there, and when one was damaged; the agent works without a log, too
 * @returns `undefined` if the folder cannot be made or used
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
