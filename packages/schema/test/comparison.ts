import { isDeepStrictEqual } from "node:util";
import type { Format } from "ajv";
import Ajv from "ajv/dist/2020.js";
import * as z from "zod";
import { parse, type Schema } from "../src/index.js";
import { validDocument, withFault } from "./documents.js";
import { constantName } from "./official-schema.js";
import { createOracle } from "./oracle.js";
import { createRandom } from "./random.js";
import type { Target } from "./targets.js";

/** Result of holding many documents against both schemas. */
export interface Figures {
  documents: number;
  /** Valid for both, and handed on as it came. */
  accepted: number;
  /** Invalid for both. */
  rejected: number;
  /** Intended differences between the two, by rule. A document counts for each of its rules. */
  readonly rules: Map<string, number>;
  /** The others: there should be none. */
  unexplained: number;
  /** The first few of them. */
  readonly examples: string[];
}

const within = (min: number, max: number): Format => ({
  type: "number",
  validate: (value: number) => value >= min && value <= max,
});
const formats: Record<string, Format> = {
  ...Object.fromEntries(
    ["uri", "regex", "date-time", "double", "int64", "uint64"].map((name) => [name, true as const]),
  ),
  int32: within(-0x8000_0000, 0x7fff_ffff),
  uint32: within(0, 0xffff_ffff),
  uint16: within(0, 0xffff),
};

/**
 * Makes documents from a target's official schema, most with one fault, and compares four verdicts on each. The readers
 * are ajv, the official leniency marks, our validators, and the JSON Schemas of our validators.
 */
export function compare(target: Target, documents: number, seed: number): Figures {
  const { official } = target;
  const ajv = new Ajv.default({ strict: false, discriminator: false, formats });
  ajv.addSchema(official.document, "acp");
  const oracle = createOracle(target);
  const random = createRandom(seed);
  const names = [...new Set(Object.values(official.definitions).flatMap((node) => Object.keys(node.properties ?? {})))];
  const lots = official.names
    .filter((name) => official.definitions[name]?.["x-method"] !== undefined || name === "Error")
    .map((name) => {
      const schema = target.own.get(constantName(name)) as Schema;
      return {
        name,
        schema,
        isOfficial: ajv.getSchema(`acp#/$defs/${name}`) ?? (() => false),
        isOwn: ajv.compile(z.toJSONSchema(schema as z.core.$ZodType)),
        // What holds more is drawn more often.
        share: Math.sqrt(reachable(target, name)),
      };
    });
  const tickets = lots.flatMap((lot) => Array.from({ length: Math.round(lot.share * 10) }, () => lot));
  const figures: Figures = {
    ...{ documents: 0, accepted: 0, rejected: 0, unexplained: 0 },
    ...{ rules: new Map(), examples: [] },
  };

  for (let count = 0; count < documents; count++) {
    const { name, schema, isOfficial, isOwn } = random.pick(tickets);
    const valid = validDocument(official, official.definitions[name] ?? {}, random);
    const document = random.chance(0.4) ? valid : withFault(valid, names, random);
    const problem = judge(document);
    figures.documents++;
    if (problem === undefined) continue;
    figures.unexplained++;
    if (figures.examples.length < 5) figures.examples.push(`${name}: ${problem}: ${JSON.stringify(document)}`);

    function judge(document: unknown): string | undefined {
      const rules = new Set<string>();
      const expected = oracle(name, document, rules);
      const read = parse(schema, document);
      const fine = isOfficial(document) as boolean;
      if (document === valid && !fine) return "the generator made an invalid document";
      if ((expected === undefined) !== (read.issues !== undefined)) {
        return expected ? `we reject: ${JSON.stringify(read.issues)}` : "we accept";
      }
      if (isOwn(document) !== (!read.issues && !read.salvaged)) return "our JSON Schema says something else";
      if (read.issues) {
        if (!fine) figures.rejected++;
        else if (rules.size === 0) return "ajv accepts";
        else for (const rule of rules) add(figures.rules, rule);
        return undefined;
      }
      if (!read.salvaged && !read.unrecognized && !fine && !hasRule(rules, "is open")) {
        if (!isOfficial(withoutBadMeta(document))) return "we are silent about a fault";
        rules.clear();
        rules.add("malformed _meta of a custom variant is kept (V2-DEC-07)");
      }
      if (!isDeepStrictEqual(read.value, expected?.value)) {
        if (!isDeepStrictEqual(withoutBadMeta(read.value), withoutBadMeta(expected?.value))) {
          return `we read ${JSON.stringify(read.value)}, not ${JSON.stringify(expected?.value)}`;
        }
        rules.add(`malformed _meta is absent on every object (${target.version === "v1" ? "V1-EXT-01" : "V2-DEC-01"})`);
      }
      if (fine && read.value === document) figures.accepted++;
      else if (rules.size === 0) return fine ? "we change it" : "ajv rejects";
      else for (const rule of rules) add(figures.rules, rule);
      return undefined;
    }
  }
  return figures;
}

/** Counts the definitions that a definition is made of. */
function reachable({ official }: Target, name: string): number {
  const seen = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      if (key !== "$ref") visit(member);
      else if (!seen.has(member)) {
        seen.add(member);
        visit(official.resolve({ $ref: member }));
      }
    }
  };
  visit(official.definitions[name]);
  return seen.size + 1;
}

// Ours reads a malformed `_meta` as absent on every object that it knows, and leaves it on those that it does not know; the
// official schema does so where it happens to list `_meta`.
function withoutBadMeta(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null), (key, member) =>
    key === "_meta" && (typeof member !== "object" || Array.isArray(member)) ? undefined : member,
  );
}

function add(rules: Map<string, number>, rule: string): void {
  rules.set(rule, (rules.get(rule) ?? 0) + 1);
}

function hasRule(rules: ReadonlySet<string>, part: string): boolean {
  return [...rules].some((rule) => rule.includes(part));
}
