import type { Diagnostic } from "@turnkit/transport";
import { createMemoryPair, pipeChannels } from "@turnkit/transport/channels";
import { childEnvironment } from "@turnkit/transport/node";
import { describe, expect, test, vi } from "vitest";
import { type Client, connect, createKeyEvidence, retryPrompt, type Session, withLogin } from "../src/index.js";
import { createDecisionFile, createLocalFileHost, isInsideRoots, launch } from "../src/node/index.js";
import { NOW, openDraftSession } from "./draft-agent.js";
import { dial } from "./raw-agent.js";

const info = { name: "test", version: "1.0.0" };
const messages = (diagnostics: readonly Diagnostic[]) => diagnostics.map(({ message }) => message);

describe("defect N7: a member that no call reads is reported", () => {
  test.each<[string, (session: Session, client: Client) => unknown, string]>([
    ["prompt", (session) => session.prompt("Hi", { sginal: 1 } as never).ended, "sginal of prompt is not used"],
    ["key", (session) => session.prompt("Hi", { idempotenceKey: "a" } as never).ended, "Do you mean idempotencyKey?"],
    ["newSession", (_, client) => client.newSession({ cwd: "/w", mcpServer: 1 } as never), "Do you mean mcpServers?"],
    ["restore", (_, client) => client.restore("s", { cwd: "/w", dirs: [] } as never), "dirs of restore is not used"],
  ])("%s", async (_, call, message) => {
    const { client, session, diagnostics } = await openDraftSession(NOW);
    void Promise.resolve(call(session, client)).catch(() => undefined);
    expect(messages(diagnostics)).toEqual([expect.stringContaining(message)]);
    await client.close();
  });

  test("a row of a list of sessions is no mistake of a restore", async () => {
    const { client, diagnostics } = await openDraftSession(NOW);
    const row = { sessionId: "s", cwd: "/w", title: "A", updatedAt: "2026-11-24", _meta: {} };
    void client.restore("s", row).catch(() => undefined);
    expect(messages(diagnostics)).toEqual([]);
    await client.close();
  });

  test("limits", () => {
    const { diagnostics } = dial({ limits: { mesages: 1, stateByte: 1, frame: 1, unsent: 1, entryBytes: 1 } } as never);
    expect(messages(diagnostics)).toEqual([
      expect.stringContaining("The option mesages of limits is not used"),
      expect.stringContaining("Do you mean stateBytes?"),
    ]);
  });
});

describe("defect N7: a wrong value is refused in one sentence", () => {
  test.each<[string, object, string]>([
    ["limits", { limits: null }, "connect limits got null: pass an object"],
    ["a limit", { limits: { stateBytes: "1MB" } }, 'limits stateBytes got "1MB": pass a number'],
    ["a limit of no number", { limits: { waitingBytes: Number.NaN } }, "limits waitingBytes got NaN: pass a number"],
    ["metaMode", { metaMode: "replce" }, 'connect metaMode got "replce": pass patch or replace'],
    ["nullSessionIds", { nullSessionIds: "kepe" }, 'connect nullSessionIds got "kepe": pass clear or keep'],
    ["the version", { info: { name: "x" } }, "connect got no info: pass the name and version"],
  ])("%s of a client", async (_, options, message) => {
    await expect(connect(createMemoryPair()[0], { info, ...options } as never)).rejects.toThrow(message);
  });

  test.each<[string, () => unknown, string]>([
    ["hardLinks", () => createLocalFileHost({ hardLinks: "reject" } as never), 'hardLinks got "reject": pass follow'],
    [
      "a folder for options",
      () => createLocalFileHost("/w" as never),
      'createLocalFileHost got "/w": pass an object with',
    ],
    [
      "a list for options",
      () => createLocalFileHost(["/w"] as never),
      "createLocalFileHost got a list: pass an object",
    ],
    [
      "a function for options",
      () => pipeChannels(...createMemoryPair(), (() => 0) as never),
      "got a function: pass an",
    ],
    ["a name for a grant", () => childEnvironment("KEY" as never), 'childEnvironment got "KEY": pass an object with'],
    ["names that are no list", () => childEnvironment({ names: "KEY" as never }), 'names: ["SOME_AGENT_API_KEY"]'],
    ["maxBytes", () => createLocalFileHost({ maxBytes: "9" } as never), 'maxBytes got "9": pass a number of bytes'],
    ["roots", () => isInsideRoots("/etc/passwd", "/work" as never), 'roots got "/work": pass a list of folders'],
    [
      "a decision file",
      () => createDecisionFile(undefined as never),
      "createDecisionFile got undefined: pass the path",
    ],
    [
      "startTimeoutMs",
      () => launch(["no"], { info, startTimeoutMs: "5s" } as never),
      'startTimeoutMs got "5s": pass a',
    ],
    [
      "onStderr",
      () => launch(["no"], { info, onStderr: "inherit" } as never),
      'launch onStderr got "inherit": pass a function',
    ],
    ["graceMs", () => launch(["no"], { info, graceMs: "2s" } as never), 'graceMs got "2s": pass a number'],
    ["env", () => launch(["no"], { info, env: ["A"] } as never), "env got a list: pass an object of variables"],
    ["evidence", () => createKeyEvidence(["turnkit"] as never), "createKeyEvidence got a list: pass"],
    ["withLogin", () => withLogin({} as never, async () => 1, {} as never), "withLogin choose got undefined: pass"],
    [
      "retryPrompt",
      () => retryPrompt({} as never, {} as never, {} as never),
      "retryPrompt connect got undefined: pass",
    ],
  ])("%s", async (_, call, message) => {
    await expect((async () => call())()).rejects.toThrow(TypeError);
    await expect((async () => call())()).rejects.toThrow(message);
  });
});

test("defect N7: an agent that prints an underscore names no variable", async () => {
  vi.stubEnv("_", "/usr/bin/node");
  const diagnostics: Diagnostic[] = [];
  const script = "console.error('at Module._load, _'); process.exit(1)";
  const onDiagnostic = (one: Diagnostic) => diagnostics.push(one);
  await expect(launch([process.execPath, "-e", script], { info, onDiagnostic })).rejects.toThrow("code 1");
  expect(diagnostics.filter(({ code }) => code === "withheld_variable")).toEqual([]);
  vi.unstubAllEnvs();
});
