import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionEvent } from "@turnkit/session";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { compactEvents, createMemoryLog, type SessionLog } from "../src/index.js";
import { createFileLog, type LogRepair } from "../src/node/index.js";
import { all, seen } from "./log-reader.js";

// Megabytes are written and read here, on whatever machine.
vi.setConfig({ testTimeout: 60_000 });

const info = { sessionId: "s", cwd: "/work" };
const KIB = 1024;

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "turnkit-log-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

/** Appends before and after a commit that compacts, and reads what the log has then, also after another opening. */
async function keptBy(log: SessionLog, before: readonly SessionEvent[], after: readonly SessionEvent[] = []) {
  const problems: unknown[] = [];
  const writer = await log.open("s", info);
  writer.onProblem?.((message, error) => problems.push([message, error]));
  for (const event of before) await writer.append(event);
  await writer.commit();
  await writer.commit();
  expect(problems).toEqual([]);
  for (const event of after) await writer.append(event);
  await writer[Symbol.asyncDispose]();
  await (await log.open("s"))[Symbol.asyncDispose]();
  return all(log.read("s"));
}

const opened: SessionEvent = { type: "session_opened", ...info };
const text = (said: string) => ({ type: "text", text: said }) as const;
const piece = (said: string, messageId = "m"): SessionEvent => {
  return { type: "agent_message_chunk", messageId, content: text(said) };
};
const many = (count: number, make: (n: number) => SessionEvent): SessionEvent[] =>
  Array.from({ length: count }, (_, n) => make(n));
const ended: SessionEvent = { type: "turn_ended", promptId: "p", stopReason: "end_turn" };
const blob = (n: number) => ({ type: "image", data: `${n}`.padEnd(8 * KIB, "A"), mimeType: "image/png" }) as const;
const call = { type: "tool_call_update", toolCallId: "t" } as const;
const output = (said: string) => ({ type: "content", content: text(said) }) as const;

/** An event whose record takes exactly so many bytes. */
const exactly = (most: number, make: (said: string) => SessionEvent): SessionEvent => {
  const room = most - 14 - Buffer.byteLength(JSON.stringify(make("")));
  return make("x".repeat(room));
};
const full = (make: (said: string) => SessionEvent): SessionEvent => exactly(64 * KIB, make);

