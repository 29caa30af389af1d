import { mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { AgentHandlers, ConfigOption } from "../src/index.js";
import { createFileLog } from "../src/node/index.js";
import { clientInfo, connectAs, openAs, v2Hello } from "./raw-client.js";

const v1Hello = { protocolVersion: 1, clientInfo };
const place = { cwd: "/work", mcpServers: [] };
const huge = "x".repeat(2_000);
const tooLarge = expect.objectContaining({ problem: "too_large" });

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "turnkit-log-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

/** A log of which one record holds little. */
const smallLog = async () => createFileLog(await newFolder(), { maxRecordBytes: 1_000 });

const mode = (description: string): ConfigOption => ({
  type: "select",
  configId: "mode",
  name: "Mode",
  description,
  currentValue: "ask",
  options: [{ value: "ask", name: "Ask" }],
});

describe("what a log cannot take", () => {
  test("is no session: lists too large for it leave nothing behind", async () => {
    const log = await smallLog();
    const { client } = await connectAs(v1Hello, { log, newSession: () => ({ configOptions: [mode(huge)] }) });
    expect(await client.error("session/new", place)).toMatchObject({ code: -32603 });
    expect(await client.result("session/list")).toEqual({ sessions: [] });
  });

  test("does not keep a session from being restored once it fits", async () => {
    const log = await smallLog();
    const descriptions = [huge, "short"];
    const restoreSession = () => ({ configOptions: [mode(descriptions.shift() ?? "")] });
    const { client, sessionId } = await openAs(v1Hello, { log, restoreSession });
    expect(await client.error("session/load", { sessionId, ...place })).toMatchObject({ code: -32603 });
    expect(await client.result("session/load", { sessionId, ...place })).toMatchObject({
      configOptions: [{ description: "short" }],
    });
  });

  test("V2-TOOL-10: is no end of a tool call: it can still fail, and is then not cancelled any more", async () => {
    const prompt: AgentHandlers["prompt"] = (turn) => {
      const call = turn.toolCall({ title: "Read", onCancel: () => undefined });
      expect(() => call.finish({ rawOutput: huge })).toThrow(tooLarge);
      call.fail("too large to be stored");
    };
    const { client, sessionId } = await openAs(v2Hello, { log: await smallLog(), prompt });
    client.prompt(sessionId);
    await client.update("state_update", 1);
    expect(client.updates("tool_call_update").at(-1)).toMatchObject({ status: "failed", capabilities: null });
  });
});

describe("a folder of sessions", () => {
  test("has nothing of one that could not be made, so that it can be made later", async () => {
    const root = await newFolder();
    const log = createFileLog(root);
    // Stands where something is to be written.
    await mkdir(join(root, "s-s", "info.json.next"), { recursive: true });
    const info = { sessionId: "s", cwd: "/work" };
    await expect(log.open("s", info)).rejects.toMatchObject({ problem: "failed" });
    expect(await readdir(root)).toEqual([]);
    await (await log.open("s", info))[Symbol.asyncDispose]();
    await expect(log.open("s", info)).rejects.toMatchObject({ problem: "exists" });
    expect(await log.list({})).toMatchObject({ sessions: [{ sessionId: "s" }] });
  });

  test.skipIf(process.platform === "win32")("is listed without what in it cannot be read", async () => {
    const root = await newFolder();
    const log = createFileLog(root);
    await (await log.open("s", { sessionId: "s", cwd: "/work" }))[Symbol.asyncDispose]();
    await rm(join(root, "s-s", "info.json"));
    await mkdir(join(root, "s-s", "info.json"));
    await symlink("s-loop", join(root, "s-loop"));
    expect(await log.list({})).toMatchObject({ sessions: [{ sessionId: "s" }] });
  });
});
