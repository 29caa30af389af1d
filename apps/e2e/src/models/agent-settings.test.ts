import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { v1Dialect, v2Dialect } from "@turnkit/client";
import { describe, expect, it } from "vitest";
import { calls, said, startCodingAgent } from "./coding-agent.js";
import { call, type Step, say } from "./step.js";

const manifest = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-everything/package.json"));
const everything = join(dirname(manifest), "dist/index.js");
const server = { command: process.execPath, args: [everything], env: { MARK: "\u0024{MARK}" } };

const edit = call("write_file", { path: "a.txt", text: "two\n" });
const script: readonly Step[] = [
  [edit, call("run_command", { command: "cat a.txt" }), call("run_command", { command: "rm a.txt" })],
  [say("Done.")],
];

describe.each([
  ["v1", v1Dialect],
  ["v2", v2Dialect],
])("P16: agent.json, %s", (_, dialect) => {
  it("of the user gives rules, hooks and servers", async () => {
    const asked: string[] = [];
    const {
      session,
      server: model,
      folder,
    } = await startCodingAgent({
      dialects: [dialect],
      files: { "a.txt": "one\n" },
      script,
      env: { MARK: "of-the-user" },
      config: {
        permissions: { allow: ["edit *.txt", "run cat *"], deny: ["run rm *"] },
        hooks: {
          afterTool: [{ run: "echo checked", tools: ["write_file"] }],
          endOfTurn: [{ run: "sh -c 'cat > end.json'" }],
        },
        mcpServers: { tools: server, lost: { command: "x", env: { A: "\u0024{NOT_THERE}" } } },
      },
      permissions: ({ title }) => {
        asked.push(title);
        return { outcome: "cancelled" };
      },
    });
    await session.prompt("Go.").ended;
    expect(asked).toEqual([]);
    expect(model.requests[0]?.tools).toContain("tools__echo");
    const [written, read, removed] = model.requests[1]?.results ?? [];
    expect(written).toMatch(/written[\s\S]*checked/);
    expect(read).toContain("two");
    expect(removed).toMatch(/denied/);
    expect(calls(session.state)).toEqual(expect.arrayContaining(["Hook: echo checked: completed", "rm a.txt: failed"]));
    expect(JSON.parse(await readFile(join(folder, "end.json"), "utf8"))).toMatchObject({
      event: "endOfTurn",
      cwd: folder,
    });
    expect(JSON.stringify([...session.state.timeline])).toContain("the environment has no variable for it: NOT_THERE");
    expect(said(session.state)).toContain("Done.");
  });

  it("of the project counts after a question that shows it whole, also its servers", async () => {
    const project = {
      mcpServers: { tools: server },
      permissions: { allow: ["edit *.txt"] },
      hooks: { endOfTurn: [{ run: "sh -c 'echo > ended'" }] },
    };
    const start = async (kind: string) => {
      const asked: string[] = [];
      const agent = await startCodingAgent({
        dialects: [dialect],
        files: { "a.txt": "one\n", ".turnkit/agent.json": JSON.stringify(project) },
        script: [[edit], [say("Done.")]],
        isTrusted: false,
        env: { MARK: "x" },
        permissions({ title, options, session }) {
          const pending = [...session.state.timeline].findLast((one) => one.type === "tool_call");
          asked.push(`${title} ${JSON.stringify(pending)}`);
          const option = options.find((one) => one.kind === kind);
          return option ? { outcome: "selected", optionId: option.optionId } : { outcome: "cancelled" };
        },
      });
      await agent.session.prompt("Go.").ended;
      const tools = agent.server.requests[0]?.tools;
      const has = (name: string) => readFile(join(agent.folder, name), "utf8").catch(() => "missing");
      return { asked, tools, text: await has("a.txt"), ended: await has("ended") };
    };
    const yes = await start("allow_once");
    expect(yes).toMatchObject({
      asked: [expect.stringMatching(/^Use .*agent\.json\?.*echo > ended/)],
      text: "two\n",
      ended: "\n",
    });
    expect(yes.tools).toContain("tools__echo");
    const no = await start("reject_once");
    expect(no).toMatchObject({
      asked: [expect.any(String), expect.stringMatching(/^Write a\.txt/)],
      text: "one\n",
      ended: "missing",
    });
    expect(no.tools).not.toContain("tools__echo");
  });
});