/** Each is more than 64 KiB as it stands in the end, and comes in events of less. */
const long: readonly (readonly [what: string, events: readonly SessionEvent[]])[] = [
  ["a message of many pieces", many(100, (n) => piece(`${n}.`.padEnd(KIB, "x")))],
  ["a message of many tiny pieces", many(40_000, (n) => piece(`${n} `))],
  ["Chinese", many(100, () => piece("漢".repeat(KIB)))],
  ["characters that JSON escapes", many(200, () => piece('\u0000"\\\n'.repeat(KIB / 4)))],
  ["pairs cut in the middle", many(9_000, (n) => piece(n % 2 ? "\ude00b" : "a😀\ud83d"))],
  ["single halves of pairs", many(30_000, () => piece("\ud83d"))],
  ["pictures", many(20, (n) => ({ ...piece(""), content: blob(n) }) as SessionEvent)],
  ["one piece that just fits", many(3, () => piece("x".repeat(64 * KIB - 200)))],
  ["a thought", many(100, () => ({ ...piece("漢".repeat(KIB)), type: "agent_thought_chunk" }) as SessionEvent)],
  [
    "metadata of many parts",
    many(100, (n) => ({ type: "agent_message", messageId: "m", _meta: { [`${n}`]: "x".repeat(KIB) } })),
  ],
  [
    "what a tool said, piece by piece",
    many(100, (n) => ({ type: "tool_call_content_chunk", toolCallId: "t", content: output(`${n}`.padEnd(KIB)) })),
  ],
  [
    "a tool call with much of everything",
    [
      { ...call, rawInput: { said: "漢".repeat(18 * KIB) } },
      { ...call, rawOutput: { got: "漢".repeat(18 * KIB) }, status: "completed" },
      { ...call, title: "x".repeat(50 * KIB) },
      { ...call, content: [output("y".repeat(30 * KIB)), output("z".repeat(30 * KIB))] },
    ],
  ],
  [
    "what a terminal put out",
    many(100, (n) => ({ type: "terminal_output_chunk", terminalId: "x", data: btoa(`${n}`.padEnd(KIB, ".")) })),
  ],
  [
    "what a terminal put out and lost again",
    many(1_200, (n) => ({ type: "terminal_output_chunk", terminalId: "x", data: btoa(`${n}`.padEnd(KIB, ".")) })),
  ],
  [
    "a summary",
    many(100, (n) => ({ type: "compaction_summary_chunk", compactionId: "c", content: text(`${n}`.padEnd(KIB)) })),
  ],
  [
    "many plans",
    many(90, (n) => ({ type: "plan_update", plan: { type: "markdown", planId: `${n}`, content: "x".repeat(KIB) } })),
  ],
  [
    "many questions",
    many(60, (n) => {
      const options = [{ optionId: "y", name: "y".repeat(2 * KIB), kind: "allow_once" }] as const;
      return { type: "permission_asked", requestId: `${n}`, title: "May I?", options };
    }),
  ],
  [
    "lists",
    [
      {
        type: "available_commands_update",
        availableCommands: [{ type: "command", name: "a", description: "x".repeat(60 * KIB) }],
      },
      {
        type: "config_option_update",
        configOptions: [
          { type: "boolean", configId: "b", name: "b", description: "y".repeat(60 * KIB), currentValue: true },
        ],
      },
    ],
  ],
  ["a title", [{ type: "session_info_update", title: "x".repeat(65_536 - 70) }, ...many(100, (n) => piece(`${n}`))]],
  ["pieces that fill records", [full((said) => piece(said)), full((said) => piece(said))]],
  [
    "a message that fills a record, and a piece more",
    [full((said) => ({ type: "agent_message", messageId: "m", content: [text(said)] })), piece("more")],
  ],
  [
    "a message of two that fills a record, after one",
    [piece("a"), full((said) => ({ type: "agent_message", messageId: "m", content: [blob(1), text(said)] }))],
  ],
  [
    "what a tool got and gave, each filling a record",
    [full((said) => ({ ...call, rawInput: said })), full((said) => ({ ...call, rawOutput: said }))],
  ],
  [
    "content of a tool call that fills records",
    [
      full((said) => ({ type: "tool_call_content_chunk", toolCallId: "t", content: output(said) })),
      full((said) => ({ type: "tool_call_content_chunk", toolCallId: "t", content: output(said) })),
    ],
  ],
  [
    "a notice, a title and an unknown update that fill records",
    [
      full((title) => ({ type: "notice", severity: "info", title })),
      full((title) => ({ type: "session_info_update", title })),
      full((beam) => ({ type: "unknown", raw: { beam } })),
    ],
  ],
];

