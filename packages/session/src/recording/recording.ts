import type { DialectName } from "../codec/losses.js";
import type { SessionEvent } from "../event.js";

const FORMAT = "turnkit-recording/1";
/** Characters of the longest line that is read. No recorder writes a longer one. */
const LINE = 67_108_864;
/** Number of characters that are kept from a line that does not read. */
const SAMPLE = 1000;

/** Recorder of a session, for a later replay. */
export interface Recorder {
  /** Records the `update` of a `session/update`, unchanged. */
  update(update: unknown, at?: number): void;
  /** Records an event that this side adds itself. */
  event(event: SessionEvent): void;
}

/**
 * Creates a recorder that writes JSON lines: a first line that names the dialect, then one for each unchanged update
 * and each event of this side. `write` receives each line with its end. A value nested too deeply for JSON (some
 * thousand levels) becomes an `unknown` event with that reason.
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

/** Reader of a recording, in pieces of any size. */
export interface RecordingReader {
  /** Returns the events of the lines that are complete now. */
  push(piece: string): readonly SessionEvent[];
  /** Returns the events of a last line without an end. */
  end(): readonly SessionEvent[];
}

/**
 * Creates a reader of the lines of {@link createRecorder}, with a decoder for each dialect that may occur. It never
 * throws and drops nothing: an unreadable line becomes an `unknown` event. Recordings may be joined; each begins with
 * its own first line.
 *
 * @example
 * const reader = createRecordingReader({ v1: decodeV1, v2: decodeV2 });
 * const state = reduceAll(createSessionState(), [...reader.push(text), ...reader.end()]);
 */
export function createRecordingReader(decoders: { readonly [K in DialectName]?: Decode }): RecordingReader {
  const byDialect = new Map<unknown, Decode>(Object.entries(decoders));
  let decode: Decode | undefined;
  let pieces: string[] = [];
  let length = 0;
  let tooLong = false;
  const read = (line: string): readonly SessionEvent[] => {
    if (line.trim() === "") return [];
    const value = parsed(line);
    if (value === undefined) return [unread(line, "it is no JSON object")];
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
    const line = pieces.join("");
    const events = tooLong ? [unread(line, "it is too long")] : read(line);
    pieces = [];
    length = 0;
    tooLong = false;
    return events;
  };
  const take = (part: string): void => {
    if (length + part.length > LINE) {
      if (!tooLong) pieces = [pieces.join("").slice(0, SAMPLE)];
      tooLong = true;
      return;
    }
    length += part.length;
    pieces.push(part);
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

type Line = { readonly [member: string]: unknown };

// Not shared with the codecs: a shared module is one more file for every client to load.
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
