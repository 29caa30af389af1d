import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse, type Schema } from "../src/index.js";
import * as v1 from "../src/v1/index.js";
import * as v2 from "../src/v2/index.js";
import { type OfficialNode, readPublished } from "./official-schema.js";
import { apply, overlay, rows } from "./preview-overlay.js";

describe(`the Preview of ${overlay.date} over ${overlay.base}`, () => {
  // A row that changes nothing is no longer needed: an SDK with the Preview has its shape.
  it.each(rows)("$requirement $version $kind: $reason: is not in the published schema yet", (row) => {
    const unstable = readPublished(row.version, "schema.unstable").$defs;
    const definitions: Record<string, OfficialNode> = readPublished(row.version, "schema").$defs as never;
    for (const before of rows.slice(0, rows.indexOf(row)))
      if (before.version === row.version) apply(before, definitions, unstable);
    expect(apply(row, definitions, unstable)).toBe(true);
    expect(apply(row, definitions, unstable)).toBe(false);
  });
});

type Frame = {
  readonly section: string;
  readonly from: "client" | "agent";
  readonly message: {
    readonly id?: number;
    readonly method?: string;
    readonly params?: unknown;
    readonly result?: unknown;
  };
};

const frames = readFileSync(new URL("preview-frames.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n");
const asked = new Map<string, string>();
const cases = frames.map((line, index) => {
  const { section, from, message }: Frame = JSON.parse(line);
  const contract = section === "4.2" || section.endsWith("v1") ? v1.contract : v2.contract;
  const key = (side: string) => `${section} ${side} ${message.id}`;
  if (message.method !== undefined && message.id !== undefined) asked.set(key(from), message.method);
  const method = message.method ?? asked.get(key(from === "client" ? "agent" : "client")) ?? "";
  const row = (contract as Readonly<Record<string, { params?: Schema; result?: Schema }>>)[method];
  const isCall = message.method !== undefined;
  return {
    ...{ title: `${section} frame ${index + 1}, ${method}`, message },
    ...{ schema: isCall ? row?.params : row?.result, value: isCall ? message.params : message.result },
  };
});

describe("the frames of the Preview", () => {
  const isError = ({ message }: { message: object }) => "error" in message;

  it("are all there, and each has a schema", () => {
    expect(cases).toHaveLength(54);
    expect(cases.filter((one) => one.schema === undefined && !isError(one))).toEqual([]);
  });

  it.each(cases.filter((one) => !isError(one)))("$title: valid, and read without a change", ({ schema, value }) => {
    const read = parse(schema ?? v2.errorObject, value);
    expect(read).toEqual({ value });
    expect("value" in read && read.value).toBe(value);
  });
});

describe("an idempotency key (P-IDEM-01, P-IDEM-02)", () => {
  const prompt = { sessionId: "s", prompt: [{ type: "text", text: "Hi" }] };
  const read = (idempotencyKey: unknown) => parse(v2.promptRequest, { ...prompt, idempotencyKey }).issues;

  it.each([null, "k", "K".repeat(255), "🔑".repeat(255)])("may be %j", (key) => {
    expect(read(key)).toBeUndefined();
  });

  it.each([5, "", "k".repeat(256), "🔑".repeat(256), {}])("is refused: %j", (key) => {
    expect(read(key)).toMatchObject([{ path: ["idempotencyKey"] }]);
  });
});

describe("a compaction of version 2 (P-COMP-01, P-COMP-03)", () => {
  const update = { sessionUpdate: "compaction_update", compactionId: "c" };

  it.each([{}, { status: null }, { status: "completed" }, { summary: [], error: null }])(
    "may be a patch: %j",
    (patch) => {
      const value = { ...update, ...patch };
      expect(parse(v2.sessionUpdate, value)).toEqual({ value });
    },
  );

  it("needs its id, and in version 1 its status", () => {
    expect(parse(v2.sessionUpdate, { sessionUpdate: "compaction_update" }).issues).toHaveLength(1);
    expect(parse(v1.sessionUpdate, update).issues).toMatchObject([{ path: ["status"] }]);
  });
});

describe("a plan in Markdown (P-PLAN-04, P-PLAN-07)", () => {
  const plan = { type: "markdown", planId: "p", content: "# Plan" };

  it.each([
    ["version 1", v1.sessionUpdate],
    ["version 2", v2.sessionUpdate],
  ])("may name its file; a relative path is kept as received, in %s", (_, schema: Schema) => {
    for (const path of [null, "/srv/PLAN.md", "PLAN.md"]) {
      const value = { sessionUpdate: "plan_update", plan: { ...plan, path } };
      expect(parse(schema, value)).toEqual({ value });
    }
  });

  it("of a type that the Preview does not have is kept", () => {
    const value = { sessionUpdate: "plan_update", plan: { type: "file", planId: "p", uri: "file:///p" } };
    expect(parse(v1.sessionUpdate, value)).toMatchObject({ value, unrecognized: [{ path: ["plan", "type"] }] });
    expect(parse(v2.sessionUpdate, value)).toMatchObject({ value, unrecognized: [{ path: ["plan", "type"] }] });
  });
});

it("a system prompt of version 2 has at least one block (P-SYS-03)", () => {
  const request = { cwd: "/p", systemPrompt: { mode: "append", content: [] } };
  expect(parse(v2.newSessionRequest, request).issues).toMatchObject([{ path: ["systemPrompt", "content"] }]);
});