describe("what is longer than a record", () => {
  test.each(long)("defect B1: %s stays what it was when a log of small records is compacted", async (_, events) => {
    const repairs: LogRepair[] = [];
    const log = createFileLog(await newFolder(), {
      maxRecordBytes: 64 * KIB,
      compactBytes: 32 * KIB,
      onRepair: (repair) => repairs.push(repair),
    });
    const after = [piece("and on"), ended];
    expect(seen(await keptBy(log, [opened, ...events], after))).toEqual(seen([opened, ...events, ...after]));
    expect(repairs).toEqual([]);
  });

  test.each(long)("defect B1: %s is the same in memory", async (_, events) => {
    const log = createMemoryLog({ compactAbove: 1 });
    expect(seen(await keptBy(log, [opened, ...events], [ended]))).toEqual(seen([opened, ...events, ended]));
  });

  test("defect B1: a long message of Chinese is there after a restart, with the usual bounds", async () => {
    const log = createFileLog(await newFolder());
    const events = many(250, () => piece("漢".repeat(64 * KIB)));
    const [only, ...others] = (await keptBy(log, [opened, ...events, ended])).filter(({ type }) =>
      /message/.test(type),
    );
    const length = [only, ...others].reduce((sum, event) => sum + JSON.stringify(event).split("漢").length - 1, 0);
    expect(length).toBe(250 * 64 * KIB);
  }, 60_000);

  test("defect B1: an event that is larger than a record is refused, and what was there stays", async () => {
    const log = createFileLog(await newFolder(), { maxRecordBytes: 4 * KIB, compactBytes: KIB });
    const writer = await log.open("s", info);
    writer.append(piece("one"));
    // 2 KiB of letters are 6 KiB of bytes.
    expect(() => writer.append(piece("漢".repeat(2 * KIB)))).toThrow(expect.objectContaining({ problem: "too_large" }));
    writer.append(piece("two"));
    await writer.commit();
    await writer[Symbol.asyncDispose]();
    expect(seen(await all(log.read("s")))).toEqual(seen([piece("onetwo")]));
  });

  test("defect B1: a session whose folders are larger than a record is refused, and leaves nothing behind", async () => {
    const log = createFileLog(await newFolder(), { maxRecordBytes: 4 * KIB });
    const large = { ...info, additionalDirectories: [`/${"x".repeat(5 * KIB)}`] };
    await expect(log.open("s", large)).rejects.toMatchObject({ problem: "too_large" });
    await expect(log.open("s")).rejects.toMatchObject({ problem: "not_found" });
  });

  test("defect B1: records that are larger than a bound of today stay in the file until they can be read", async () => {
    const folder = await newFolder();
    const events = [
      opened,
      ...many(20, (n) => piece("y".repeat(9 * KIB), `m${n}`)),
      piece("short"),
      piece("z".repeat(9 * KIB), "z"),
    ];
    const writer = await createFileLog(folder).open("s", info);
    for (const event of events) writer.append(event);
    await writer[Symbol.asyncDispose]();
    const problems: unknown[] = [];
    const small = createFileLog(folder, { maxRecordBytes: 4 * KIB, compactBytes: KIB });
    const again = await small.open("s");
    again.onProblem?.((message, error) => problems.push([message, error]));
    again.append(ended);
    await again.commit();
    await again[Symbol.asyncDispose]();
    expect(await all(createFileLog(folder).read("s"))).toEqual([...events, ended]);
    expect(problems).not.toEqual([]);
  });
});

const bytesOf = (...bytes: readonly number[]): string => btoa(String.fromCharCode(...bytes));
const chunk = (data: string): SessionEvent => ({ type: "terminal_output_chunk", terminalId: "x", data });

