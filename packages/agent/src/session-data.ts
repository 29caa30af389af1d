import type { SessionEvent } from "@turnkit/session";
import { jsonBytes } from "@turnkit/session/codec";
import type { Diagnostic } from "@turnkit/transport";
import type { Journal } from "./journal.js";

/** Maximum size of the stored data of a session, in bytes of JSON. */
const MAX_DATA_BYTES = 1024 * 1024;

/** Version of data from an agent without a `dataVersion`. */
export const DEFAULT_DATA_VERSION = 1;

/** Size of the stored event without the data, in bytes. */
const AROUND_BYTES = 200;

/** Event of a log with the data of its session. */
export type DataEvent = SessionEvent & { readonly type: "session_data" };

/** Data of a session from its log. */
export type StoredData = {
  readonly data?: unknown;
  readonly dataVersion?: number;
  /** True if the session had newer data that could not be stored. */
  readonly isDataOutdated?: boolean;
};

/**
 * Returns the stored data after one more event. An event that only marks the data as outdated leaves the data unchanged.
 */
export function dataAfter(before: DataEvent | undefined, event: DataEvent): DataEvent | undefined {
  if ("data" in event) return event;
  return event.isOutdated && before !== undefined ? { ...before, isOutdated: true } : undefined;
}

/** Returns stored data in the form that `restoreSession` gets. */
export function storedData(event: DataEvent | undefined): StoredData {
  if (event === undefined) return { data: undefined, dataVersion: undefined, isDataOutdated: undefined } as object;
  return { data: event.data, dataVersion: event.dataVersion, ...(event.isOutdated && { isDataOutdated: true }) };
}

type Report = (message: string, error: unknown, code: Diagnostic["code"]) => void;

/** Storage for the data of one session. The log gets the data each time that the data has changed. */
export class DataStore {
  readonly #version: number;
  readonly #onFault: Report;
  /** Version and JSON of the stored data, joined by a space. */
  #stored: string | undefined;
  #isOutdated = false;
  /** True if a session without data does not remove the stored data. */
  #isKept = false;

  constructor(version: number, onFault: Report, stored?: DataEvent) {
    this.#version = version;
    this.#onFault = onFault;
    if (stored !== undefined) this.#stored = `${stored.dataVersion} ${JSON.stringify(stored.data)}`;
    this.#isOutdated = stored?.isOutdated === true;
  }

  /** Stores the data if it is JSON within the bound. Otherwise the log keeps the older data. Never throws. */
  store(data: unknown, journal: Journal): void {
    try {
      if (data === undefined) return this.#clear(journal);
      const json = jsonOf(data, Math.min(MAX_DATA_BYTES, journal.maxEventBytes - AROUND_BYTES));
      const stored = `${this.#version} ${json}`;
      if (stored === this.#stored && !this.#isOutdated) return;
      journal.append({ type: "session_data", data: JSON.parse(json), dataVersion: this.#version });
      this.#stored = stored;
      this.#isOutdated = false;
      this.#isKept = false;
    } catch (error) {
      this.#fail(error, journal);
    }
  }

  /** Leaves the stored data in the log until there is other data. */
  keep(): void {
    this.#isKept = true;
  }

  #clear(journal: Journal): void {
    if (this.#stored === undefined || this.#isKept) return;
    journal.append({ type: "session_data", dataVersion: this.#version });
    this.#stored = undefined;
  }

  /** Marks the stored data as outdated. Reports the failure once, until a later store succeeds. */
  #fail(error: unknown, journal: Journal): void {
    if (this.#isOutdated) return;
    this.#isOutdated = true;
    this.#onFault("The data of a session was not stored. The log keeps the older data.", error, "log_failed");
    if (this.#stored === undefined) return;
    try {
      journal.append({ type: "session_data", dataVersion: this.#version, isOutdated: true });
    } catch (fault) {
      this.#onFault("The data of a session could not be marked as outdated.", fault, "log_failed");
    }
  }
}

/**
 * Returns a value as JSON. Parsing that JSON gives an equal value.
 *
 * @throws TypeError for a value that is not JSON, such as an instance of a class or a circular value
 * @throws RangeError above `most` bytes
 */
function jsonOf(value: unknown, most: number): string {
  checkJson(value, { path: ["data"], around: new Set(), left: most });
  const bytes = jsonBytes(value);
  if (bytes > most) throw new RangeError(`The data has ${bytes} bytes of JSON. The maximum is ${most}.`);
  return JSON.stringify(value);
}

type Walk = { readonly path: string[]; readonly around: Set<object>; left: number };

function checkJson(value: unknown, walk: Walk): void {
  // Each value takes at least one byte, so this bound also limits the time.
  walk.left -= 1;
  if (walk.left < 0) throw tooMany();
  if (value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value)) return;
  if (typeof value !== "object" || !isPlain(value)) throw notJson(walk);
  if (walk.around.has(value) || walk.around.size === MAX_DEPTH) throw notJson(walk);
  if (Array.isArray(value) && value.length > walk.left) throw tooMany();
  walk.around.add(value);
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) checkMember(String(index), value[index], walk);
    const further = Object.keys(value)[value.length];
    if (further !== undefined) throw notJson({ ...walk, path: [...walk.path, further] });
  } else {
    const symbol = Object.getOwnPropertySymbols(value).find((key) => Object.hasOwn(value, key));
    if (symbol !== undefined) throw notJson({ ...walk, path: [...walk.path, String(symbol)] });
    for (const [key, member] of Object.entries(value)) if (member !== undefined) checkMember(key, member, walk);
  }
  walk.around.delete(value);
}

function checkMember(name: string, member: unknown, walk: Walk): void {
  walk.path.push(name);
  checkJson(member, walk);
  walk.path.pop();
}

/** Maximum nesting of stored data. */
const MAX_DEPTH = 500;

const tooMany = (): RangeError => new RangeError("The data has too many values for its maximum size.");

const notJson = ({ path }: Walk): TypeError =>
  new TypeError(
    `${path.slice(0, 10).join(".").slice(0, 200)} is not JSON. Only plain objects, lists, text, finite numbers, true, false and null are.`,
  );

/** Returns true for lists and for objects without a class. */
function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
