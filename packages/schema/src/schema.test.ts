import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import * as z from "zod";
import { lenient, list, object, oneOf, parse, type Schema, sifted, string, variants } from "./index.js";
import { createSchema } from "./schema.js";

const text = object({ text: string() });
const block = variants("type", { text }, { unknown: "keep" });
const message = object({ role: oneOf("user", "agent"), blocks: sifted(block), title: lenient(string()) });

describe("a schema is a Standard Schema", () => {
  it("validates synchronously, with issues of path and message", () => {
    const standard = message["~standard"];
    expect(standard.version).toBe(1);
    expect(standard.validate({ role: "user", blocks: [] })).toEqual({ value: { role: "user", blocks: [] } });
    expect(standard.validate({ role: "x", blocks: 1 })).toEqual({
      issues: [
        { path: ["role"], message: 'expected "user" or "agent", got a string' },
        { path: ["blocks"], message: "expected an array, got a number" },
      ],
    });
    expect(message["~standard"]).toBe(standard);
  });

  it("never throws and never changes its input, whatever comes", () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true, withSparseArray: true }), (value) => {
        const before = fc.stringify(value);
        const read = parse(message, value);
        expect(fc.stringify(value)).toBe(before);
        if (read.issues !== undefined) expect(read.issues.length).toBeGreaterThan(0);
      }),
    );
  });

  it("refuses what is no JSON instead of throwing: throwing getters, endless nesting", () => {
    const hostile = {
      get role(): string {
        throw new Error("no");
      },
    };
    expect(parse(message, hostile).issues).toEqual([{ path: [], message: "expected plain JSON of finite depth" }]);

    type Tree = { readonly children: readonly Tree[] };
    const tree: Schema<Tree> = object({
      children: list(
        createSchema<Tree>({
          kind: "lazy",
          expected: "an object",
          read: (v, n) => tree._zod.def.read(v, n),
          json: () => ({}),
        }),
      ),
    });
    const endless: { children: unknown[] } = { children: [] };
    endless.children.push(endless);
    expect(parse(tree, { children: [{ children: [] }] }).issues).toBeUndefined();
    expect(parse(tree, endless).issues).toHaveLength(1);
  });
});

describe("a schema is a zod schema", () => {
  it("is an instance of zod's type, made by zod's constructor", () => {
    for (const schema of [message, block, text, string(), lenient(string()), list(text)]) {
      expect(schema).toBeInstanceOf(z.core.$ZodType);
      expect(schema).not.toBeInstanceOf(z.core.$ZodString);
    }
    const { traits, version } = z.core.clone(z.unknown())._zod;
    expect(message._zod.version).toEqual(version);
    expect(message._zod.traits).not.toBe(traits);
    expect(message["~standard"]).toMatchObject({ vendor: z.string()["~standard"].vendor, version: 1 });
  });

  it("can be cloned, with checks of zod that run after its own reading", () => {
    const short = z.core.clone(text as z.core.$ZodType, {
      ...text._zod.def,
      checks: [z.refine<{ readonly text: string }>((value) => value.text.length < 3, "too long")],
    });
    expect(z.safeParse(short, { text: "ab" }).success).toBe(true);
    expect(z.safeParse(short, { text: "abc" }).error?.issues).toMatchObject([{ message: "too long" }]);
    expect(z.safeParse(short, { text: 1 }).error?.issues).toMatchObject([{ path: ["text"] }]);
  });

  it("takes its texts from zod's error maps, the closest that answers, and else from the note", () => {
    const read = (schema: z.core.$ZodType, error?: z.core.$ZodErrorMap) =>
      z.safeParse(schema, { role: 1, blocks: [] }, error && { error }).error?.issues[0]?.message;
    const note = 'expected "user" or "agent", got a number';
    expect(read(message)).toBe(note);
    expect(read(message, ({ code, path }) => `${code} at ${path?.join(".")}`)).toBe("custom at role");
    expect(read(message, () => undefined)).toBe(note);
    expect(
      read(z.core.clone<z.core.$ZodType>(message, { ...message._zod.def, error: () => "own" }), () => "call"),
    ).toBe("own");
    z.config({ customError: () => ({ message: "everywhere" }) });
    try {
      expect(read(message)).toBe("everywhere");
      expect(read(message, () => "call")).toBe("call");
      expect(parse(message, { role: 1, blocks: [] }).issues?.[0]?.message).toBe(note);
    } finally {
      z.config({ customError: undefined });
    }
  });

  it("nests in z.object, z.array, z.union and z.record, with its type", () => {
    const outer = z.object({ first: message, rest: z.array(message), maybe: lenient(string()) });
    const value = {
      first: { role: "user", blocks: [] },
      rest: [{ role: "agent", blocks: [{ type: "text", text: "a" }] }],
    };
    expect(outer.parse(value)).toEqual(value);
    expectTypeOf<z.infer<typeof outer>["first"]["role"]>().toEqualTypeOf<"user" | "agent">();
    expectTypeOf<z.infer<typeof outer>["maybe"]>().toEqualTypeOf<string | undefined>();
    expect(z.union([message, z.string()]).parse("a")).toBe("a");
    expect(z.record(oneOf("a", "b"), z.number()).parse({ a: 1, b: 2 })).toEqual({ a: 1, b: 2 });
    expect(z.record(oneOf("a", "b"), z.number()).safeParse({ a: 1 }).success).toBe(false);
  });

  it("corrects inside a zod schema and gives it paths and texts", () => {
    const outer = z.object({ list: z.array(message) });
    expect(outer.parse({ list: [{ role: "user", blocks: [{ type: "text" }], title: 5 }] })).toEqual({
      list: [{ role: "user", blocks: [] }],
    });
    const failed = outer.safeParse({ list: [{ role: 1, blocks: [] }] });
    expect(failed.error?.issues).toMatchObject([
      { path: ["list", 0, "role"], message: 'expected "user" or "agent", got a number' },
    ]);
  });

  it("works with zod's own functions", async () => {
    expect(z.safeParse(message, { role: "user", blocks: [] }).success).toBe(true);
    await expect(z.parseAsync(message, { role: "user", blocks: [] })).resolves.toEqual({ role: "user", blocks: [] });
    expect(z.nullish(message).parse(null)).toBeNull();
  });

  it("converts to JSON Schema", () => {
    expect(z.toJSONSchema(z.object({ m: text }))).toMatchObject({
      properties: { m: { type: "object", properties: { text: { type: "string" } }, required: ["text"] } },
      required: ["m"],
    });
    expect(z.toJSONSchema(block)).toMatchObject({ anyOf: [{ properties: { type: { const: "text" } } }, {}] });
  });
});
