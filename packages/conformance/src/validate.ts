import type { Contract, ContractRow, Note, Schema, Validated } from "@turnkit/schema";
import { type Entry, frameOf, membersOf } from "./entry.js";

/** Part of a message that does not follow the schema of its dialect. */
export type Problem = {
  /** `invalid`: the schema refuses or corrects the value. `unknown`: the value is not one of the listed values. */
  readonly kind: "invalid" | "unknown";
  /** Place, such as `update.content`. */
  readonly path: string;
  readonly message: string;
  readonly value: unknown;
};

/** Returns the problems of a message, or an empty list. Errors, and methods without a schema, are not judged. */
export function problemsOf(entry: Entry, contract: Contract): readonly Problem[] {
  const known = found.get(entry);
  if (known !== undefined) return known;
  const problems = problemsIn(entry, contract);
  found.set(entry, problems);
  return problems;
}

/** Problems by entry, because many checks ask for them. An entry has one dialect. */
const found = new WeakMap<Entry, readonly Problem[]>();

function problemsIn(entry: Entry, contract: Contract): readonly Problem[] {
  const row = entry.method === undefined || !Object.hasOwn(contract, entry.method) ? undefined : contract[entry.method];
  if (row === undefined) return [];
  const { params, result } = frameOf(entry);
  // V1-RPC-08: readers also take null for an empty result.
  if (entry.kind === "result") return row.result === undefined || result === null ? [] : judge(row.result, result);
  const schema = entry.kind === "request" || entry.kind === "notification" ? paramsSchema(row, entry) : undefined;
  return schema === undefined ? [] : judge(schema, params ?? {});
}

function paramsSchema(row: ContractRow, { kind }: Entry): Schema | undefined {
  return kind === "notification" ? (row.notification?.params ?? row.params) : row.params;
}

function judge(schema: Schema, value: unknown): readonly Problem[] {
  const read: Validated<unknown> = schema["~standard"].validate(value);
  const problem = (kind: Problem["kind"]) => (note: Note) => ({
    ...{ kind, path: note.path.join("."), message: note.message },
    value: note.path.reduce<unknown>(
      (part, key) => (part as Record<string | number, unknown> | undefined)?.[key],
      value,
    ),
  });
  if (read.issues !== undefined) return read.issues.map(problem("invalid"));
  return [...(read.salvaged ?? []).map(problem("invalid")), ...(read.unrecognized ?? []).map(problem("unknown"))];
}

/** Returns the places of members that the schema does not list, at every depth. `_meta` may contain any members. */
export function unlistedMembers(entry: Entry, contract: Contract): readonly string[] {
  const row = entry.method === undefined ? undefined : contract[entry.method];
  if (row === undefined) return [];
  const { params, result } = frameOf(entry);
  const schema = entry.kind === "result" ? row.result : paramsSchema(row, entry);
  return schema === undefined ? [] : unlisted(schema, entry.kind === "result" ? result : params, "");
}

function unlisted({ def }: Schema, value: unknown, path: string): readonly string[] {
  const parts = def.parts?.() ?? {};
  const below = (part: Schema | undefined, member: unknown, name: string | number) =>
    part === undefined ? [] : unlisted(part, member, `${path}.${name}`);
  switch (def.kind) {
    case "object":
      return Object.entries(membersOf(value)).flatMap(([name, member]) => {
        if (name === "_meta") return [];
        return Object.hasOwn(parts, name) ? below(parts[name], member, name) : [`${path}.${name}`.slice(1)];
      });
    case "variants":
    case "openVariants": {
      const { [def.tag as string]: name, ...members } = membersOf(value);
      const part = typeof name === "string" && Object.hasOwn(parts, name) ? parts[name] : undefined;
      return part === undefined ? [] : unlisted(part, members, path);
    }
    case "list":
    case "sifted":
      return Array.isArray(value) ? value.flatMap((item, at) => below(parts.element, item, at)) : [];
    case "record":
      return Object.entries(membersOf(value)).flatMap(([name, member]) => below(parts.element, member, name));
    case "exactlyOne":
    case "firstOf": {
      const [first = [], ...others] = Object.values(parts).map((part) => unlisted(part, value, path));
      return others.reduce((least, one) => (one.length < least.length ? one : least), first);
    }
    default:
      return parts.inner === undefined ? [] : unlisted(parts.inner, value, path);
  }
}
