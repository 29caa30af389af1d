import type { OfficialNode } from "./official-schema.js";
import type { Target } from "./targets.js";

/** Result of reading a value: another value, the same one, or undefined when it is invalid. */
export type Reading = { readonly value: unknown } | undefined;

/** Reads a value by a definition, and adds to `rules` where turnkit is meant to differ from plain validation. */
export type Oracle = (definition: string, value: unknown, rules: Set<string>) => Reading;

type Rule =
  | "default on error"
  | "required list reads as empty"
  | "invalid items dropped"
  | "null reads as empty"
  | "capabilities are cleared"
  | "exactly one scope"
  | "error without its stop reason";

const requirements: Readonly<Record<"v1" | "v2", Partial<Readonly<Record<Rule, string>>>>> = {
  v1: {
    "default on error": "V1-LEN-01",
    "required list reads as empty": "V1-LEN-04",
    "invalid items dropped": "V1-LEN-02",
    "null reads as empty": "V1-LEN-03",
    "error without its stop reason": "V1-UNST-10",
  },
  v2: {
    "default on error": "V2-DEC-01",
    "required list reads as empty": "V2-DEC-04",
    "invalid items dropped": "V2-DEC-04",
    "null reads as empty": "V2-DEC-03",
    "capabilities are cleared": "V2-DEC-11",
    "exactly one scope": "V2-ELI-02",
    "error without its stop reason": "V2-PRM-15",
  },
};

// Where a known tag decides in version 1 although another variant would take the object; in version 2 it is so everywhere.
const decided: Readonly<Record<string, string>> = {
  AuthMethod: "V1-AUTH-03",
  McpServer: "V1-SESS-18",
  MultiSelectItems: "V1-ELIC-07",
};

const limits: Readonly<Record<string, readonly [number, number]>> = {
  uint16: [0, 0xffff],
  uint32: [0, 0xffff_ffff],
  int32: [-0x8000_0000, 0x7fff_ffff],
};

/**
 * Makes a reader that follows the official schema and its `x-deserialize-*` marks in the plainest way: a second opinion on
 * what our validators hand on, which says by which rule.
 */
