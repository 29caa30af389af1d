import type { SessionState } from "@turnkit/session";
import { cut } from "./render/line.js";
import { oneLine } from "./sanitise.js";

type State = Pick<SessionState, "activity" | "terminals">;

/** Maximum number of characters of a command. */
const MAX_COMMAND = 200;

/** Returns the commands that run in the background, by the id of their terminal. */
export function backgroundCommands({ activity, terminals }: State): ReadonlyMap<string, string> {
  const commands = new Map<string, string>();
  for (const work of activity.background ?? []) {
    if (work.type !== "terminal" || !("terminalId" in work)) continue;
    const { command, exitStatus } = terminals.get(work.terminalId) ?? {};
    if (exitStatus === undefined) commands.set(work.terminalId, oneLine(cut(command ?? work.terminalId, MAX_COMMAND)));
  }
  return commands;
}

/** Creates a function that returns a sentence for each command that has ended in the background since the last call. */
export function createBackgroundNotes(): (state: State) => readonly string[] {
  let known: ReadonlyMap<string, string> = new Map();
  return (state) => {
    const now = backgroundCommands(state);
    const ended = [...known].filter(([id]) => !now.has(id));
    known = now;
    return ended.map(([id, command]) => {
      const { exitCode, signal } = state.terminals.get(id)?.exitStatus ?? {};
      const how = exitCode != null ? ` (exit code ${exitCode})` : signal != null ? ` (${oneLine(signal)})` : "";
      return `${command}: ended in the background${how}`;
    });
  };
}
