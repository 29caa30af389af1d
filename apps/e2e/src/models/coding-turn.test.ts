import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { allowOnce, seedDialect, v1Dialect, v2Dialect } from "@turnkit/client";
import { describe, expect, it } from "vitest";
import { calls, KEY, said, startCodingAgent, type WireName } from "./coding-agent.js";
import { call, fail, type ReceivedRequest, type Step, say, think } from "./step.js";

const project = {
  "package.json": '{ "name": "numbers", "type": "module", "scripts": { "test": "node --test" } }\n',
  "src/average.js": [
    "export function average(numbers) {",
    "  const sum = numbers.reduce((total, number) => total + number, 0);",
    "  return sum / (numbers.length + 1);",
    "}",
    "",
  ].join("\n"),
  "test/average.test.js": [
    'import assert from "node:assert/strict";',
    'import test from "node:test";',
    'import { average } from "../src/average.js";',
    'test("of some numbers", () => assert.equal(average([2, 4, 6]), 4));',
    'test("of no number", () => assert.equal(average([]), 0));',
    "",
  ].join("\n"),
};

const edit = (oldText: string, newText: string) =>
  call("edit_file", { path: "src/average.js", edits: [{ oldText, newText }] });

/** Checks the content of each request, so that every answer is one of a model that saw the results before it. */
const saw =
  (expected: readonly (string | RegExp)[], answer: Extract<Step, readonly unknown[]>) => (request: ReceivedRequest) => {
    expect(request.results).toHaveLength(expected.length);
    for (const [index, text] of expected.entries()) expect(request.results[index]).toMatch(text);
    return answer;
  };

/** Read and search at once, edit, run the tests, which fail; a better edit, run them again. */
const fixing: readonly Step[] = [
  [
    think("An average divides by the count."),
    say("I look at it first."),
    call("read_file", { path: "src/average.js" }),
    call("search", { pattern: "average\\(", glob: "*.js" }),
  ],
  saw([/numbers\.length \+ 1/, /average\.test\.js:4/], [edit("(numbers.length + 1)", "numbers.length")]),
  saw([/written/], [say("Now the tests."), call("run_command", { command: "node --test" })]),
  saw([/of no number[\s\S]*Exit code 1/], [edit("  const sum", "  if (numbers.length === 0) return 0;\n  const sum")]),
  saw([/written/], [call("run_command", { command: "node --test" })]),
  saw([/pass 2[\s\S]*Exit code 0/], [say("It is **fixed**: `average` divided by one too many.")]),
];

/** The failures of an ordinary day, before the answers. */
const withFailures: readonly Step[] = [
  fail(429, "Slow down, please.", "0"),
  ...fixing.slice(0, 2),
  fail(500, "We are on fire.", "0"),
  ...fixing.slice(2),
];

describe("a coding turn", () => {
  it.each<[WireName, string, typeof v2Dialect]>([
    ["openai-compatible", "v2", v2Dialect],
    ["anthropic", "v1", v1Dialect],
    ["openai", "v1", v1Dialect],
    ["google", "v2", v2Dialect],
    ["anthropic", "seed", seedDialect],
  ])("reads, searches, edits, tests, fixes and finishes: %s, %s", async (wire, _, dialect) => {
    const asked: string[] = [];
    const { session, server, folder } = await startCodingAgent({
      wire,
      dialects: [dialect],
      files: project,
      script: withFailures,
      permissions(question) {
        asked.push(question.title);
        return allowOnce(question);
      },
    });
    const turn = await session.prompt("The average is wrong. Please fix it, and run the tests.").ended;
    expect(turn).toMatchObject({ stopReason: "end_turn", agentConfirmed: true });

    const { state } = session;
    expect(said(state)).toBe("I look at it first.Now the tests.It is **fixed**: `average` divided by one too many.");
    expect(said(state, "thought")).toContain("An average divides by the count.");
    // The failures are notices, and to a client that knows none thoughts.
    const received = JSON.stringify([...state.timeline]);
    expect(received).toContain("answered 429: Slow down, please.");
    expect(received).toContain("answered 500: We are on fire.");
    expect(calls(state)).toEqual([
      "Read src/average.js: completed",
      "Search for average\\( in *.js: completed",
      "Edit src/average.js: completed",
      "node --test: failed",
      "Edit src/average.js: completed",
      "node --test: completed",
    ]);
    expect(asked).toEqual(["Edit src/average.js", "node --test", "Edit src/average.js", "node --test"]);
    expect(await readFile(join(folder, "src/average.js"), "utf8")).toBe(
      project["src/average.js"]
        .replace("(numbers.length + 1)", "numbers.length")
        .replace("  const sum", "  if (numbers.length === 0) return 0;\n  const sum"),
    );

    expect(server.requests).toHaveLength(8);
    expect(new Set(server.requests.map(({ key }) => key))).toEqual(new Set([KEY]));
    expect(server.requests[0]?.tools).toEqual(
      expect.arrayContaining(["read_file", "search", "edit_file", "run_command"]),
    );
    expect(state.usage).toMatchObject({ used: 110, size: 100_000 });
    expect(JSON.stringify(state)).not.toContain(KEY);
  });
});
