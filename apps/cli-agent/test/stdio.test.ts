import { cp, mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
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
    expect(session.configOptions).toMatchObject([{ id: "mode", category: "mode", currentValue: "ask" }]);
    await prompt("/help");
    const [commands] = client.heard("available_commands_update");
    expect(commands).toMatchObject({ availableCommands: [{ name: "review" }, { name: "help" }] });
    expect(client.text).toContain("I review JavaScript and TypeScript files");
  });

  it("reviews a file on the disk and writes the edit that the user allowed", async () => {
    const { prompt } = await start({ "session/request_permission": choose("allow_once") });
    expect(await prompt("Please review cart.ts")).toMatchObject({ stopReason: "end_turn" });
    expect(client.text).toContain("The edit is written. I checked `cart.ts` again: 10 problems");
    expect(await readFile(join(cwd, "cart.ts"), "utf8")).toContain("if (isNaN(price)) {");
    const titles = client.heard("tool_call").map(({ title, name }) => [name, title]);
    expect(titles).toEqual([
      ["read_file", "Read cart.ts"],
      ["lint_file", "Check cart.ts with oxlint"],
      ["edit_file", "Edit cart.ts"],
      ["lint_file", "Check cart.ts with oxlint"],
    ]);
    const plan = client.heard("plan").at(-1)?.entries as { status: string }[];
    expect(plan.map(({ status }) => status)).toEqual(["completed", "completed", "completed", "completed"]);
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
