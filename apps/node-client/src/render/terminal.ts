import type { SessionEvent, SessionState, TerminalState } from "@turnkit/session";
import { createSanitiser, type Sanitiser } from "../sanitise.js";
import { moreLines, type Page } from "./page.js";

/** Shows what commands print, line by line, as it comes, each below the tool call that it belongs to. */
export interface TerminalRenderer {
  /** A terminal begins, says something, or ends. */
  event(event: Extract<SessionEvent, { type: "terminal_update" | "terminal_output_chunk" }>, state: SessionState): void;
  /** A tool call that is on the screen has this terminal. */
  embed(terminalId: string, state: SessionState): void;
  /** Shows what the terminals that are on the screen printed meanwhile. */
  changed(state: SessionState): void;
  /** Shows terminals that no tool call has, last lines without a line break, and how much was left out. */
  flush(state: SessionState): void;
}

/** Lines of one terminal that are shown at most. */
const MAX_LINES = 40;
/** A line that does not end is shown in pieces of this many characters. */
const MAX_LINE = 2000;

type Screen = {
  readonly sanitiser: Sanitiser;
  /** Until its tool call is on the screen, or it ends without one, nothing of it is. */
  isShown: boolean;
  /** What the state said when it was last looked at. */
  seen: TerminalState | undefined;
  command: string | undefined;
  ended: boolean;
  line: string;
  lines: number;
};

/**
 * Makes a {@link TerminalRenderer}. The text is taken from the state, where it is decoded already: output of the
 * terminals that this client runs is folded into the state and not told as events, since no listener could slow it.
 */
export function createTerminalRenderer(page: Page): TerminalRenderer {
  const screens = new Map<string, Screen>();

  const showLine = (id: string, screen: Screen, line: string) => {
    screen.lines += 1;
    if (screen.lines > MAX_LINES) return;
    page.section(`terminal ${id}`);
    page.block(line, { gutter: "  | " });
  };
  const showNews = (id: string, screen: Screen, terminal: TerminalState | undefined) => {
    if (terminal === undefined || terminal === screen.seen) return;
    const lines = (screen.line + screen.sanitiser.write(addedText(screen.seen, terminal))).split("\n");
    screen.seen = terminal;
    screen.line = lines.pop() ?? "";
    for (const line of lines) showLine(id, screen, line);
    if (screen.line.length <= MAX_LINE) return;
    showLine(id, screen, screen.line);
    screen.line = "";
  };
  const flush = (id: string, screen: Screen) => {
    const rest = screen.line + screen.sanitiser.end();
    screen.line = "";
    if (rest !== "") showLine(id, screen, rest);
    if (screen.lines <= MAX_LINES) return;
    page.section(`terminal ${id}`);
    page.line(["dim", `  | ${moreLines(screen.lines - MAX_LINES)}`]);
    screen.lines = MAX_LINES;
  };

  const show = (id: string, screen: Screen, state: SessionState) => {
    screen.isShown = true;
    const terminal = state.terminals.get(id);
    showCommand(page, id, screen, terminal);
    showNews(id, screen, terminal);
  };
  const find = (id: string): Screen => {
    const screen = screens.get(id) ?? createScreen();
    screens.set(id, screen);
    return screen;
  };

  return {
    event(event, state) {
      const id = event.terminalId;
      const screen = find(id);
      const exitStatus = event.type === "terminal_update" ? event.exitStatus : undefined;
      if (screen.isShown || exitStatus != null) show(id, screen, state);
      if (exitStatus == null || screen.ended) return;
      screen.ended = true;
      flush(id, screen);
      page.section(`terminal ${id}`);
      page.line(["dim", `  ${exitText(exitStatus)}`]);
    },
    embed(id, state) {
      const screen = find(id);
      if (!screen.isShown) show(id, screen, state);
    },
    changed(state) {
      for (const [id, screen] of screens) {
        if (screen.isShown && !screen.ended) showNews(id, screen, state.terminals.get(id));
      }
    },
    flush(state) {
      for (const [id, screen] of screens) {
        if (!screen.isShown) show(id, screen, state);
        flush(id, screen);
      }
    },
  };
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
  page.line(["bold", `  $ ${command}`], ["dim", cwd == null ? "" : `  (in ${cwd})`]);
}

/** What came after `before`; a snapshot that replaces the output counts as far as it is longer. */
function addedText(before: TerminalState | undefined, after: TerminalState): string {
  if (before === undefined) return after.text;
  if (before.droppedBytes === after.droppedBytes) return after.text.slice(before.text.length);
  const added = after.droppedBytes + after.textBytes - before.droppedBytes - before.textBytes;
  return added <= 0 ? "" : Buffer.from(after.text).subarray(-added).toString();
}

function exitText({
  exitCode,
  signal,
}: {
  readonly exitCode?: number | null;
  readonly signal?: string | null;
}): string {
  if (signal != null) return `ended by ${signal}`;
  return exitCode == null ? "ended" : `ended with exit code ${exitCode}`;
}
