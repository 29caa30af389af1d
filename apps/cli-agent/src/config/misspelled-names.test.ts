import { expect, it } from "vitest";
import { misspelledNames } from "./misspelled-names.js";

const known = { tools: ["edit_file", "read_file", "github_merge"], servers: ["github"] };

it("defect P82: hooks and rules with a misspelled tool or MCP server are named", () => {
  const part = {
    hooks: { afterTool: [{ run: "format", tools: ["edit_fil", "read_file"] }], endOfTurn: [{ run: "x" }] },
    permissions: { deny: ["mcp githb/*", "mcp github/merge"], allow: ["run npm test"] },
  };
  expect(misspelledNames([part, {}], known)).toEqual([
    "The hook `format` is for `edit_fil`, which is no tool. Write `edit_file` in agent.json",
    "The rule `mcp githb/*` fits no MCP server. Write `github` in agent.json",
  ]);
});

it.each([
  {},
  { hooks: { beforeTool: [{ run: "x", tools: ["edit_*", "github_*", "*", "jira_close"] }] } },
  { permissions: { ask: ["mcp git*/x", "mcp */*", "mcp *", "mcp jira/*", "edit **", "fetch *"] } },
])("names that fit, and those of absent servers, are not named: %j", (part) => {
  expect(misspelledNames([part], known)).toEqual([]);
});
