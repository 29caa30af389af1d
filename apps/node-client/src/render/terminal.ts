import type { SessionEvent, TerminalPatch } from "@turnkit/session";
import { createSanitiser } from "../sanitise.js";
import type { Page } from "./page.js";
import { moreLines } from "./page.js";

/** Shows what commands print, line by line, as it comes. */
export interface TerminalRenderer {
  update(event: TerminalPatch): void;
  chunk(event: Extract<SessionEvent, { type: "terminal_output_chunk" }>): void;
  /** Shows last lines without a line break, and how much was left out. */
  flush(): void;
}

/** Lines of one terminal that are shown at most. */
const MAX_LINES = 40;
/** A line that does not end is shown in pieces of this many characters. */
const MAX_LINE = 2000;

type Terminal = {
  readonly decoder: InstanceType<typeof TextDecoder>;
  readonly sanitiser: ReturnType<typeof createSanitiser>;
  command: string | undefined;
  ended: boolean;
  bytes: number;
  line: string;
  lines: number;
};

/** Makes a {@link TerminalRenderer}. Its memory of a terminal is one unfinished line and some numbers. */
export function createTerminalRenderer(page: Page): TerminalRenderer {
  const terminals = new Map<string, Terminal>();

  const find = (id: string): Terminal => {
    const known = terminals.get(id);
    if (known !== undefined) return known;
    const [decoder, sanitiser] = [new TextDecoder(), createSanitiser()];
    const made = { decoder, sanitiser, command: undefined, ended: false, bytes: 0, line: "", lines: 0 };
    terminals.set(id, made);
    return made;
  };
  const showLine = (id: string, terminal: Terminal, line: string) => {
    terminal.lines += 1;
    if (terminal.lines > MAX_LINES) return;
    page.section(`terminal ${id}`);
    page.block(line, { gutter: "  | " });
  };
  const take = (id: string, terminal: Terminal, bytes: Uint8Array) => {
    terminal.bytes += bytes.length;
    terminal.line += terminal.sanitiser.write(terminal.decoder.decode(bytes, { stream: true }));
    const lines = terminal.line.split("\n");
    terminal.line = lines.pop() ?? "";
    for (const line of lines) showLine(id, terminal, line);
    if (terminal.line.length > MAX_LINE) {
      showLine(id, terminal, terminal.line);
      terminal.line = "";
    }
  };
  const flush = (id: string, terminal: Terminal) => {
    const rest = terminal.line + terminal.sanitiser.end();
    terminal.line = "";
    if (rest !== "") showLine(id, terminal, rest);
    if (terminal.lines <= MAX_LINES) return;
    page.section(`terminal ${id}`);
    page.line(["dim", `  | ${moreLines(terminal.lines - MAX_LINES)}`]);
    terminal.lines = MAX_LINES;
  };

  return {
    update({ terminalId: id, command, cwd, output, exitStatus }) {
      const terminal = find(id);
      if (command != null && command !== terminal.command) {
        terminal.command = command;
        page.section(`terminal ${id}`);
        page.line(["bold", `  $ ${command}`], ["dim", cwd == null ? "" : `  (in ${cwd})`]);
      }
      // A snapshot repeats what its chunks brought; some agents send nothing but growing snapshots.
      if (output != null) take(id, terminal, Buffer.from(output.data, "base64").subarray(terminal.bytes));
      if (exitStatus == null || terminal.ended) return;
      terminal.ended = true;
      flush(id, terminal);
      page.section(`terminal ${id}`);
      page.line(["dim", `  ${exitText(exitStatus)}`]);
    },
    chunk({ terminalId: id, data }) {
      take(id, find(id), Buffer.from(data, "base64"));
    },
    flush() {
      for (const [id, terminal] of terminals) flush(id, terminal);
    },
  };
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
