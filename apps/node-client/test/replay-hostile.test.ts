import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createFolder, turnkit } from "./turnkit.js";

const received = (json: string) => `{"ms":1,"received":${json}}`;
const sent = (json: string) => `{"ms":1,"sent":${json}}`;
const asked = (id: number, method: string, params: string) =>
  `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`;
const answered = (id: number, result: string) => `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
const updated = (update: string, sessionId = "s") =>
  `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"${sessionId}","update":${update}}}`;

const head = ['{"wire":1}', sent(asked(0, "initialize", '{"protocolVersion":1}'))];
const start = [...head, received(answered(0, '{"protocolVersion":1}'))];
const opened = [
  ...start,
  sent(asked(1, "session/new", '{"cwd":"/w","mcpServers":[]}')),
  received(answered(1, '{"sessionId":"s"}')),
  sent(asked(2, "session/prompt", '{"sessionId":"s","prompt":[{"type":"text","text":"Go"}]}')),
];
const ended = [
  received(updated('{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Done."}}')),
  received(answered(2, '{"stopReason":"end_turn"}')),
];
const odd = '{"toString":1}';
const levels = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;

async function replayed(lines: readonly string[]) {
  const cwd = createFolder();
  writeFileSync(join(cwd, "wire.jsonl"), `${lines.join("\n")}\n`);
  const { code, stdout, stderr } = await turnkit(["trace", "replay", "wire.jsonl"], { cwd });
  expect(stderr).not.toMatch(/^ +at |node:internal|file:\/\//m);
  return { code, stdout, stderr };
}

describe("turnkit trace replay, of a hostile log", () => {
  it.each([
    ["methods that are no texts", [sent(`{"id":3,"method":${odd}}`), sent('{"id":3,"method":5}')]],
    ["sent messages that are no objects", [sent("null"), sent('"x"'), sent("[[]]"), sent("5")]],
    [
      "terminals without params, and with ids of other types",
      [
        received(asked(7, "terminal/create", "null")),
        sent(answered(7, `{"terminalId":${odd}}`)),
        received(asked(8, "terminal/output", `{"terminalId":${odd}}`)),
        sent(answered(8, '{"output":"x","exitStatus":5}')),
        received(asked(9, "terminal/create", `{"sessionId":"s","command":${odd},"args":[${odd}]}`)),
        sent(answered(9, '{"terminalId":"t"}')),
      ],
    ],
    [
      "an outcome of a permission that is a number",
      [
        received(
          asked(
            7,
            "session/request_permission",
            '{"sessionId":"s","toolCall":{"toolCallId":"t"},"options":[{"optionId":"a","name":"A","kind":"allow_once"}]}',
          ),
        ),
        sent(answered(7, '{"outcome":5}')),
      ],
    ],
    ["a text in place of params", [sent(asked(5, "session/prompt", '"x"'))]],
    [
      "names such as __proto__",
      [sent(asked(5, "__proto__", "{}")), sent(asked(6, "constructor", '{"sessionId":"__proto__"}'))],
    ],
  ])("goes on after %s", async (_, lines) => {
    const { code, stdout, stderr } = await replayed([...opened, ...lines, ...ended]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("Done.");
  });

  it.each([
    [
      "a cancel of a session whose id is an object",
      [...opened, sent(`{"method":"session/cancel","params":{"sessionId":${odd}}}`), ...ended],
      `continues session ${odd},`,
    ],
    [
      "values of an option that are objects",
      [
        ...opened,
        sent(asked(5, "session/set_config_option", `{"sessionId":"s","configId":${odd},"value":${odd}}`)),
        ...ended,
      ],
      "contains session/set_config_option with params that cannot be read",
    ],
    [
      "a prompt whose items are no objects",
      [...opened, sent(asked(5, "session/prompt", `{"sessionId":"s","prompt":[null,1]}`)), ...ended],
      "cannot continue",
    ],
    [
      "a restore of a session whose id is an object",
      [
        ...start,
        sent(asked(1, "session/load", `{"sessionId":${odd},"cwd":"/w","mcpServers":[]}`)),
        received(answered(1, "{}")),
      ],
      "cannot continue: the log contains request session/load",
    ],
    ["an update of 50 000 levels", [...opened, received(updated(levels)), ...ended], "cannot be replayed: "],
    [
      "a message of 40 MB",
      [...opened, received(updated(`"${"x".repeat(40_000_000)}"`)), ...ended],
      "cannot be replayed: ",
    ],
    ["two times initialize", [...start, ...start.slice(1)], "cannot continue: the log contains request initialize"],
  ])("ends with one clear line at %s", async (_, lines, text) => {
    const { code, stdout, stderr } = await replayed(lines);
    expect(code).toBe(1);
    expect(`${stdout}${stderr}`).toContain(text);
  });

  it("shows an end whose members have wrong types", async () => {
    const end = `{"ms":5,"closed":{"kind":"__proto__","message":"It died.","stderr":${odd}}}`;
    const { code, stdout, stderr } = await replayed([...opened, end]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("Session closed: It died.");
  });

  it("shows children that are each other's parents, and ends", async () => {
    const child = (id: string, parent: string) =>
      received(updated(`{"sessionUpdate":"subagent_update","sessionId":"${id}","title":"T${id}"}`, parent));
    const lines = [
      ...head,
      received(answered(0, '{"protocolVersion":2,"info":{"name":"a","version":"1"},"capabilities":{"session":{}}}')),
      ...opened.slice(start.length),
      received(answered(2, '{"messageId":"u1"}')),
      received(updated('{"sessionUpdate":"state_update","state":"running"}')),
      ...[
        child("a", "s"),
        child("b", "a"),
        child("a", "b"),
        child("s", "b"),
        child("a", "a"),
        child("x", "y"),
        child("y", "x"),
      ],
      received(updated('{"sessionUpdate":"state_update","state":"idle","stopReason":"end_turn"}')),
    ];
    const { code, stdout, stderr } = await replayed(lines);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("Tb: started");
    expect(stdout).toMatch(/announced a session that is not its child\.\s+Its parent did not change\.\n/);
  });
});