/** Unfinished events at a compaction of the log, and their continuations. */
const unfinished: readonly (readonly [
  what: string,
  before: readonly SessionEvent[],
  after: readonly SessionEvent[],
])[] = [
  ["half a character of a terminal", [chunk(bytesOf(0x61, 0xe6, 0xbc))], [chunk(bytesOf(0xa2, 0x62))]],
  ["half a character that is never finished", [chunk(bytesOf(0xf0, 0x9f))], [chunk(bytesOf(0x41))]],
  [
    "the number of bytes that a terminal lost",
    [...many(1_100, () => chunk(btoa("x".repeat(KIB)))), chunk(bytesOf(0xe6))],
    [...many(400, () => chunk(btoa("y".repeat(KIB))))],
  ],
  [
    "a compaction in progress",
    [
      { type: "compaction_update", compactionId: "c", status: "in_progress" },
      { type: "compaction_summary_chunk", compactionId: "c", content: text("It ") },
      piece("after"),
    ],
    [
      { type: "compaction_summary_chunk", compactionId: "c", content: text("was long.") },
      { type: "compaction_update", compactionId: "c", status: "completed" },
    ],
  ],
  [
    "a question of permission",
    [
      {
        type: "permission_asked",
        requestId: "q",
        title: "May I?",
        subject: { type: "tool_call", toolCall: { ...call, title: "Edit", status: "pending" } },
        options: [{ optionId: "y", name: "Yes", kind: "allow_once" }],
      },
      { ...call, title: "Edit a file" },
    ],
    [
      { type: "permission_answered", requestId: "q", outcome: { outcome: "selected", optionId: "y" } },
      { ...call, status: "completed" },
    ],
  ],
  [
    "a form and a URL that the user went to",
    [
      {
        type: "elicitation_asked",
        requestId: "e",
        message: "Who?",
        mode: "form",
        requestedSchema: { type: "object", properties: {} },
      },
      { type: "elicitation_asked", requestId: "u", message: "Go", mode: "url", url: "https://a", elicitationId: "id" },
      { type: "elicitation_answered", requestId: "u", answer: { action: "accept" } },
    ] as SessionEvent[],
    [
      { type: "elicitation_completed", elicitationId: "id" },
      { type: "elicitation_answered", requestId: "e", answer: { action: "decline" } },
    ],
  ],
  [
    "a tool call with pieces of content and a client's terminal",
    [
      { ...call, title: "Run", status: "in_progress", content: [{ type: "terminal", terminalId: "of-the-client" }] },
      { type: "tool_call_content_chunk", toolCallId: "t", content: output("one") },
      { ...call, _meta: { a: 1 }, capabilities: { cancel: {} } },
    ],
    [
      { type: "tool_call_content_chunk", toolCallId: "t", content: output("two") },
      { ...call, _meta: { b: 2 }, capabilities: null, status: "failed" },
    ],
  ],
  [
    "a tool call that was finished and began again",
    [
      { ...call, status: "completed" },
      { ...call, status: "in_progress" },
    ],
    [{ ...call, status: "completed" }],
  ],
  [
    "a message that grows without an id",
    [{ type: "agent_message_chunk", content: text("one ") }],
    [{ type: "agent_message_chunk", content: text("two") }],
  ],
  [
    "a message that grows while others come",
    [piece("one "), { ...piece("hm", "n"), type: "agent_thought_chunk" } as SessionEvent, { ...call, title: "Look" }],
    [piece("two")],
  ],
  [
    "a notice, an unknown update, a child session and a message from one",
    [
      { type: "notice", severity: "warning", title: "Slow" },
      { type: "unknown", raw: { sessionUpdate: "hologram" } },
      { type: "subagent_update", sessionId: "child", title: "Helper", state: { state: "running" } },
      { type: "session_message_chunk", messageId: "x", content: text("Hello ") },
      { type: "session_info_update", title: "T", _meta: { a: 1 } },
    ],
    [
      { type: "notice", severity: "info", title: "Fast" },
      { type: "session_message_chunk", messageId: "x", content: text("you") },
      { type: "subagent_update", sessionId: "child", state: { state: "idle" } },
      { type: "session_info_update", _meta: { b: 1 } },
    ],
  ],
  [
    "two open turns after one that failed",
    [
      { type: "turn_started", promptId: "a" },
      { type: "turn_ended", promptId: "a", error: { code: -32603, message: "no" } },
      { type: "turn_started", promptId: "b" },
      { type: "turn_started", promptId: "c" },
      { type: "cancel_asked" },
    ],
    [ended, { type: "turn_ended", promptId: "b", stopReason: "cancelled" }, { type: "turn_ended", promptId: "c" }],
  ],
  [
    "a plan that was removed and lists that were changed",
    [
      { type: "plan_update", plan: { type: "markdown", planId: "a", content: "x" } },
      { type: "plan_update", plan: { type: "markdown", planId: "b", content: "y" } },
      { type: "plan_removed", planId: "a" },
      { type: "available_commands_update", availableCommands: [{ type: "command", name: "go", description: "" }] },
    ],
    [
      { type: "session_opened", ...info, availableCommands: [] },
      { type: "plan_update", plan: { type: "markdown", planId: "b", content: "z" } },
    ],
  ],
];

describe("what is unfinished", () => {
  test.each(unfinished)(
    "defect B10: %s goes on after a compaction of the file as if there had been none",
    async (_, before, after) => {
      const log = createFileLog(await newFolder(), { compactBytes: 1 });
      expect(seen(await keptBy(log, [opened, ...before]))).toEqual(seen([opened, ...before]));
      const other = createFileLog(await newFolder(), { compactBytes: 1 });
      expect(seen(await keptBy(other, [opened, ...before], after))).toEqual(seen([opened, ...before, ...after]));
    },
  );

  test.each(unfinished)(
    "defect B10: %s goes on after a compaction in memory as if there had been none",
    async (_, before, after) => {
      const log = createMemoryLog({ compactAbove: 0 });
      expect(seen(await keptBy(log, [opened, ...before], after))).toEqual(seen([opened, ...before, ...after]));
    },
  );

  test.each(unfinished)(
    "defect B10: %s is exact in compactEvents, and stays so when that is done again",
    async (_, before, after) => {
      const once = await compactEvents([opened, ...before]);
      expect(seen(once)).toEqual(seen([opened, ...before]));
      expect(seen([...once, ...after])).toEqual(seen([opened, ...before, ...after]));
      expect(await compactEvents(once)).toEqual(once);
    },
  );
});
