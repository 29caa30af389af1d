import type { DialectName } from "../codec/losses.js";
import type { SessionEvent } from "../event.js";

const FORMAT = "turnkit-recording/1";
/** Maximum length of a line that is read, in UTF-16 units. Recorders never write a longer line. */
const LINE = 67_108_864;
/** Maximum number of UTF-16 units in the sample of a line that cannot be read. */
const SAMPLE = 1000;
/**
 * Maximum number of lines that are not JSON. A text with more such lines is not a recording. The limit bounds the time,
 * because a broken line takes as long as 100 valid lines.
 */
const MOST_BROKEN = 1000;

/** Recorder of a session. The recording can be replayed. */
export interface Recorder {
  /** Records the `update` of a `session/update` unchanged. */
  update(update: unknown, at?: number): void;
  /** Records an event of this side. */
  event(event: SessionEvent): void;
}

/**
 * Creates a recorder that writes lines of JSON. The first line contains the dialect. Each further line contains an
 * unchanged update, or an event of this side. `write` receives each line with its line end. A value that is nested too
 * deeply for JSON (some thousand levels) is replaced by an `unknown` event.
 *
 * @example
 * const recorder = createRecorder("v1", (line) => file.write(line));
 * recorder.event({ type: "prompt_sent", promptId: "1", content });
 * recorder.update(params.update, Date.now());
 */
export function createRecorder(dialect: DialectName, write: (line: string) => void): Recorder {
  const line = (value: object): void => write(`${written(value)}\n`);
  line({ format: FORMAT, dialect });
  return {
    update: (update, at) => line({ at, update: update ?? null }),
    event: (event) => line({ event }),
  };
}

function written(value: object): string {
  try {
    return JSON.stringify(value);
  } catch {
    return JSON.stringify({ event: { type: "unknown", raw: null, reason: "it was nested too deep to be recorded" } });
  }
}

type Decode = (update: unknown) => readonly SessionEvent[];

/** Reader of a recording, which may arrive in pieces of any size. */
export interface RecordingReader {
  /** Returns the events of the lines that this piece completes. */
  push(piece: string): readonly SessionEvent[];
  /** Returns the events of the last line if it has no line end. */
  end(): readonly SessionEvent[];
}

/**
 * Creates a reader of the lines of {@link createRecorder}. It needs a decoder for each dialect in the recording. The
 * reader never throws and drops nothing. A line that cannot be read becomes an `unknown` event. Several recordings may
 * be joined, because each starts with a line that contains its dialect.
 *
 * @example
 * const reader = createRecordingReader({ v1: decodeV1, v2: decodeV2 });
 * const state = reduceAll(createSessionState(), [...reader.push(text), ...reader.end()]);
 */
export function createRecordingReader(decoders: { readonly [K in DialectName]?: Decode }): RecordingReader {
  const byDialect = new Map<unknown, Decode>(Object.entries(decoders));
  let decode: Decode | undefined;
  let pending = "";
  let isTooLong = false;
  let broken = 0;
  const read = (line: string): readonly SessionEvent[] => {
    if (line.trim() === "") return none;
    if (broken === MOST_BROKEN) return [unread(line, `${MOST_BROKEN} lines before it are not JSON objects`)];
    const value = parsed(line);
    if (value === undefined) {
      broken += 1;
      return [unread(line, "it is not a JSON object")];
    }
    if ("format" in value) {
      decode = value.format === FORMAT ? byDialect.get(value.dialect) : undefined;
      return decode === undefined ? [unread(line, "its format or dialect is not known here")] : [];
    }
    if (isEvent(value.event)) return [value.event];
    if (!("update" in value)) return [unread(line, "it is neither an update nor an event")];
    if (decode === undefined) return [unread(line, "no line before it names a dialect that is known here")];
    const events = decode(value.update);
    return typeof value.at === "number" ? events.map((event) => ({ ...event, at: value.at as number })) : events;
  };
  const flush = (): readonly SessionEvent[] => {
    const line = pending;
    const events = isTooLong ? [unread(line, "it is too long")] : read(line);
    pending = "";
    isTooLong = false;
    return events;
  };
  const take = (part: string): void => {
    if (isTooLong) return;
    isTooLong = pending.length + part.length > LINE;
    pending = isTooLong ? pending.slice(0, SAMPLE) : pending + part;
  };
  return {
    push(piece) {
      const events: SessionEvent[] = [];
      const lines = piece.split("\n");
      const rest = lines.pop() ?? "";
      for (const line of lines) {
        take(line);
        for (const event of flush()) events.push(event);
      }
      if (rest !== "") take(rest);
      return events;
    },
    end: flush,
  };
}

const none: readonly SessionEvent[] = [];

type Line = { readonly [member: string]: unknown };

// The function is not shared with the codecs, because a shared module would be one more file to load for every client.
const isObject = (value: unknown): value is Line =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function parsed(line: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isEvent = (value: unknown): value is SessionEvent => isObject(value) && typeof value.type === "string";

const unread = (line: string, why: string): SessionEvent => ({
  type: "unknown",
  raw: line.slice(0, SAMPLE),
  reason: `a line of the recording was not read: ${why}`,
});
