import { describe, expect, it, test } from "vitest";
import { citationsIn } from "../src/cited-requirements.js";
import { type Mutation, mutate, mutationProblems } from "../src/mutation/mutation.js";
import { mutations } from "../src/mutation/table.js";
import { readDefects, readRequirements } from "../src/requirements.js";
import { readWorkspaces } from "../src/workspace.js";

describe("the table of mutations", () => {
  it("fits the code, the catalogues and the tests as they are", () => {
    const files = readWorkspaces().flatMap((workspace) => workspace.files);
    const known = new Set([...readRequirements().map(({ id }) => id), ...readDefects()]);
    const tests = files.filter(({ path }) => path.endsWith(".test.ts"));
    const cited = new Set(tests.flatMap((file) => [...citationsIn(file).keys()]));
    const problems = mutationProblems(mutations, { files, known, cited });
    expect(problems, "rows of packages/tooling/src/mutation to adapt to the code").toEqual([]);
  });

  it("breaks at least 40 requirements, in every package that is at work, of both versions, the seed draft and the Preview", () => {
    expect(mutations.length).toBeGreaterThanOrEqual(40);
    const packages = new Set(mutations.map(({ file }) => file.split("/")[1]));
    expect([...packages].sort()).toEqual([
      ...[
        "agent",
        "ai-sdk",
        "cli-agent",
        "client",
        "gateway",
        "node-client",
        "remote",
        "schema",
        "session",
        "testing",
        "transport",
        "web",
      ],
    ]);
    for (const [area, least] of [
      ["V1-", 5],
      ["V2-", 5],
      ["V2-SEED-", 5],
      ["P-", 40],
    ] as const) {
      expect(mutations.filter(({ id }) => id.startsWith(area)).length, area).toBeGreaterThanOrEqual(least);
    }
  });
});

test("every known defect is named by the title of a test", () => {
  const tests = readWorkspaces().flatMap(({ files }) => files.filter(({ path }) => path.endsWith(".test.ts")));
  const cited = new Set(tests.flatMap((file) => [...citationsIn(file).keys()]));
  expect(readDefects().length).toBeGreaterThanOrEqual(15);
  expect(readDefects().filter((id) => !cited.has(id))).toEqual([]);
});

describe("a row of it", () => {
  const row: Mutation = {
    id: "V1-RPC-01",
    file: "packages/agent/src/a.ts",
    find: "1",
    replace: "2",
    what: "one is two",
  };
  const problemsOf = (...rows: readonly Mutation[]) =>
    mutationProblems(rows, {
      files: [
        { path: "packages/agent/src/a.ts", text: "one(1, 3, 3)" },
        { path: "packages/agent/src/a.test.ts", text: "one(1)" },
      ],
      known: new Set(["V1-RPC-01", "V1-RPC-02"]),
      cited: new Set(["V1-RPC-01"]),
    }).join();

  it("puts its replacement where its text is", () => {
    expect(mutate(row, "one(1)")).toEqual({ text: "one(2)" });
    expect(mutate({ ...row, replace: "$&" }, "one(1)")).toEqual({ text: "one($&)" });
    expect(problemsOf(row)).toBe("");
  });

  it.each<[string, Partial<Mutation>, string]>([
    ["a text that is gone", { find: "4" }, "0 times"],
    ["a text that is there twice", { find: "3" }, "2 times"],
    ["a replacement that is the text", { replace: "1" }, "changes nothing"],
    ["an id that nobody knows", { id: `V1-RPC-${99}` }, "is neither a requirement nor a defect"],
    ["an id that no test cites", { id: "V1-RPC-02" }, "cited by no test"],
    ["a file that is gone", { file: "packages/agent/src/b.ts" }, "no source file"],
    ["a test for a file", { file: "packages/agent/src/a.test.ts" }, "no source file"],
  ])("does not pass with %s", (_, change, problem) => {
    expect(problemsOf({ ...row, ...change })).toContain(problem);
  });

  it("does not pass beside another of its requirement", () => {
    expect(problemsOf(row, { ...row, find: "(", replace: "[" })).toContain("twice");
  });
});
