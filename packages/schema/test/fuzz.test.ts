import Ajv from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { parse, type Schema } from "../src/index.js";
import * as v1 from "../src/v1/index.js";
import { mutants, validDocuments } from "./documents.js";
import { constantName, envelopes, official, officialDocument } from "./official-schema.js";
import { readOfficially } from "./oracle.js";

// The same documents on every run; raise the number of runs to look for more.
const settings = { seed: 20261121, numRuns: Number(process.env.FUZZ_RUNS ?? 60) };

const ajv = new Ajv.default({ strict: false, validateFormats: false, discriminator: false });
ajv.addSchema(officialDocument, "acp");

const own: Readonly<Record<string, unknown>> = v1;
const targets = Object.entries(official)
  .filter(([name, node]) => !envelopes.has(name) && (node["x-method"] !== undefined || name === "Error"))
  .map(([name, node]) => {
    const schema = (name === "PromptRequest" ? v1.promptRequest : own[constantName(name)]) as Schema;
    const isPrompt = name === "PromptRequest";
    return { name, node, schema, documents: validDocuments(node), isPrompt };
  });

// Ours reads a malformed `_meta` as absent on every object that it knows (V1-EXT-01), and leaves it on those that it does
// not know; the official schema does so where it happens to list `_meta`.
const withoutBadMeta = (value: unknown): unknown =>
  value === undefined
    ? undefined
    : JSON.parse(JSON.stringify(value), (key, member) => {
        const isBad = key === "_meta" && (typeof member !== "object" || Array.isArray(member));
        return isBad ? undefined : member;
      });

describe.each(targets)("$name", ({ name, node, schema, documents, isPrompt }) => {
  const isOfficial = ajv.getSchema(`acp#/$defs/${name}`) ?? (() => false);
  const isOwn = ajv.compile(z.toJSONSchema(schema as z.core.$ZodType));

  it("takes every valid document as it is (V1-LEN-09)", () => {
    fc.assert(
      fc.property(documents, (document) => {
        expect(isOfficial(document), "the generator").toBe(true);
        const read = parse(schema, document);
        expect(read.issues).toBeUndefined();
        expect("value" in read && read.value).toBe(document);
      }),
      settings,
    );
  });

  it("reads a document with one fault as the official marks say", () => {
    fc.assert(
      fc.property(mutants(documents), (document) => {
        const read = parse(schema, document);
        const expected = readOfficially(node, document, isPrompt);
        const actual = "value" in read ? { value: read.value } : undefined;
        expect(withoutBadMeta(actual)).toEqual(withoutBadMeta(expected));
      }),
      settings,
    );
  });

  it("remarks every fault that the official schema sees", () => {
    fc.assert(
      fc.property(mutants(documents), (document) => {
        const read = parse(schema, document);
        const isSilent = !read.issues && !read.salvaged && !read.unrecognized;
        if (isSilent) expect(isOfficial(document)).toBe(true);
      }),
      settings,
    );
  });

  it("is described by its own JSON Schema", () => {
    fc.assert(
      fc.property(fc.oneof(documents, mutants(documents)), (document) => {
        const read = parse(schema, document);
        expect(isOwn(document)).toBe(!read.issues && !read.salvaged);
      }),
      settings,
    );
  });
});
