import type { TerminalState } from "@turnkit/session";
import { moreLines } from "../../render/page.js";
import { sanitise, showControls } from "../../sanitise.js";
import type { Line } from "../text/line.js";
import { wrapText } from "../text/wrap.js";

/** Text that is looked at for one line of the screen, in characters. */
const PER_LINE = 400;

/** What of a terminal is shown. */
export type TerminalPlace = {
  readonly width: number;
  /** Of its output: the newest lines. */
  readonly lines: number;
  /** Of its command: the first lines. */
  readonly commandLines: number;
};

/** A command and the end of what it printed, as a terminal would show it. */
export function terminalLines(terminal: TerminalState, place: TerminalPlace): readonly Line[] {
  const { width, lines } = place;
  const { command, text, exitStatus, droppedBytes } = terminal;
  const gutter: Line = [["dim", "  │ "]];
  const tail = text.slice(-lines * PER_LINE);
  // What a progress bar wrote over is not shown again.
  const printed = tail.replace(/\r\n/g, "\n").replace(/^.*\r(?=.)/gm, "");
  const all = wrapText(sanitise(printed).replace(/\n+$/, ""), width, { first: gutter, at: "width" });
  const isCut = all.length > lines || tail.length < text.length || droppedBytes > 0;
  return [
    ...(command === undefined ? [] : shownCommand(command, place)),
    ...(isCut ? [[...gutter, ["dim", "…"]] as Line] : []),
    ...(printed.trim() === "" ? [] : all.slice(-lines)),
    ...(exitStatus === undefined ? [] : [exitLine(exitStatus)]),
  ];
}

function shownCommand(command: string, { width, commandLines }: TerminalPlace): readonly Line[] {
  const all = wrapText(showControls(command), width, { first: [["bold", "  $ "]], rest: ["    "] });
  if (all.length <= commandLines) return all;
  return [...all.slice(0, commandLines), [["dim", `    ${moreLines(all.length - commandLines)}`]]];
}

function exitLine({ exitCode, signal }: NonNullable<TerminalState["exitStatus"]>): Line {
  if (signal != null) return [["yellow", `  ended by ${signal}`]];
  if (exitCode == null) return [["dim", "  ended"]];
  return [[exitCode === 0 ? "dim" : "red", `  exit code ${exitCode}`]];
}
