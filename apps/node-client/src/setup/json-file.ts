import { readFile } from "node:fs/promises";
import { UsageError } from "../exit-code.js";
import { replaceFile } from "./replace-file.js";

const MAX_BYTES = 1024 * 1024;

/** Value of a JSON file with its place for messages, such as `agents.json: agents.mine.command`. */
export class JsonValue {
  readonly value: unknown;
  readonly place: string;

  constructor(value: unknown, place: string) {
    this.value = value;
    this.place = place;
  }

  fail(expected: string): UsageError {
    return new UsageError(`${this.place.replace(/:$/, "")} must be ${expected}.`);
  }

  /**
   * Returns the members of an object. A member whose name is not in `names` is an error, because it would have no
   * effect.
   */
  members(names?: readonly string[]): ReadonlyMap<string, JsonValue> {
    const { value } = this;
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw this.fail("an object");
    for (const name of Object.keys(value)) {
      if (names !== undefined && !names.includes(name)) {
        throw new UsageError(`${this.#below(name)} is unknown; known are ${names.join(", ")}.`);
      }
    }
    return new Map(Object.entries(value).map(([name, member]) => [name, new JsonValue(member, this.#below(name))]));
  }

  items(): readonly JsonValue[] {
    if (!Array.isArray(this.value)) throw this.fail("a list");
    return this.value.map((item, index) => new JsonValue(item, this.#below(index)));
  }

  text(): string {
    const text = this.maybeEmptyText();
    if (text === "") throw this.fail("a text");
    return text;
  }

  maybeEmptyText(): string {
    if (typeof this.value !== "string") throw this.fail("a text");
    return this.value;
  }

  /** Returns the texts of a value that is one text or a list of texts. */
  texts(): readonly string[] {
    return Array.isArray(this.value) ? this.items().map((item) => item.text()) : [this.text()];
  }

  #below(name: string | number): string {
    return `${this.place}${this.place.endsWith(":") ? " " : "."}${name}`;
  }
}

/**
 * Reads a JSON file that a person wrote. Returns `undefined` if the file does not exist.
 *
 * @throws UsageError with the file and the place of the fault
 */
export async function readJsonFile(path: string): Promise<JsonValue | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new UsageError(`${path} cannot be read: ${message}.`);
  }
  if (text.length > MAX_BYTES) throw new UsageError(`${path} is larger than 1 MiB.`);
  return parseJsonText(text, path);
}

/**
 * Parses the text of a JSON file.
 *
 * @throws UsageError with the path of the file
 */
export function parseJsonText(text: string, path: string): JsonValue {
  try {
    return new JsonValue(JSON.parse(text.replace(/^\ufeff/, "")), `${path}:`);
  } catch (error) {
    throw new UsageError(`${path} is not valid JSON: ${(error as Error).message}.`);
  }
}

/**
 * Writes a JSON file in one step. Only the user can read a new file. If the path is a link, its target is replaced.
 *
 * @throws UsageError if the file cannot be written
 */
export async function writeJsonFile(path: string, value: unknown): Promise<void> {
  try {
    await replaceFile(path, `${JSON.stringify(value, null, 2)}\n`, { keepsMode: true });
  } catch (error) {
    throw new UsageError(`${path} cannot be written: ${(error as Error).message}.`);
  }
}

/** Reads a JSON file that must exist, like {@link readJsonFile}. */
export async function requireJsonFile(option: string, path: string): Promise<JsonValue> {
  const found = await readJsonFile(path);
  if (found === undefined) throw new UsageError(`${option}: there is no file ${path}.`);
  return found;
}
