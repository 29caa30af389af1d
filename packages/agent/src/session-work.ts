import type { BackgroundWork, SessionState } from "@turnkit/session";
import { shortened } from "./cut-text.js";
import { isFinalStatus } from "./tool-call.js";

/** Maximum number of entries. A further entry removes the oldest, because an agent may never end its work. */
const MAX_ENTRIES = 1_000;

/** Maximum length of a name in a report, in characters. */
const MAX_NAME = 200;

type Found = { readonly name: string; readonly isListed: boolean; readonly end: string };

/** Tool calls and terminals of a session that belong to no turn. Work that does not end is reported. */
export class SessionWork {
  readonly #keys = new Set<string>();

  add(type: "tool_call" | "terminal", id: string): void {
    this.#keys.add(`${type}:${id}`);
    const [oldest] = this.#keys.size > MAX_ENTRIES ? this.#keys : [];
    if (oldest !== undefined) this.#keys.delete(oldest);
  }

  /** Reports each running work once, except work that the list of background work contains. Work that has ended is forgotten. */
  reportUnlisted(
    state: SessionState,
    background: readonly BackgroundWork[],
    report: (message: string, error: undefined, code: "unfinished") => void,
  ): void {
    for (const key of this.#keys) {
      const found = findWork(state, key, background);
      if (found?.isListed) continue;
      this.#keys.delete(key);
      if (found === undefined) continue;
      const { name, end } = found;
      const message = `${name} of the session still runs after the end of a turn, and is shown as running.`;
      report(`${message} Call ${end} when it is done, or list it with session.setBackground.`, undefined, "unfinished");
    }
  }
}

/** Returns work that has no end. The state may have dropped old work. */
function findWork(state: SessionState, key: string, background: readonly BackgroundWork[]): Found | undefined {
  const call = state.timeline.get(key);
  if (call?.type === "tool_call") {
    if (isFinalStatus(call.status)) return undefined;
    const isListed = background.some((work) => work.type === "tool_call" && work.toolCallId === call.toolCallId);
    return { name: `Tool call ${quoted(call.title ?? call.toolCallId)}`, isListed, end: "finish() or fail()" };
  }
  const terminal = state.terminals.get(key.slice("terminal:".length));
  if (terminal === undefined || terminal.exitStatus !== undefined) return undefined;
  const { terminalId, command } = terminal;
  const isListed = background.some((work) => work.type === "terminal" && work.terminalId === terminalId);
  return {
    name: `Terminal ${quoted(command ?? terminalId)}`,
    isListed,
    end: "exit(), or release() of a local terminal,",
  };
}

const quoted = (name: string): string => JSON.stringify(shortened(name, MAX_NAME));
