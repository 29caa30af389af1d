import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createFolder, scriptedAgent, turnkit } from "./turnkit.js";

const log = `{"wire":1,"at":"2026-11-21T08:00:00.000Z"}
{"ms":1,"sent":{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1,"clientInfo":{"name":"x","version":"1"}}}}
{"ms":2,"invalidLine":"debug \\u001b[2J"}
{"ms":41,"received":{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}}
{"ms":42,"received":{"jsonrpc":"2.0","id":7,"result":{}}}
{"ms":50,"received":{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Hel"}}}}}
{"ms":51,"received":{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"lo"}}}}}
{"ms":52,"sent":{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/w","mcpServers":[]}}}
{"ms":1060,"received":{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"Log in"}}}
{"ms":1090,"closed":{"kind":"exit","message":"a exited with code 1.","exitCode":1,"signal":null}}
`;

describe("turnkit trace show", () => {
  it("tells who said what when, and how long answers took; chunks that follow each other are one line", async () => {
    const cwd = createFolder();
    writeFileSync(join(cwd, "wire.jsonl"), log);
    const { code, stdout } = await turnkit(["trace", "show", "wire.jsonl"], { cwd });
    expect(code).toBe(0);
    expect(stdout).toBe(`    0.001 → initialize  protocolVersion: 1, clientInfo: {name, version}
    0.002 ! no JSON  debug ␛[2J
    0.041 ← initialize answered  after 40 ms  protocolVersion: 1
    0.042 ← an answer to no question (id 7)
    0.050 ← session/update agent_message_chunk ×2  Hello
    0.052 → session/new  cwd: "/w", mcpServers: [0]
    1.060 ← session/new answered  after 1008 ms  error -32000: Log in
    1.090 ■ closed  a exited with code 1.
`);
    const full = await turnkit(["trace", "show", "--full", "wire.jsonl"], { cwd });
    expect(full.stdout).toContain('        "protocolVersion": 1,\n');
  });

  it.each([
    ["missing.jsonl", undefined, /^turnkit: There is no file .*missing\.jsonl\.\n$/],
    ["a.txt", "hello\n", /^turnkit: .*a\.txt: The wire log cannot be read: line 1: expected \{"wire":1\}/],
  ])("of %s says what is wrong with it", async (name, text, message) => {
    const cwd = createFolder();
    if (text !== undefined) writeFileSync(join(cwd, name), text);
    const { code, stderr } = await turnkit(["trace", "show", name], { cwd });
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});

describe("turnkit trace replay", () => {
  const scenes = ["talk", "talk in version 2", "talk in the draft", "ask"];
  it.each(scenes)("shows the recorded conversation of %s as it was, and starts nothing", async (scene) => {
    const cwd = createFolder();
    const live = await turnkit(
      [
        ...["--trace", "wire.jsonl", "--permissions", "allow", "--output", "text", "-p", "Go", "--"],
        ...scriptedAgent(scene),
      ],
      { cwd },
    );
    // A file of the system is asked about in every mode, and nobody answers here.
    expect(live.code).toBe(scene === "ask" ? 6 : 0);
    const replay = await turnkit(["trace", "replay", "wire.jsonl"], { cwd, env: { PATH: "/nowhere" } });
    // A replay asks nobody.
    expect(replay).toEqual({
      ...{ code: 0, stderr: live.stderr },
      stdout: live.stdout.replace(/\nStandard input or output is not a terminal, .*\n\n/, ""),
    });
    expect(replay.stdout).toMatch(/Hello\.|→ Allow/);
  });

  it("of a log that breaks off in a turn shows what is there, and passes over what is no part of a conversation", async () => {
    const cwd = createFolder();
    const said = (message: object) => `${JSON.stringify({ ms: 1, received: { jsonrpc: "2.0", ...message } })}\n`;
    const asked = (message: object) => `${JSON.stringify({ ms: 1, sent: { jsonrpc: "2.0", ...message } })}\n`;
    const update = (text: string) => ({
      method: "session/update",
      params: { sessionId: "s", update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } },
    });
    const [head = ""] = log.split("\n");
    const lines = [
      `${head}\n`,
      asked({ id: 0, method: "initialize", params: { protocolVersion: 1 } }),
      said({ id: 0, result: { protocolVersion: 1 } }),
      asked({ id: 1, method: "_mine/ping", params: {} }),
      said({ id: 1, error: { code: -32601, message: "no" } }),
      asked({ id: 2, method: "session/list", params: {} }),
      asked({ method: "$/cancel_request", params: { requestId: 2 } }),
      said({ id: 2, result: { sessions: [] } }),
      asked({ id: 3, method: "session/new", params: { cwd: "/w", mcpServers: [] } }),
      said({ id: 3, result: { sessionId: "s" } }),
      asked({ id: 4, method: "session/prompt", params: { sessionId: "s", prompt: [{ type: "text", text: "Go" }] } }),
      said(update("It begins")),
      said(update(" and")),
    ];
    writeFileSync(join(cwd, "wire.jsonl"), lines.join(""));
    const { code, stdout, stderr } = await turnkit(["trace", "replay", "wire.jsonl"], { cwd });
    const note = "The log ends here, in the middle of a turn.";
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `> Go\n\nIt begins and\n\n${note}\n`, stderr: "" });
  });

  it("of a log that goes on with what it did not begin says so, and does not wait for ever", async () => {
    const cwd = createFolder();
    const [head = "", hello = "", , answer = ""] = log.split("\n");
    const prompt = { jsonrpc: "2.0", id: 4, method: "session/prompt", params: { sessionId: "x", prompt: [] } };
    const lines = [head, hello, answer, JSON.stringify({ ms: 60, sent: prompt })];
    writeFileSync(join(cwd, "wire.jsonl"), `${lines.join("\n")}\n`);
    const unknown = await turnkit(["trace", "replay", "wire.jsonl"], { cwd });
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toBe("turnkit: The log continues session x, but does not contain its opening.\n");

    writeFileSync(join(cwd, "wire.jsonl"), `${head}\n${hello}\n`);
    const silent = await turnkit(["trace", "replay", "wire.jsonl"], { cwd });
    expect(silent.code).toBe(1);
    expect(silent.stderr).toBe("turnkit: The replay cannot continue: it ends too early.\n");
  });

  it("of a restored session shows its replay", async () => {
    const cwd = createFolder();
    const args = ["--trace", "wire.jsonl", "--session", "s-7", "--", ...scriptedAgent("keeper")];
    const live = await turnkit(args, { cwd });
    expect(await turnkit(["trace", "replay", "wire.jsonl"], { cwd })).toEqual(live);
    expect(live.stdout).toContain("It was **this**.");
  });
});
