import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { UsageError } from "../exit-code.js";

/** Maximum size of a configuration file in bytes. */
const MAX_BYTES = 1024 * 1024;

/** Value of a JSON file with its place for messages: `agents.json: agents.mine.command`. */
export interface JsonValue {
  readonly value: unknown;
  readonly place: string;
  /** Makes an error that names the place and the expected value. */
  fail(expected: string): UsageError;
  /** Returns the members of an object. A member that is not in `names` is an error: it would be silently ignored. */
  members(names?: readonly string[]): ReadonlyMap<string, JsonValue>;
  items(): readonly JsonValue[];
  text(): string;
  /** Returns a text that may be empty, unlike {@link text}. */
  maybeEmptyText(): string;
  /** Returns one text, or several. */
  texts(): readonly string[];
}

/**
 * Reads a JSON file that a person wrote; `undefined` if it is missing.
 *
 * @throws UsageError that names the file and the place of a fault
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
  try {
    return valueAt(JSON.parse(text.replace(/^\ufeff/, "")), `${path}:`);
  } catch (error) {
    throw new UsageError(`${path} is no JSON: ${(error as Error).message}.`);
  }
}

/** Reads a JSON file that must exist, like {@link readJsonFile}. */
export async function requireJsonFile(option: string, path: string): Promise<JsonValue> {
  const found = await readJsonFile(path);
  if (found === undefined) throw new UsageError(`${option}: there is no file ${path}.`);
  return found;
}

function valueAt(value: unknown, place: string): JsonValue {
  const fail = (expected: string) => new UsageError(`${place.replace(/:$/, "")} must be ${expected}.`);
  const below = (name: string | number) => `${place}${place.endsWith(":") ? " " : "."}${name}`;
  const self: JsonValue = {
    value,
    place,
    fail,
    members(names) {
      if (typeof value !== "object" || value === null || Array.isArray(value)) throw fail("an object");
      for (const name of Object.keys(value)) {
        if (names !== undefined && !names.includes(name)) {
          throw new UsageError(`${below(name)} is unknown; known are ${names.join(", ")}.`);
        }
      }
      return new Map(Object.entries(value).map(([name, member]) => [name, valueAt(member, below(name))]));
    },
    items() {
      if (!Array.isArray(value)) throw fail("a list");
      return value.map((item, index) => valueAt(item, below(index)));
    },
    text() {
      if (typeof value !== "string" || value === "") throw fail("a text");
      return value;
    },
    maybeEmptyText() {
      if (typeof value !== "string") throw fail("a text");
      return value;
    },
    texts: () => (Array.isArray(value) ? self.items().map((item) => item.text()) : [self.text()]),
  };
  return self;
}

/** Returns the folder of the user's settings: `turnkit` in `$XDG_CONFIG_HOME`, else in `%APPDATA%` or `~/.config`. */
export function configurationFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string {
  const given = env.XDG_CONFIG_HOME;
  // The XDG specification: a path that is not absolute is ignored.
  if (given !== undefined && isAbsolute(given)) return join(given, "turnkit");
  if (platform === "win32" && env.APPDATA) return join(env.APPDATA, "turnkit");
  return join(env.HOME || homedir(), ".config", "turnkit");
}
