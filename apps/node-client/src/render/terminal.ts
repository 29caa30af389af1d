import type { ExitStatus, SessionEvent, SessionState, TerminalState } from "@turnkit/session";
import { createSanitiser, type Sanitiser, sanitise, showControls } from "../sanitise.js";
import type { RenderContext, WrapOptions } from "./context.js";
import { type Line, moreLines, trimEndOf } from "./line.js";
import type { Page } from "./page.js";

export type TerminalLimits = {
  /** Maximum number of lines of output. The newest lines are shown. */
  readonly lines: number;
  /** Maximum number of lines of the command. The first lines are shown. */
  readonly commandLines: number;
};

/** Maximum number of lines of one terminal in a log. */
const MAX_LINES = 40;
/** Maximum length of an unfinished line in a log, in characters. A longer line is shown in pieces. */
const MAX_LINE = 2000;
/** Number of characters of output that are read for each line of a screen. */
const PER_LINE = 400;

/** Returns the lines of a command and of the end of its output, as on a terminal. */
export function terminalLines(
  terminal: TerminalState,
  { width, layout }: RenderContext,
  { lines, commandLines }: TerminalLimits,
): readonly Line[] {
  const { command, text, exitStatus, droppedBytes } = terminal;
  const gutter: Line = [["dim", "  │ "]];
  const tail = text.slice(-lines * PER_LINE);
  // Text that the program has overwritten, for example with a progress bar, is not shown.
  const printed = tail.replace(/\r\n/g, "\n").replace(/^.*\r(?=.)/gm, "");
  const all = layout.wrapText(trimEndOf(sanitise(printed), "\n"), width, { first: gutter, at: "width" });
  const heading: WrapOptions = { first: [["bold", "  $ "]], rest: ["    "] };
  const shownCommand = layout.wrapText(showControls(command ?? ""), width, heading);
  const isCut = all.length > lines || tail.length < text.length || droppedBytes > 0;
  return [
    ...(command === undefined ? [] : cutAfter(shownCommand, commandLines)),
    ...(isCut ? [[...gutter, ["dim", earlierText(terminal, all.slice(-lines))]] as Line] : []),
    ...(printed.trim() === "" ? [] : all.slice(-lines)),
    ...(exitStatus === undefined ? [] : [exitLine(exitStatus, "full")]),
  ];
}

/**
 * Returns the number of lines before the shown ones. If the agent has dropped the start of the output, the number of
 * its lines is unknown.
 */
function earlierText({ text, droppedBytes }: TerminalState, shown: readonly Line[]): string {
  let count = -shown.length;
  const end = text.endsWith("\n") ? text.length - 1 : text.length;
  for (let at = -1; at < end; count += 1) {
    const next = text.indexOf("\n", at + 1);
    at = next < 0 ? end : next;
  }
  // A long line takes several rows, so the rest may have no whole line.
  if (count <= 0) return "…";
  return `… ${droppedBytes > 0 ? "more than " : ""}${count} earlier line${count === 1 ? "" : "s"}`;
}

function cutAfter(lines: readonly Line[], limit: number): readonly Line[] {
  if (lines.length <= limit) return lines;
  return [...lines.slice(0, limit), [["dim", `    ${moreLines(lines.length - limit)}`]]];
}

function exitLine({ exitCode, signal }: ExitStatus, detail: RenderContext["detail"]): Line {
  const isLog = detail === "log";
  if (signal != null) return [[isLog ? "dim" : "yellow", `  ended by ${signal}`]];
  if (exitCode == null) return [["dim", "  ended"]];
  return [[isLog || exitCode === 0 ? "dim" : "red", `  ${isLog ? "ended with " : ""}exit code ${exitCode}`]];
}

type TerminalEvent = Extract<SessionEvent, { type: "terminal_update" | "terminal_output_chunk" }>;

type Screen = {
  readonly sanitiser: Sanitiser;
  /** `false` until the tool call of the terminal is shown, or the terminal ends. */
  isShown: boolean;
  seen: TerminalState | undefined;
  command: string | undefined;
  ended: boolean;
  line: string;
  lines: number;
};

/**
 * Log of terminals. Each shows its output line by line, below the tool call that contains it. The text comes from the state,
 * because output of terminals that this client runs has no events.
 */
