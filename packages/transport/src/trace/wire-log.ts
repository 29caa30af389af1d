import type { Channel, CloseReason, Message } from "../channel.js";
import { parseLine, serialise } from "../channels/ndjson.js";
import { checkArgument, checkChannel } from "../check-argument.js";
import { checkOptions, type OptionTypes } from "../check-options.js";
import { AcpError } from "../errors.js";
import { redactSecrets, redactText } from "./redact.js";
import { leftOutReason, observed, type TapEvent, undisturbed } from "./tap.js";

/**
 * One line of a wire log. `ms` is the time since the first line in milliseconds. `sent` and `received` are from the
 * view of the recorded side.
 */
export type WireEntry = { readonly ms: number } & (
  | { readonly sent: unknown }
  | { readonly received: unknown }
  /** A received line that is not JSON. */
  | { readonly invalidLine: string }
  /** Reason why a message is missing. It could not be redacted or serialised. */
  | { readonly leftOut: string }
  | { readonly closed: CloseReason }
  /** Mark that the log was full. Later messages are missing. */
  | { readonly full: true }
);

/** Options of {@link recordChannel}. */
export type RecordOptions = {
  /** Further texts to redact at any place in the log. */
  readonly secrets?: readonly string[];
  /**
   * Redacts messages. Other texts are always redacted with `redactText`.
   *
   * @defaultValue `redactSecrets`
   */
  readonly redact?: (message: unknown) => unknown;
  /**
   * Maximum length of the log, in characters. If the log becomes full, its last line says so.
   *
   * @defaultValue 64 Mi
   */
  readonly limit?: number;
  /**
   * Returns the current time in milliseconds.
   *
   * @defaultValue `Date.now`
   */
  readonly now?: () => number;
};

const NAMES: OptionTypes<RecordOptions> = { secrets: "any", redact: "function", limit: "number", now: "function" };

const FORMAT = 1;
const usualLimit = 64 * 1024 * 1024;
const maxEntries = 1_000_000;

/**
 * Returns the same channel, with a recorder of its messages.
 * - Each message becomes one line of JSON, in order and without secrets (see `redactSecrets`).
 * - The end of the channel becomes one line.
 *
 * `write` gets each line with its line end. The first error or rejection of `write` is printed, and the channel goes
 * on. `createWirePlayer` replays such a log.
 *
 * @example
 * const log = createWriteStream("wire.jsonl", { mode: 0o600 });
 * const channel = recordChannel(await spawnChannel(["my-agent"]), (line) => log.write(line));
 */
export function recordChannel<C extends Channel>(
  channel: C,
  write: (line: string) => void,
  options: RecordOptions = {},
): C {
  checkChannel("recordChannel", channel);
  const remedy = "pass a function that gets each line, such as (line) => log.write(line)";
  checkArgument(typeof write === "function", "recordChannel write", { got: write, remedy });
  checkOptions("recordChannel", options, NAMES);
  const { secrets = [], redact = (message) => redactSecrets(message, secrets), limit = usualLimit } = options;
  const { now = Date.now } = options;
  const began = now();
  let left = limit;
  const put = (name: string, json: string): unknown => {
    if (left <= 0) return;
    const ms = Math.max(0, Math.round(now() - began));
    const line = `{"ms":${ms},"${name}":${json}}\n`;
    left -= line.length;
    return write(left > 0 ? line : `{"ms":${ms},"full":true}\n`);
  };
  const show = (event: TapEvent): unknown => {
    if ("invalidLine" in event) return put("invalidLine", JSON.stringify(redactText(event.invalidLine, secrets)));
    if ("leftOut" in event) return put("leftOut", JSON.stringify(event.leftOut));
    let json: string;
    try {
      json = jsonOf(redact(event.message));
    } catch (error) {
      return put("leftOut", JSON.stringify(`${event.direction}: ${leftOutReason(error)}`));
    }
    return put(event.direction, json);
  };
  // `show` itself redacts the messages.
  const run = undisturbed("The function write of recordChannel");
  const tapped = observed(channel, show, run);
  run(() => write(`{"wire":${FORMAT},"at":${JSON.stringify(new Date(began))}}\n`));
  void channel.closed.then((reason) => {
    const { kind, message, exitCode, signal, stderr } = reason;
    const texts = { message: redactText(message, secrets), ...(stderr && { stderr: redactText(stderr, secrets) }) };
    run(() => put("closed", JSON.stringify({ kind, ...texts, exitCode, signal })));
  });
  return tapped;
}

