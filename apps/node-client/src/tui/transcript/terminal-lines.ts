import type { TerminalState } from "@turnkit/session";
import { sanitise, showControls } from "../../sanitise.js";
import type { Line } from "../text/line.js";
import { wrapText } from "../text/wrap.js";

/** Text that is looked at for one line of the screen, in characters. */
const PER_LINE = 400;

/** A command and the end of what it printed: the newest `lines` lines, as a terminal would show them. */
export function terminalLines(
  terminal: TerminalState,
  { width, lines }: { readonly width: number; readonly lines: number },
): readonly Line[] {
  const { command, text, exitStatus, droppedBytes } = terminal;
  const gutter: Line = [["dim", "  │ "]];
  const tail = text.slice(-lines * PER_LINE);
  // What a progress bar wrote over is not shown again.
  const printed = tail.replace(/\r\n/g, "\n").replace(/^.*\r(?=.)/gm, "");
  const all = wrapText(sanitise(printed).replace(/\n+$/, ""), width, { first: gutter, at: "width" });
  const isCut = all.length > lines || tail.length < text.length || droppedBytes > 0;
  return [
    ...(command === undefined
      ? []
      : wrapText(showControls(command), width, { first: [["bold", "  $ "]], rest: ["    "] })),
    ...(isCut ? [[...gutter, ["dim", "…"]] as Line] : []),
    ...(printed.trim() === "" ? [] : all.slice(-lines)),
    ...(exitStatus === undefined ? [] : [exitLine(exitStatus)]),
  ];
}

function exitLine({ exitCode, signal }: NonNullable<TerminalState["exitStatus"]>): Line {
  if (signal != null) return [["yellow", `  ended by ${signal}`]];
  if (exitCode == null) return [["dim", "  ended"]];
  return [[exitCode === 0 ? "dim" : "red", `  exit code ${exitCode}`]];
}
