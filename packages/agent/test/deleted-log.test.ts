import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createFileLog } from "../src/node/index.js";
import { clientInfo, openAs, seedHello, v2Hello } from "./raw-client.js";

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "turnkit-log-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

/** Deeds of another process to the log of an open session. */
const deeds: readonly (readonly [string, (root: string, session: string) => Promise<unknown>])[] = [
  ["deletes the folder of all sessions", (root) => rm(root, { recursive: true })],
  ["deletes the folder of the session", (root, session) => rm(join(root, session), { recursive: true })],
  ["deletes the file", (root, session) => rm(join(root, session, "log.jsonl"))],
  ["moves the folder away", (root, session) => rename(join(root, session), join(root, "moved"))],
  [
    "replaces the file",
    async (root, session) => {
      await rm(join(root, session, "log.jsonl"));
      await writeFile(join(root, session, "log.jsonl"), "");
    },
  ],
  [
    "makes the folder again",
    async (root, session) => {
      await rm(root, { recursive: true });
      await mkdir(join(root, session), { recursive: true });
    },
  ],
];

// Windows lets nobody rename a folder in which a file is open.
const possible = deeds.filter(([name]) => process.platform !== "win32" || !name.startsWith("moves"));

describe.each([
  ["v1", { protocolVersion: 1, clientInfo }],
  ["v2", v2Hello],
  ["seed", seedHello],
] as const)("a log of an open session, after another process (%s)", (_, hello) => {
  test.each(possible)("%s: the next turn fails, and is reported", async (_name, deed) => {
    const root = await newFolder();
    const { client, sessionId, diagnostics } = await openAs(hello, {
      log: createFileLog(root),
      prompt: (turn) => void turn.say("said"),
    });
    const end = async (n: number) => {
      const { error, result } = await client.ask(sessionId);
      if (hello !== v2Hello) return error?.code ?? result.stopReason;
      const idle = () => client.updates("state_update").filter(({ state }) => state === "idle")[n];
      await client.next((frame) => frame.params?.update !== undefined && frame.params.update === idle());
      return idle()?._meta?.["turnkit.error"]?.code ?? idle()?.error?.code ?? idle()?.stopReason;
    };
    expect(await end(0)).toBe("end_turn");
    expect(diagnostics).toEqual([]);
    await deed(root, `s-${sessionId}`);
    expect(await end(1)).not.toBe("end_turn");
    expect(diagnostics).toMatchObject([
      { code: "log_failed", error: { problem: "failed", message: expect.stringMatching(/log\.jsonl was deleted/) } },
    ]);
    // Later prompts are refused until a restore.
    expect(await client.error("session/prompt", { sessionId, prompt: [{ type: "text", text: "on" }] })).toMatchObject({
      code: -32603,
    });
  });
});
