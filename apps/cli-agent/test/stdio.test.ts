import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { processMark } from "../src/config/process-mark.js";
import { tools } from "../src/tools/tools.js";
import { StdioClient } from "./stdio-client.js";

const SAMPLE = new URL("../samples/cart.ts", import.meta.url);
let cwd: string;
let client: StdioClient;

beforeEach(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), "agent-")));
  await cp(SAMPLE, join(cwd, "cart.ts"));
});

afterEach(async () => {
  await client.close();
  await rm(cwd, { recursive: true });
});

type Session = {
  sessionId: string;
  configOptions?: { id: string; category: string; currentValue: string }[];
  modes?: { currentModeId: string };
};

async function start(answers: ConstructorParameters<typeof StdioClient>[0] = {}, fs = {}) {
  client = new StdioClient(answers);
  await client.request("initialize", { protocolVersion: 1, clientCapabilities: { fs } });
  const session = await client.request<Session>("session/new", { cwd, mcpServers: [] });
  const prompt = (text: string) =>
    client.request<{ stopReason: string }>("session/prompt", {
      sessionId: session.sessionId,
      prompt: [{ type: "text", text }],
    });
  return { session, prompt };
}

const choose = (optionId: string) => () => ({ outcome: { outcome: "selected", optionId } });