export function createOracle(target: Target): Oracle {
  const { official, differences, version } = target;
  const { definitions, resolve } = official;
  const named = (names: Readonly<Record<string, string>>, what: string) =>
    new Map(Object.entries(names).map(([name, reason]) => [definitions[name], `${name} ${what} (${reason})`]));
  const opened = named(differences.opened, "is open");
  const assumed = named(differences.assumed, "needs no tag");
  const names = new Map(Object.entries(definitions).map(([name, node]) => [node, name]));
  const closing = new Set(differences.closed.map((name) => definitions[name]));
  // A tag in the table decides everywhere but here: a string with `type: "boolean"` is a value id (V1-CFG-08).
  const undecided = version === "v1" ? definitions.SetSessionConfigOptionRequest : undefined;
  const clearing = new Set(version === "v2" ? [definitions.ToolCallUpdate, definitions.TerminalUpdate] : []);
  let rules = new Set<string>();
  let isClosed = false;
  const say = (rule: Rule) => rules.add(`${rule} (${requirements[version][rule]})`);

  function read(reference: OfficialNode, value: unknown): Reading {
    const node = resolve(reference);
    const before = isClosed;
    if (closing.has(node)) isClosed = true;
    const reading = readNode(node, value);
    isClosed = before;
    return reading;
  }

  /** Reads; when it fails, only why we are stricter than ajv is left behind. */
  function attempt(reference: OfficialNode, value: unknown): Reading {
    const before = rules;
    rules = new Set();
    const reading = read(reference, value);
    const stricter = /^(a known tag decides|exactly one scope) /;
    for (const rule of rules) if (reading !== undefined || stricter.test(rule)) before.add(rule);
    rules = before;
    return reading;
  }

  function readNode(node: OfficialNode, value: unknown): Reading {
    if (!fits(node, value)) return undefined;
    let reading: Reading = { value };
    if (Array.isArray(value)) reading = readItems(node, value);
    else if (isObject(value)) reading = readMembers(node, value);
    for (const part of node.allOf ?? []) reading &&= read(part, reading.value);
    const branches = node.anyOf ?? node.oneOf;
    if (branches !== undefined) reading &&= readUnion(node, branches, reading.value);
    if (reading && node === definitions.IdleStateUpdate) reading = readIdle(reading.value as Record<string, unknown>);
    return reading;
  }

  function readUnion(node: OfficialNode, branches: readonly OfficialNode[], value: unknown): Reading {
    const open = opened.get(node);
    const tag = tagOf(branches);
    if (open !== undefined && tag === undefined && typeof value === "string") {
      if (attemptAny(branches, value) === undefined) rules.add(open);
      return { value };
    }
    if (tag !== undefined && isObject(value) && node !== undefined && node !== undecided) {
      const chosen = branches.find((branch) => branch.properties?.[tag]?.const === (value[tag] ?? unset));
      if (chosen !== undefined) {
        const reading = read(chosen, value);
        const others = branches.filter((branch) => branch !== chosen);
        const name = names.get(node) ?? "";
        const reason = version === "v1" ? decided[name] : "V2-DEC-06";
        if (reading === undefined && reason !== undefined && attemptAny(others, value) !== undefined) {
          rules.add(`a known tag decides in ${name} (${reason})`);
        }
        return reading;
      }
      if (open !== undefined && typeof value[tag] === "string" && !(isClosed && node === definitions.ContentBlock)) {
        rules.add(open);
        return { value };
      }
      const first = branches[0] ?? {};
      const reason = assumed.get(node);
      if (reason !== undefined && value[tag] === undefined) {
        rules.add(reason);
        return read(first, { ...value, [tag]: first.properties?.[tag]?.const });
      }
    }
    if (version === "v2" && node.oneOf !== undefined && isObject(value)) return readExactlyOne(branches, value);
    return attemptAny(branches, value);
  }

  function attemptAny(branches: readonly OfficialNode[], value: unknown): Reading {
    for (const branch of branches) {
      const reading = attempt(branch, value);
      if (reading !== undefined) return reading;
    }
    return undefined;
  }

  function readExactlyOne(branches: readonly OfficialNode[], value: Record<string, unknown>): Reading {
    const required = (branch: OfficialNode) => resolve(branch.allOf?.[0] ?? branch).required ?? [];
    const present = branches.filter((branch) => required(branch).every((name) => value[name] !== undefined));
    if (present.length === 1) return read(present[0] ?? {}, value);
    say("exactly one scope");
    return undefined;
  }

  function readItems(node: OfficialNode, value: readonly unknown[]): Reading {
    const { items } = node;
    if (items === undefined) return { value };
    const sifts = node["x-deserialize-skip-invalid-items"] === true;
    const kept: unknown[] = [];
    for (const item of value) {
      const reading = sifts ? attempt(items, item) : read(items, item);
      if (reading !== undefined) kept.push(reading.value);
      else if (!sifts) return undefined;
      else say("invalid items dropped");
    }
    return kept.length < (node.minItems ?? 0) ? undefined : { value: kept };
  }

  function readMembers(node: OfficialNode, value: Record<string, unknown>): Reading {
    const out = { ...value };
    const each = typeof node.additionalProperties === "object" ? node.additionalProperties : undefined;
    for (const name of each === undefined ? Object.keys(node.properties ?? {}) : Object.keys(value)) {
      const member = each ?? node.properties?.[name] ?? {};
      const required = node.required?.includes(name) ?? false;
      if (!Object.hasOwn(value, name)) {
        if (required) return undefined;
        continue;
      }
      const empty = [member.type].flat().includes("array") ? [] : {};
      if (member["x-deserialize-default-on-null"] === true && value[name] === null) {
        say("null reads as empty");
        out[name] = empty;
        continue;
      }
      const forgiving = member["x-deserialize-default-on-error"] === true;
      const reading = forgiving ? attempt(member, value[name]) : read(member, value[name]);
      if (reading !== undefined) {
        out[name] = reading.value;
        continue;
      }
      if (!forgiving) return undefined;
      if (name === "capabilities" && clearing.has(node)) {
        say("capabilities are cleared");
        out[name] = null;
      } else if (required) {
        say("required list reads as empty");
        out[name] = empty;
      } else {
        say("default on error");
        delete out[name];
      }
    }
    return { value: out };
  }

  /** The official schema knows `error` only beside its stop reason; our object has it always. */
  function readIdle(value: Record<string, unknown>): Reading {
    const { error, ...rest } = value;
    const member = definitions.ErrorStopReason?.properties?.error ?? {};
    if (error === undefined || value.stopReason === "error" || attempt(member, error) !== undefined) return { value };
    say("error without its stop reason");
    return { value: rest };
  }

  return (definition, value, found) => {
    rules = found;
    return read(definitions[definition] ?? {}, value);
  };
}

const unset = Symbol("unset");

function tagOf(branches: readonly OfficialNode[]): string | undefined {
  for (const branch of branches) {
    const tag = Object.entries(branch.properties ?? {}).find(([, member]) => member.const !== undefined);
    if (tag !== undefined) return tag[0];
  }
  return undefined;
}

function fits(node: OfficialNode, value: unknown): boolean {
  if (node.const !== undefined && node.const !== value) return false;
  if (typeof value === "string" && value.length < (node.minLength ?? 0)) return false;
  if (typeof value === "number" && !(value >= (node.minimum ?? -Infinity) && value <= (node.maximum ?? Infinity)))
    return false;
  for (const { properties = {} } of node.not?.anyOf ?? (node.not ? [node.not] : [])) {
    if (isObject(value) && Object.entries(properties).every(([key, member]) => value[key] === member.const))
      return false;
  }
  if (node.type === undefined) return true;
  return [node.type].flat().some((type) => {
    if (type === "null") return value === null;
    if (type === "array") return Array.isArray(value);
    if (type === "object") return isObject(value);
    if (type !== "integer") return typeof value === type;
    const [min, max] = limits[node.format ?? ""] ?? [-Infinity, Infinity];
    return Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
