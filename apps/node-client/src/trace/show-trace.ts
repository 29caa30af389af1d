import { readFile } from "node:fs/promises";
import { isAcpError } from "@turnkit/transport";
import { readWireLog, type WireEntry } from "@turnkit/transport/trace";
import { UsageError } from "../exit-code.js";
import { jsonText } from "../output/safe-json.js";
import { type Page, pageOn } from "../render/page.js";
import type { Style } from "../render/style.js";
import { SessionNotes } from "./session-notes.js";

export type ShowTraceOptions = {
  readonly stdout: NodeJS.WriteStream;
  readonly env: NodeJS.ProcessEnv;
  /** `true` shows all members of every message. */
  readonly full: boolean;
};

/**
 * Prints a log of the wire as a timeline. Each line has the time, the direction, the message, and for an answer its
 * duration. Consecutive chunks share one line.
 *
 * @throws UsageError for a file that is not a log of the wire
 */
export async function showTrace(path: string, { stdout, env, full }: ShowTraceOptions): Promise<void> {
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
      page.block(jsonText(bodyOf(entry), 2), {
        gutter: "    ",
        style: "dim",
        sequences: "show",
      });
    }
  }
  close();
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

/** Description of an entry of the log. */
type Narration = {
  readonly ms: number;
  readonly way: "sent" | "received" | "invalid line" | "closed";
  readonly what: string;
  readonly text: string;
  readonly isError: boolean;
  /** Key of the entry. Consecutive entries with the same key share one line. */
  readonly runsOn?: string;
};

type Wire = {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: { readonly code?: unknown; readonly message?: unknown };
};

/** Maximum number of open requests. If a side died, the log may contain many requests without an answer. */
const MAX_OPEN = 10_000;

/**
 * Creates a function that describes entries in their order. The function stores the requests, because the description
 * of an answer contains its method.
 */
function createNarrator(): (entry: WireEntry) => Narration {
  const open = new Map<string, { readonly method: string; readonly ms: number }>();
  const notes = new SessionNotes();
  const keyOf = (asker: "sent" | "received", id: unknown) => `${asker} ${typeof id} ${String(id)}`;

  const describeMessage = (way: "sent" | "received", ms: number, message: unknown): Narration => {
    if (typeof message !== "object" || message === null || Array.isArray(message)) {
      return { ms, way, what: "no message", text: jsonText(message), isError: true };
    }
    const { id, method, params, result, error } = message as Wire;
    if (typeof method === "string") {
      const isRequest = "id" in message;
      if (isRequest && open.size < MAX_OPEN) open.set(keyOf(way, id), { method, ms });
      const call = describeCall(method, params);
      return { ms, way, isError: false, ...call, what: `${call.what}${notes.noteOf(method, params, ms)}` };
    }
    const key = keyOf(way === "sent" ? "received" : "sent", id);
    const question = open.get(key);
    open.delete(key);
    const what =
      question === undefined ? `an answer to no question (id ${JSON.stringify(id)})` : `${question.method} answered`;
    const took = question === undefined ? "" : `after ${ms - question.ms} ms`;
    const outcome = error === undefined ? brief(result) : `error ${String(error.code)}: ${String(error.message)}`;
    return {
      ms,
      way,
      what,
      text: [took, outcome].filter(Boolean).join("  "),
      isError: error !== undefined || question === undefined,
    };
  };

  return (entry) => {
    const { ms } = entry;
    if ("sent" in entry) return describeMessage("sent", ms, entry.sent);
    if ("received" in entry) return describeMessage("received", ms, entry.received);
    if ("invalidLine" in entry)
      return { ms, way: "invalid line", what: "no JSON", text: entry.invalidLine, isError: true };
    if ("leftOut" in entry)
      return { ms, way: "closed", what: "a message is missing", text: entry.leftOut, isError: true };
    if ("full" in entry) return { ms, way: "closed", what: "the log was full here", text: "", isError: true };
    const { kind, message, stderr } = entry.closed;
    const text = stderr === undefined ? message : `${message} ${stderr}`;
    return { ms, way: "closed", what: "closed", text, isError: kind !== "local" };
  };
}

/** Describes a request or a notification by its method and the important parts of its params. */
function describeCall(method: string, params: Wire["params"]): Pick<Narration, "what" | "text" | "runsOn"> {
  const update = params?.update;
  if (method !== "session/update" || typeof update !== "object" || update === null) {
    return { what: method, text: brief(params) };
  }
  const { sessionUpdate: kind, content, ...rest } = update as Readonly<Record<string, unknown>>;
  const what = `${method} ${String(kind)}`;
  const text = (content as { text?: unknown } | null | undefined)?.text;
  if (typeof text !== "string") return { what, text: brief({ ...rest, ...(content !== undefined && { content }) }) };
  return { what, text, runsOn: `${String(params?.sessionId)} ${what} ${String(rest.messageId)}` };
}

/** Returns the simple values of an object as text, and the sizes of its other members. */
function brief(value: unknown): string {
  if (typeof value !== "object" || value === null) return value === undefined ? "" : JSON.stringify(value);
  return Object.entries(value)
    .map(([name, member]) => `${name}: ${briefMember(member)}`)
    .join(", ");
}

function briefMember(value: unknown): string {
  if (Array.isArray(value)) {
    const texts = value
      .map((item) => (item as { text?: unknown } | null)?.text)
      .filter((text) => typeof text === "string");
    return texts.length > 0 ? JSON.stringify(texts.join(" ")) : `[${value.length}]`;
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "";
  const names = Object.keys(value);
  return names.length > 6 ? `{${names.slice(0, 6).join(", ")}, …}` : `{${names.join(", ")}}`;
}
