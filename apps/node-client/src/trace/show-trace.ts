import { readFile } from "node:fs/promises";
import { isAcpError } from "@turnkit/transport";
import { readWireLog, type WireEntry } from "@turnkit/transport/trace";
import { type ExitCode, exitCode, UsageError } from "../exit-code.js";
import { jsonText } from "../output/safe-json.js";
import type { PrintStreams } from "../program.js";
import { type Page, pageOn } from "../render/page.js";
import type { Style } from "../render/style.js";
import { createNarrator, type Narration } from "./narrator.js";

/**
 * Prints a log of the wire as a timeline. Each line has the time, the direction, the message, and for an answer its
 * duration. Consecutive chunks share one line. `full` also shows all members of every message.
 *
 * @throws UsageError for a file that is not a log of the wire
 */
export async function showTrace(path: string, full: boolean, { stdout, env }: PrintStreams): Promise<ExitCode> {
  const page = pageOn(stdout, env);
  const narrate = createNarrator();
  let open: (Narration & { count: number }) | undefined;
  const close = () => {
    if (open !== undefined) showLine(page, open, open.count);
    open = undefined;
  };
  for (const entry of await readTrace(path)) {
    const narration = narrate(entry);
    if (!full && open !== undefined && narration.runsOn !== undefined && narration.runsOn === open.runsOn) {
      open = { ...open, count: open.count + 1, text: `${open.text}${narration.text}`.slice(0, MAX_TEXT) };
      continue;
    }
    close();
    open = { ...narration, count: 1 };
    if (full) {
      close();
      page.block(jsonText(bodyOf(entry), 2), { gutter: "    ", style: "dim", sequences: "show" });
    }
  }
  close();
  return exitCode.ended;
}

/** Reads a log of the wire. Throws UsageError if the file is missing or is not such a log. */
export async function readTrace(path: string): Promise<readonly WireEntry[]> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(
      error.code === "ENOENT" ? `There is no file ${path}.` : `${path} cannot be read: ${error.message}.`,
    );
  });
  try {
    return readWireLog(text);
  } catch (error) {
    if (isAcpError(error, "wire_log")) throw new UsageError(`${path}: ${error.message}`);
    throw error;
  }
}

const MAX_TEXT = 400;

const arrows: Readonly<Record<Narration["way"], readonly [mark: string, style: Style]>> = {
  sent: ["→", "cyan"],
  received: ["←", "green"],
  "invalid line": ["!", "yellow"],
  closed: ["■", "red"],
};

function showLine(page: Page, { ms, way, what, text, isError }: Narration, count: number): void {
  const [mark, style] = arrows[way];
  const times = count > 1 ? ` ×${count}` : "";
  page.line(["dim", `${(ms / 1000).toFixed(3).padStart(9)} `], [style, mark], ` ${what}${times}`, [
    isError ? "red" : "dim",
    text === "" ? "" : `  ${text.slice(0, MAX_TEXT)}`,
  ]);
}

function bodyOf(entry: WireEntry): unknown {
  const { ms: _, ...rest } = entry;
  return Object.values(rest)[0];
}