describe("turnkit-agent over stdio", () => {
  it("offers its modes and commands with the session", async () => {
    const { session, prompt } = await start();
    expect(session.configOptions).toMatchObject([
      { id: "mode", category: "mode", currentValue: "ask" },
      { id: "model", category: "model", currentValue: "reviewer" },
    ]);
    await prompt("/help");
    const [commands] = client.heard("available_commands_update");
    const names = (commands as { availableCommands: { name: string }[] }).availableCommands.map(({ name }) => name);
    expect(names).toEqual(["review", "diff", "undo", "help"]);
    expect(client.text).toContain("I review JavaScript and TypeScript files");
  });

  it("defect P59: a session in a folder that does not exist is refused, unless the client has files", async () => {
    client = new StdioClient();
    await client.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
    for (const [wrong, more] of [
      [join(cwd, "nope"), {}],
      [join(cwd, "cart.ts"), {}],
      [cwd, { additionalDirectories: [join(cwd, "nope")] }],
    ] as const) {
      const opening = client.request("session/new", { cwd: wrong, mcpServers: [], ...more });
      await expect(opening).rejects.toMatchObject({
        code: -32602,
        message: expect.stringMatching(/The agent has no folder .*(nope|cart\.ts) on its machine\./),
      });
    }
    await client.close();
    client = new StdioClient();
    await client.request("initialize", { protocolVersion: 1, clientCapabilities: { fs: { readTextFile: true } } });
    const { sessionId } = await client.request<Session>("session/new", { cwd: join(cwd, "nope"), mcpServers: [] });
    await client.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "What is there?" }] });
    expect(client.text).toContain("The agent has no folder");
  });

  it("removes folders of package runners whose agent was killed, at its next start", async () => {
    const mark = await processMark();
    const ended = spawn("true");
    await once(ended, "exit");
    const runners = join(cwd, "state/turnkit/agent/runners");
    const living = `run-${mark}-abc`;
    const names = [`run-${mark.replace(`-${process.pid}-`, `-${ended.pid}-`)}-abc`, living];
    for (const name of names) await mkdir(join(runners, name, "in"), { recursive: true });
    client = new StdioClient({}, { env: { XDG_STATE_HOME: join(cwd, "state") } });
    await client.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
    await client.request("session/new", { cwd, mcpServers: [] });
    await expect.poll(() => readdir(runners), { timeout: 20_000 }).toEqual([living]);
  });

  it("V1-PROMPT-05 V1-PROMPT-06: reviews a file on the disk and writes the edit that the user allowed", async () => {
    const atTheQuestion: unknown[] = [];
    const { prompt } = await start({
      "session/request_permission"() {
        const status = new Map<unknown, unknown>();
        for (const { toolCallId, status: news } of [
          ...client.heard("tool_call"),
          ...client.heard("tool_call_update"),
        ]) {
          status.set(toolCallId, news ?? status.get(toolCallId));
        }
        atTheQuestion.push(...status.values());
        return choose("allow_once")();
      },
    });
    expect(await prompt("Please review cart.ts")).toMatchObject({ stopReason: "end_turn" });
    expect(client.text).toContain("The edit is written. I checked `cart.ts` again: 9 problems");
    expect(await readFile(join(cwd, "cart.ts"), "utf8")).toContain("if (isNaN(price)) {");
    // The calls were reported in order; the one that needs a permission waited for it.
    expect(atTheQuestion).toEqual(["completed", "completed", "pending"]);
    const titles = client.heard("tool_call").map(({ title, name }) => [name, title]);
    expect(titles).toEqual([
      ["read_file", "Read cart.ts"],
      ["lint_file", "Check cart.ts with oxlint"],
      ["edit_file", "Edit cart.ts"],
      ["lint_file", "Check cart.ts with oxlint"],
    ]);
  });

  it("V1-UPD-22: shows a plan at once, and all of it again with every step", async () => {
    const { prompt } = await start({ "session/request_permission": choose("allow_once") });
    await prompt("Please review cart.ts");
    const plans = client.heard("plan").map(({ entries }) => entries as { content: string; status: string }[]);
    expect(plans.map((entries) => entries.map(({ status }) => status[0]).join(""))).toEqual([
      "ippp",
      "cipp",
      "ccip",
      "ccci",
      "cccc",
    ]);
    expect(new Set(plans.map((entries) => entries.map(({ content }) => content).join())).size).toBe(1);
    expect(client.updates.findIndex(({ sessionUpdate }) => sessionUpdate === "plan")).toBeLessThan(
      client.updates.findIndex(({ sessionUpdate }) => sessionUpdate === "tool_call_update"),
    );
  });

  it("V1-TOOL-05: names each call as the model knows the tool, in the first report and never again", async () => {
    const { prompt } = await start({ "session/request_permission": choose("allow_once") });
    await prompt("Please review cart.ts");
    const known = tools.map(({ name }) => name);
    expect(client.heard("tool_call")).toHaveLength(4);
    for (const { name } of client.heard("tool_call")) expect(known).toContain(name);
    for (const update of client.heard("tool_call_update")) expect(update).not.toHaveProperty("name");
  });

  it("uses the client's files when it offers them", async () => {
    const written: string[] = [];
    const { prompt } = await start(
      {
        "fs/read_text_file": () => ({ content: written.at(-1) ?? "alert(1 === NaN);\n" }),
        "fs/write_text_file": ({ content }) => {
          written.push(content as string);
          return {};
        },
        "session/request_permission": choose("allow_always"),
      },
      { readTextFile: true, writeTextFile: true },
    );
    await prompt("review unsaved.ts");
    expect(written).toEqual(["alert(isNaN(1));\n"]);
  });

  it("never asks or writes in review mode", async () => {
    const { session, prompt } = await start();
    await client.request("session/set_config_option", {
      sessionId: session.sessionId,
      configId: "mode",
      value: "review",
    });
    await prompt("/review cart.ts");
    expect(client.text).toContain("This session is in `review` mode");
    expect(await readFile(join(cwd, "cart.ts"), "utf8")).toBe(await readFile(SAMPLE, "utf8"));
  });

  it("remembers an answer for the whole session, until the mode is chosen again", async () => {
    let asked = 0;
    const { session, prompt } = await start({
      "session/request_permission": () => {
        asked += 1;
        return choose("reject_always")();
      },
    });
    await prompt("review cart.ts");
    await prompt("review cart.ts");
    expect(asked).toBe(1);
    await client.request("session/set_mode", { sessionId: session.sessionId, modeId: "ask" });
    await prompt("review cart.ts");
    expect(asked).toBe(2);
  });

  it("ends a turn as cancelled when the user cancels at the question", async () => {
    const { session, prompt } = await start({
      "session/request_permission": () => {
        client.notify("session/cancel", { sessionId: session.sessionId });
        return { outcome: { outcome: "cancelled" } };
      },
    });
    expect(await prompt("review cart.ts")).toMatchObject({ stopReason: "cancelled" });
    expect(await readFile(join(cwd, "cart.ts"), "utf8")).toBe(await readFile(SAMPLE, "utf8"));
  });

  it("goes when the client goes, and says nothing on stderr", async () => {
    await start();
    expect(await client.close()).toBe(0);
    expect(client.stderr).toBe("");
  });
});
