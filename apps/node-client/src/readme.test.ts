import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PermissionFacts } from "@turnkit/client/broker";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readAgentTable } from "./agents/agent-table.js";
import { contactChecks } from "./doctor/contact-checks.js";
import { outputFormats } from "./invocation.js";
import { readMcpServers } from "./mcp/read-servers.js";
import { readPolicyFile } from "./policy-file.js";

const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "turnkit-readme-"));
  await mkdir(join(folder, "turnkit"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Writes the example of the README that holds this text into a file. */
async function example(part: string, name: string): Promise<string> {
  const examples = [...readme.matchAll(/^```json\n(.*?)^```$/gms)].map(([, text = ""]) => text);
  const path = join(folder, name);
  await writeFile(path, examples.find((text) => text.includes(part)) ?? "");
  return path;
}

it("its agents.json can be read", async () => {
  await example('"agents"', "turnkit/agents.json");
  const { agents, usual } = await readAgentTable({ XDG_CONFIG_HOME: folder });
  expect(usual).toBe("mine");
  expect(agents.find(({ name }) => name === "gemini")?.commands).toEqual([["/opt/gemini/bin/gemini", "--acp"]]);
  expect(agents.some(({ name }) => name === "codex")).toBe(false);
});

it("its MCP servers can be read", async () => {
  const file = await example('"mcpServers"', "mcp.json");
  const servers = await readMcpServers([file], { env: { ...process.env, ISSUES_TOKEN: "t" }, directory: "/nowhere" });
  expect(servers).toMatchObject([{ type: "stdio", name: "files" }, { headers: [{ value: "Bearer t" }] }]);
});

it("its policy decides as it says", async () => {
  const judge = await readPolicyFile(await example('"rules"', "policy.json"));
  const facts: PermissionFacts = {
    ...{ agent: { name: "a", version: "1" }, sessionId: "s", roots: ["/work"], paths: [] },
    ...{ subject: "tool_call", place: "none" },
  };
  expect(judge({ ...facts, kind: "read", place: "inside" })).toBe("allow");
  const running = (...argv: string[]): PermissionFacts => ({ ...facts, argv, commands: [argv] });
  expect(judge(running("npm", "run", "test"))).toBe("allow");
  expect(judge(running("git", "push", "--force"))).toBe("reject");
  expect(judge({ ...facts, commandLine: "make test; rm -rf /" })).toBeUndefined();
});

it("lists every check of the doctor itself, and every format", () => {
  const [, doctor = ""] = readme.split("## Doctor\n");
  const [table = ""] = doctor.split("\n## ");
  expect([...table.matchAll(/^\| `([\w-]+)`/gm)].map(([, id]) => id)).toEqual(contactChecks.map(({ id }) => id));
  for (const format of outputFormats) expect(readme).toContain(`\`--output ${format}\``);
});
