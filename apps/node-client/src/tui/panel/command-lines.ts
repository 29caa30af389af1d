import type { TerminalState } from "@turnkit/session";
import type { Line } from "../../render/line.js";
import { terminalLines } from "../../render/terminal.js";
import { clip, screenLayout } from "../../render/wrap.js";
import type { BrowserContext } from "../model/ui.js";

/** Maximum number of lines of a running and of an ended command. The newest lines are shown. */
const ROWS = { short: 6, full: 500 } as const;

/** Returns the lines of a command that the person runs: its output, and the keys that it has. */
export function commandLines(
  state: TerminalState,
  { width, directory }: BrowserContext,
  detail: keyof typeof ROWS,
): readonly Line[] {
  const context = { width, directory, detail, layout: screenLayout };
  const lines = terminalLines(state, context, { lines: ROWS[detail], commandLines: detail === "short" ? 1 : 20 });
  const hint = detail === "short" ? "  Ctrl-C ends it" : "  /attach shows it to the agent";
  return [...lines, clip([["dim", hint]], width)];
}