/** Serialises a message or any other value. Ids beyond 2^53 keep their digits. */
function jsonOf(message: unknown): string {
  if (Array.isArray(message)) return `[${message.map(jsonOf).join()}]`;
  return typeof message === "object" && message !== null ? serialise(message as Message) : JSON.stringify(message);
}

/**
 * Reads a log of `recordChannel`. An incomplete last line is ignored. A process that was killed can leave such a line.
 *
 * @throws AcpError `wire_log` with the number of the invalid line, or for more than a million entries
 */
export function readWireLog(text: string): readonly WireEntry[] {
  const remedy = 'pass the text of a log, such as await readFile("wire.jsonl", "utf8")';
  checkArgument(typeof text === "string", "readWireLog", { got: text, remedy });
  const lines = text.split(/\r?\n/);
  const isTorn = lines.at(-1) !== "";
  if (!isTorn) lines.pop();
  const [head = "", ...rest] = lines;
  if ((parsed(head) as { wire?: unknown } | undefined)?.wire !== FORMAT) {
    throw broken(1, `expected {"wire":${FORMAT}}, the head of a log of this version`);
  }
  if (rest.length > maxEntries) throw broken(maxEntries + 2, `a log has ${maxEntries} entries at most`);
  return rest.flatMap((line, index) => {
    const entry = readEntry(line);
    if (entry !== undefined) return [entry];
    if (isTorn && index === rest.length - 1) return [];
    throw broken(index + 2, "expected an entry: sent, received, invalidLine, leftOut, closed or full");
  });
}

function readEntry(line: string): WireEntry | undefined {
  const value = parsed(line) as Readonly<Record<string, unknown>> | null | undefined;
  if (typeof value !== "object" || value === null || typeof value.ms !== "number") return undefined;
  const { ms } = value;
  // The text of the message is parsed again, because `JSON.parse` has rounded long ids. This needs a line in the form
  // that a recorder writes. A message that is nested too deeply keeps the result of `JSON.parse`, with rounded ids.
  const isOurs = Object.keys(value).length === 2 && line.endsWith("}");
  const start = isOurs ? /^\{"ms":\d+,"(?:sent|received)":/.exec(line)?.[0].length : undefined;
  const exact = start === undefined ? undefined : parsed(line.slice(start, -1), parseLine);
  const message = (name: string): unknown => exact ?? value[name];
  if ("sent" in value) return { ms, sent: message("sent") };
  if ("received" in value) return { ms, received: message("received") };
  if (typeof value.invalidLine === "string") return { ms, invalidLine: value.invalidLine };
  if (typeof value.leftOut === "string") return { ms, leftOut: value.leftOut };
  if (value.full === true) return { ms, full: true };
  const closed = readClosed(value.closed);
  return closed && { ms, closed };
}

/** Reads the end of a channel. Members that a recorder does not write, and members of other types, are left out. */
function readClosed(value: unknown): CloseReason | undefined {
  const { kind, message, exitCode, signal, stderr } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof kind !== "string" || typeof message !== "string") return undefined;
  return {
    ...{ kind: kind as CloseReason["kind"], message },
    ...((exitCode === null || typeof exitCode === "number") && { exitCode }),
    ...((signal === null || typeof signal === "string") && { signal }),
    ...(typeof stderr === "string" && { stderr }),
  };
}

function parsed(line: string, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return parse(line);
  } catch {
    return undefined;
  }
}

function broken(line: number, what: string): AcpError {
  return new AcpError("wire_log", `The wire log cannot be read: line ${line}: ${what}.`);
}
