import type { DecisionScope } from "@turnkit/client/broker";
import { expect, it } from "vitest";
import { alwaysText } from "./permission-scope.js";

const of = { agent: "a", folder: "/work", paths: [] } as const;
const paths = Array.from({ length: 7 }, (_, n) => `/work/${n}.ts`);

it.each<[DecisionScope, string]>([
  [{ ...of, type: "command", commandLine: "npm test" }, "exactly this command line in /work"],
  [{ ...of, type: "command", argv: ["ls"], cwd: "/work/a" }, "exactly this command line in /work/a"],
  [
    { ...of, type: "command", commandLine: "npm ci", access: ["network", "outside_sandbox"] },
    "exactly this command line in /work, with the network, outside of the sandbox",
  ],
  [{ ...of, type: "files", kind: "edit", paths: ["/work/a.ts", "/etc/x"] }, "every edit of exactly a.ts, /etc/x"],
  [
    { ...of, type: "files", kind: "read", tool: "peek", paths },
    "every peek of exactly 0.ts, 1.ts, 2.ts, 3.ts, 4.ts and 2 more files",
  ],
  [{ ...of, type: "input", tool: "fetch", input: 1 }, "fetch with exactly this input"],
])("the scope %j is %j in words", (scope, words) => {
  const expiresAt = Date.UTC(2026, 11, 24);
  expect(alwaysText({ scope, expiresAt }, "/work")).toBe(`turnkit remembers until 2026-12-24: ${words}`);
});

it("without a scope only the agent knows what always covers", () => {
  expect(alwaysText(undefined, "/work")).toMatch(/turnkit does not remember it; the agent decides/);
});