export class TerminalRenderer {
  readonly #page: Page;
  readonly #screens = new Map<string, Screen>();

  constructor(page: Page) {
    this.#page = page;
  }

  /** Shows the start, the new output or the end of a terminal. */
  event(event: TerminalEvent, state: SessionState): void {
    const id = event.terminalId;
    const screen = this.#find(id);
    const exitStatus = event.type === "terminal_update" ? event.exitStatus : undefined;
    if (screen.isShown || exitStatus != null) this.#show(id, screen, state);
    if (exitStatus == null || screen.ended) return;
    screen.ended = true;
    this.#flush(id, screen);
    this.#page.section(`terminal ${id}`);
    this.#page.line(...exitLine(exitStatus, "log"));
  }

  /** Shows a terminal below the tool call that contains it. */
  embed(id: string, state: SessionState): void {
    const screen = this.#find(id);
    if (!screen.isShown) this.#show(id, screen, state);
  }

  /** Shows new output of terminals that are already shown. */
  changed(state: SessionState): void {
    for (const [id, screen] of this.#screens) {
      if (screen.isShown && !screen.ended) this.#showNews(id, screen, state.terminals.get(id));
    }
  }

  /** Shows terminals that belong to no tool call, unfinished last lines, and the number of lines that were left out. */
  flush(state: SessionState): void {
    for (const [id, screen] of this.#screens) {
      if (!screen.isShown) this.#show(id, screen, state);
      this.#flush(id, screen);
    }
  }

  #find(id: string): Screen {
    const screen = this.#screens.get(id) ?? createScreen();
    this.#screens.set(id, screen);
    return screen;
  }

  #show(id: string, screen: Screen, state: SessionState): void {
    screen.isShown = true;
    const terminal = state.terminals.get(id);
    showCommand(this.#page, id, screen, terminal);
    this.#showNews(id, screen, terminal);
  }

  #showNews(id: string, screen: Screen, terminal: TerminalState | undefined): void {
    if (terminal === undefined || terminal === screen.seen) return;
    const lines = (screen.line + screen.sanitiser.write(addedText(screen.seen, terminal))).split("\n");
    screen.seen = terminal;
    screen.line = lines.pop() ?? "";
    for (const line of lines) this.#showLine(id, screen, line);
    if (screen.line.length <= MAX_LINE) return;
    this.#showLine(id, screen, screen.line);
    screen.line = "";
  }

  #showLine(id: string, screen: Screen, line: string): void {
    screen.lines += 1;
    if (screen.lines > MAX_LINES) return;
    this.#page.section(`terminal ${id}`);
    this.#page.block(line, { gutter: "  | " });
  }

  #flush(id: string, screen: Screen): void {
    const rest = screen.line + screen.sanitiser.end();
    screen.line = "";
    if (rest !== "") this.#showLine(id, screen, rest);
    if (screen.lines <= MAX_LINES) return;
    this.#page.section(`terminal ${id}`);
    this.#page.line(["dim", `  | ${moreLines(screen.lines - MAX_LINES)}`]);
    screen.lines = MAX_LINES;
  }
}

function createScreen(): Screen {
  return {
    ...{ sanitiser: createSanitiser(), isShown: false, seen: undefined, command: undefined },
    ...{ ended: false, line: "", lines: 0 },
  };
}

function showCommand(page: Page, id: string, screen: Screen, terminal: TerminalState | undefined): void {
  const { command, cwd } = terminal ?? {};
  if (command == null || command === screen.command) return;
  screen.command = command;
  page.section(`terminal ${id}`);
  page.lines([
    [
      ["bold", `  $ ${command}`],
      ["dim", cwd == null ? "" : `  (in ${cwd})`],
    ],
  ]);
}

/**
 * Returns the output that was added since `before`. If a snapshot replaces the output, only the part beyond the old
 * length counts as added.
 */
function addedText(before: TerminalState | undefined, after: TerminalState): string {
  if (before === undefined) return after.text;
  if (before.droppedBytes === after.droppedBytes) return after.text.slice(before.text.length);
  const added = after.droppedBytes + after.textBytes - before.droppedBytes - before.textBytes;
  return added <= 0 ? "" : Buffer.from(after.text).subarray(-added).toString();
}
