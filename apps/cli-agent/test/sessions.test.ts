import { cp, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { StdioClient } from "./stdio-client.js";
import { createFolder } from "./tool-context.js";

const SAMPLE = new URL("../samples/cart.ts", import.meta.url);

type Answers = ConstructorParameters<typeof StdioClient>[0];
type Folders = { readonly cwd: string; readonly sessions: string };
type Listed = { sessions: { sessionId: string; cwd: string; title?: string; updatedAt?: string }[] };

async function createFolders(): Promise<Folders> {
  const cwd = await createFolder();
  await cp(SAMPLE, join(cwd, "cart.ts"));
  return { cwd, sessions: join(await createFolder(), "kept", "sessions") };
}

/** Starts an agent in its own process, with the sessions in a folder of the test. */
async function launch({ sessions }: Folders, answers: Answers = {}) {
  const client = new StdioClient(answers, { args: ["--sessions", sessions] });
  onTestFinished(async () => void (await client.close()));
  const hello = await client.request<{ agentCapabilities: object }>("initialize", {
    protocolVersion: 1,
    clientCapabilities: {},
  });
  return { client, hello };
}

const begin = async (client: StdioClient, { cwd }: Folders): Promise<string> =>
  (await client.request<{ sessionId: string }>("session/new", { cwd, mcpServers: [] })).sessionId;

const ask = (client: StdioClient, sessionId: string, text: string) =>
  client.request<{ stopReason: string }>("session/prompt", { sessionId, prompt: [{ type: "text", text }] });

const restore = (client: StdioClient, method: "load" | "resume", sessionId: string, { cwd }: Folders) =>
  client.request<object>(`session/${method}`, { sessionId, cwd, mcpServers: [] });

const refuse = () => ({ outcome: { outcome: "selected", optionId: "reject_once" } });

describe("sessions on the disk", () => {
  it("are listed with a title and told again by another process, word for word", async () => {
    const place = await createFolders();
    const first = await launch(place, { "session/request_permission": refuse });
    expect(first.hello.agentCapabilities).toMatchObject({ loadSession: true });
    const sessionId = await begin(first.client, place);
    await ask(first.client, sessionId, "Please review cart.ts\nand be kind");
    expect(first.client.heard("session_info_update")).toMatchObject([{ title: "Please review cart.ts" }]);
    expect(await first.client.close()).toBe(0);

    const second = await launch(place);
    const { sessions } = await second.client.request<Listed>("session/list", {});
    expect(sessions).toMatchObject([{ sessionId, cwd: place.cwd, title: "Please review cart.ts" }]);
    await restore(second.client, "load", sessionId, place);
    expect(second.client.text).toBe(first.client.text);
    const calls = second.client.heard("tool_call").map(({ title, status }) => [title, status]);
    expect(calls).toEqual([
      ["Read cart.ts", "completed"],
      ["Check cart.ts with oxlint", "completed"],
      ["Edit cart.ts", "failed"],
    ]);
    expect(second.client.heard("user_message_chunk")).toMatchObject([
      { content: { text: "Please review cart.ts\nand be kind" } },
    ]);
  });

  it("go on after a resume, which tells nothing again, with the mode that was chosen", async () => {
    const place = await createFolders();
    const first = await launch(place);
    const sessionId = await begin(first.client, place);
    await first.client.request("session/set_mode", { sessionId, modeId: "review" });
    await first.client.close();

    const { client } = await launch(place);
    expect(await restore(client, "resume", sessionId, place)).toMatchObject({ modes: { currentModeId: "review" } });
    expect(client.text).toBe("");
    await ask(client, sessionId, "review cart.ts");
    expect(client.text).toContain("This session is in `review` mode");
  });

  it("are deleted, and then nobody has them", async () => {
    const place = await createFolders();
    const { client } = await launch(place);
    const sessionId = await begin(client, place);
    await client.request("session/delete", { sessionId });
    expect(await client.request<Listed>("session/list", {})).toMatchObject({ sessions: [] });
    await expect(restore(client, "load", sessionId, place)).rejects.toMatchObject({ code: -32002 });
    expect(await readdir(place.sessions)).toEqual([]);
  });

  it("run side by side in one process, each with its own folder, mode and answers", async () => {
    const [one, two] = [await createFolders(), await createFolders()];
    await writeFile(join(two.cwd, "cart.ts"), "export const add = (a: number, b: number) => a + b;\n");
    const { client } = await launch(one, { "session/request_permission": refuse });
    const [first, second] = [await begin(client, one), await begin(client, two)];
    await client.request("session/set_mode", { sessionId: second, modeId: "review" });
    const ends = await Promise.all([ask(client, first, "review cart.ts"), ask(client, second, "review cart.ts")]);
    expect(ends).toMatchObject([{ stopReason: "end_turn" }, { stopReason: "end_turn" }]);
    expect(client.text).toContain("I found 12 problems");
    expect(client.text).toContain("`cart.ts` is clean");
    const { sessions } = await client.request<Listed>("session/list", { cwd: two.cwd });
    expect(sessions.map(({ sessionId }) => sessionId)).toEqual([second]);
  });

  it("are nobody else's to read", async () => {
    const place = await createFolders();
    await begin((await launch(place)).client, place);
    expect((await stat(place.sessions)).mode & 0o077).toBe(0);
  });

  it("are not needed: where they cannot be kept the agent says so and works", async () => {
    const place = await createFolders();
    const blocked = { ...place, sessions: join(place.cwd, "cart.ts", "sessions") };
    const { client, hello } = await launch(blocked, { "session/request_permission": refuse });
    expect(hello.agentCapabilities).not.toMatchObject({ loadSession: true });
    expect(await ask(client, await begin(client, blocked), "review cart.ts")).toMatchObject({ stopReason: "end_turn" });
    expect(client.stderr).toContain("Sessions are not kept");
  });
});

describe("an agent that is killed in the middle of a turn", () => {
  it("has lost nothing of what its client was told had ended", async () => {
    const place = await createFolders();
    await mkdir(join(place.cwd, "src"));
    await writeFile(join(place.cwd, "src/clean.ts"), "export const one = 1;\n");
    let asked = () => {};
    const atTheQuestion = new Promise<void>((resolve) => {
      asked = resolve;
    });
    // The open question keeps the turn from ending.
    const first = await launch(place, { "session/request_permission": () => void asked() });
    const sessionId = await begin(first.client, place);
    await ask(first.client, sessionId, "review src/clean.ts");
    await ask(first.client, sessionId, "/help");
    const acknowledged = first.client.text;
    const open = ask(first.client, sessionId, "review cart.ts");
    open.catch(() => undefined);
    await atTheQuestion;
    await first.client.kill();
    await expect(open).rejects.toThrow("The agent ended");

    const second = await launch(place, { "session/request_permission": refuse });
    const { sessions } = await second.client.request<Listed>("session/list", {});
    expect(sessions).toMatchObject([{ sessionId, title: "review src/clean.ts" }]);
    await restore(second.client, "load", sessionId, place);
    expect(second.client.text.startsWith(acknowledged)).toBe(true);
    const prompts = second.client.heard("user_message_chunk").map(({ content }) => (content as { text: string }).text);
    expect(prompts.slice(0, 2)).toEqual(["review src/clean.ts", "/help"]);
    // The interrupted turn is over, and nothing was written.
    for (const { status } of second.client.heard("tool_call")) expect(["completed", "failed"]).toContain(status);
    expect(await ask(second.client, sessionId, "review src/clean.ts")).toMatchObject({ stopReason: "end_turn" });
  });
});
