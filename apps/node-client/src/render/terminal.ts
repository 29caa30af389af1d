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
  return new ScreenRenderer(page);
}

class ScreenRenderer implements TerminalRenderer {
  readonly #page: Page;
  readonly #screens = new Map<string, Screen>();

  constructor(page: Page) {
    this.#page = page;
  }

  event(event: Parameters<TerminalRenderer["event"]>[0], state: SessionState): void {
    const id = event.terminalId;
    const screen = this.#find(id);
    const exitStatus = event.type === "terminal_update" ? event.exitStatus : undefined;
    if (screen.isShown || exitStatus != null) this.#show(id, screen, state);
    if (exitStatus == null || screen.ended) return;
    screen.ended = true;
    this.#flush(id, screen);
    this.#page.section(`terminal ${id}`);
    this.#page.line(["dim", `  ${exitText(exitStatus)}`]);
  }

  embed(id: string, state: SessionState): void {
    const screen = this.#find(id);
    if (!screen.isShown) this.#show(id, screen, state);
  }

  changed(state: SessionState): void {
    for (const [id, screen] of this.#screens) {
      if (screen.isShown && !screen.ended) this.#showNews(id, screen, state.terminals.get(id));
    }
  }

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
