import { describe, expect, it } from "vitest";
import { decodeV2 as decode } from "./decode.js";

const text = { type: "text", text: "x" };
const item = { type: "content", content: text };
const cancel = { cancel: {} };

type Row = readonly [name: string, update: object, event: object];

const tool = (name: string, members: object, read: object = members): Row => [
  name,
  { sessionUpdate: "tool_call_update", toolCallId: "t", ...members },
  { type: "tool_call_update", toolCallId: "t", ...read },
];
const terminal = (name: string, members: object, read: object = members): Row => [
  name,
  { sessionUpdate: "terminal_update", terminalId: "r", ...members },
  { type: "terminal_update", terminalId: "r", ...read },
];
const state = (name: string, members: object, read: object = members): Row => [
  name,
  { sessionUpdate: "state_update", ...members },
  { type: "state_update", ...read },
];
const diff = (name: string, wire: object, read: object | undefined): Row =>
  tool(
    name,
    { content: [{ type: "diff", ...wire }] },
    { content: read === undefined ? [] : [{ type: "diff", ...read }] },
  );
const same = (name: string, { sessionUpdate: type, ...members }: { readonly sessionUpdate: string }): Row => [
  name,
  { sessionUpdate: type, ...members },
  { type, ...members },
];

describe("reading version 2 updates", () => {
  const table: readonly Row[] = [
    same("a message", { sessionUpdate: "agent_message", messageId: "m", content: [text], _meta: { a: 1 } } as never),
    same("V2-UPD-02: null stays null", {
      sessionUpdate: "user_message",
      messageId: "m",
      content: null,
      _meta: null,
    } as never),
    [
      "V2-DEC-01: malformed content and metadata read as left out",
      { sessionUpdate: "agent_thought", messageId: "m", content: "x", _meta: [] },
      { type: "agent_thought", messageId: "m" },
    ],
    [
      "V2-DEC-04: bad blocks go one by one",
      { sessionUpdate: "agent_message", messageId: "m", content: [text, { type: "text" }, 1] },
      { type: "agent_message", messageId: "m", content: [text] },
    ],
    [
      "4.3: a chunk without an id is read as version 1's",
      { sessionUpdate: "agent_message_chunk", content: text },
      { type: "agent_message_chunk", content: text },
    ],
    state("V2-BG-01: background that is reported", { state: "running", background: [] }),
    state("V2-BG-03: unknown work is work", {
      state: "idle",
      background: [{ type: "daemon" }, { type: "subagent", sessionId: "s" }],
    }),
    state(
      "V2-DEC-05: one bad item makes the list count as not reported",
      { state: "running", background: [{ type: "terminal", terminalId: "r" }, { type: "tool_call" }] },
      { state: "running" },
    ),
    state("V2-PRM-14: any stop reason", { state: "idle", stopReason: "_out" }),
    state("V2-PRM-14: a malformed one is none", { state: "idle", stopReason: 5 }, { state: "idle" }),
    state("V2-PRM-15: an error", {
      state: "idle",
      stopReason: "error",
      error: { code: -32603, message: "M", data: 1 },
    }),
    state(
      "V2-PRM-15: a malformed one says no details",
      { state: "idle", stopReason: "error", error: { code: "1" } },
      { state: "idle", stopReason: "error" },
    ),
    state(
      "V2-PRM-15: an end that is no error has none",
      { state: "idle", stopReason: "end_turn", error: { code: 7, message: "M" } },
      { state: "idle", stopReason: "end_turn" },
    ),
    state(
      "V2-PRM-22: tokens, without details that do not read",
      { state: "idle", usage: { totalTokens: 3, inputTokens: 1, outputTokens: 2, thoughtTokens: "x" } },
      { state: "idle", usage: { totalTokens: 3, inputTokens: 1, outputTokens: 2 } },
    ),
    state("V2-PRM-20, V2-DEC-07: a state that nobody knows, whole", { state: "dreaming", depth: 3 }),
    tool("V2-TOOL-02: null resets", {
      title: null,
      kind: null,
      status: null,
      content: null,
      locations: null,
      rawInput: null,
    }),
    tool("V2-TOOL-03, V2-TOOL-04: unknown kinds and statuses are kept", { kind: "_dance", status: "_held" }),
    tool(
      "V2-DEC-01: malformed members are left out",
      { title: 1, kind: {}, status: [], content: 5, locations: "a" },
      {},
    ),
    tool("V2-DEC-04: bad items go one by one", { content: [item, { type: "content" }, {}] }, { content: [item] }),
    tool("V2-TOOL-07: unknown items stay", { content: [{ type: "hologram", beam: 1 }] }),
    tool(
      "V2-TOOL-08: a line that is none reads as none",
      { locations: [{ path: "/a", line: 0 }, { path: "/b", line: 1 }, { line: 1 }] },
      { locations: [{ path: "/a" }, { path: "/b", line: 1 }] },
    ),
    tool("V2-TOOL-10: controls", { capabilities: cancel }),
    tool("V2-DEC-11: malformed controls are taken away", { capabilities: "cancel" }, { capabilities: null }),
    tool("V2-DEC-11: as is a malformed cancel", { capabilities: { cancel: true } }, { capabilities: {} }),
    diff(
      "V2-DIFF-01: a diff",
      { changes: [{ operation: "add", path: "/a" }], patch: { format: "git_patch", text: "" } },
      {
        changes: [{ operation: "add", path: "/a" }],
        patch: { format: "git_patch", text: "" },
      },
    ),
    diff(
      "V2-DIFF-02: a move",
      { changes: [{ operation: "move", path: "/b", oldPath: "/a" }] },
      {
        changes: [{ operation: "move", path: "/b", oldPath: "/a" }],
      },
    ),
    diff(
      "V2-DIFF-02: an unknown operation",
      { changes: [{ operation: "split", into: ["/a"] }] },
      {
        changes: [{ operation: "split", into: ["/a"], path: "" }],
      },
    ),
    diff(
      "V2-DEC-06: a known one without its path goes",
      { changes: [{ operation: "copy", path: "/b" }] },
      { changes: [] },
    ),
    diff(
      "V2-DEC-01: malformed types and patches are left out",
      { changes: [{ operation: "add", path: "/a", fileType: 1 }], patch: 1 },
      {
        changes: [{ operation: "add", path: "/a" }],
      },
    ),
    diff("V2-DEC-04: changes that are no list drop the item", { changes: {} }, undefined),
    diff(
      "V2-SEED-06: a diff of two texts",
      { path: "/a", oldText: "o", newText: "n" },
      {
        changes: [{ operation: "modify", path: "/a", oldText: "o", newText: "n" }],
      },
    ),
    diff(
      "V2-SEED-06: the newer names win",
      { path: "/x", newText: "n", changes: [] },
      { path: "/x", newText: "n", changes: [] },
    ),
    [
      "V2-TOOL-06: one more item",
      { sessionUpdate: "tool_call_content_chunk", toolCallId: "t", content: item },
      { type: "tool_call_content_chunk", toolCallId: "t", content: item },
    ],
    terminal("V2-TERM-03: a terminal", {
      command: "make",
      cwd: "/srv",
      output: { data: "QQ==" },
      exitStatus: { exitCode: -1, signal: null },
      size: { cols: 80, rows: 24 },
      capabilities: cancel,
    }),
    terminal("V2-TERM-04: null clears", {
      output: null,
      exitStatus: null,
      size: null,
      capabilities: null,
      command: null,
    }),
    terminal("V2-TERM-07: an empty end is an end", { exitStatus: {} }),
    terminal(
      "V2-TERM-07: malformed members of an end are absent",
      { exitStatus: { exitCode: 1.5, signal: 9 } },
      { exitStatus: {} },
    ),
    terminal("V2-DEC-01: malformed sizes and output are left out", { size: { cols: 0, rows: 1 }, output: "QQ==" }, {}),
    terminal("V2-DEC-11: malformed controls are taken away", { capabilities: 1 }, { capabilities: null }),
    same("V2-TERM-05: bytes", { sessionUpdate: "terminal_output_chunk", terminalId: "r", data: "QQ==" } as never),
    same("V2-UPD-16: a plan of items", {
      sessionUpdate: "plan_update",
      plan: { type: "items", planId: "p", entries: [{ content: "a", priority: "_x", status: "cancelled" }] },
    } as never),
    same("V2-UPD-16: a plan of an unknown form", {
      sessionUpdate: "plan_update",
      plan: { type: "opera", planId: "p", acts: 3 },
    } as never),
    same("V2-UPD-16: a plan as a file", {
      sessionUpdate: "plan_update",
      plan: { type: "file", planId: "p", uri: "file:///p" },
    } as never),
    [
      "V2-UPD-17: entries that lack something go",
      { sessionUpdate: "plan_update", plan: { type: "items", planId: "p", entries: [{ content: "a" }] } },
      { type: "plan_update", plan: { type: "items", planId: "p", entries: [] } },
    ],
    [
      "V2-SEED-06: a plan by its older id",
      { sessionUpdate: "plan_update", plan: { type: "items", id: "p", entries: [] } },
      { type: "plan_update", plan: { type: "items", planId: "p", entries: [] } },
    ],
    ["V2-SEED-06: a removal by it", { sessionUpdate: "plan_removed", id: "p" }, { type: "plan_removed", planId: "p" }],
    ["V2-UPD-18: a removal", { sessionUpdate: "plan_removed", planId: "p" }, { type: "plan_removed", planId: "p" }],
    same("V2-CMD-01: commands", {
      sessionUpdate: "available_commands_update",
      availableCommands: [{ type: "command", name: "a", description: "A", input: { type: "text", hint: "h" } }],
    } as never),
    same("V2-CMD-02: unknown ones", {
      sessionUpdate: "available_commands_update",
      availableCommands: [{ type: "macro", name: "a", description: "A", keys: 1 }],
    } as never),
    [
      "V2-CMD-04: older shapes of commands",
      {
        sessionUpdate: "available_commands_update",
        availableCommands: [{ name: "a", description: "A", input: { hint: "h" } }, { name: "b" }],
      },
      {
        type: "available_commands_update",
        availableCommands: [{ type: "command", name: "a", description: "A", input: { type: "text", hint: "h" } }],
      },
    ],
    [
      "V2-CFG-01: options, V2-SEED-06: under older names too; mixed and empty values make none",
      {
        sessionUpdate: "config_option_update",
        configOptions: [
          { type: "boolean", configId: "a", name: "A", currentValue: true },
          { type: "select", id: "b", name: "B", currentValue: "x", options: [{ group: "g", name: "G", options: [] }] },
          { type: "dial", configId: "c", name: "C", turns: 3 },
          {
            type: "select",
            configId: "d",
            name: "D",
            currentValue: "x",
            options: [{ groupId: "g", name: "G", options: [] }, {}],
          },
          { type: "boolean", configId: "e", name: "E", currentValue: "on" },
          { type: "select", configId: "f", name: "F", currentValue: "x", options: [] },
        ],
      },
      {
        type: "config_option_update",
        configOptions: [
          { type: "boolean", configId: "a", name: "A", currentValue: true },
          {
            type: "select",
            configId: "b",
            name: "B",
            currentValue: "x",
            options: [{ groupId: "g", name: "G", options: [] }],
          },
          { type: "dial", configId: "c", name: "C", turns: 3 },
        ],
      },
    ],
    same("V2-UPD-21: usage, whose cost may be taken back", {
      sessionUpdate: "usage_update",
      used: 1,
      size: 2,
      cost: null,
    } as never),
    same("V2-ENV-15: counters beyond 2^53", { sessionUpdate: "usage_update", used: 2 ** 60, size: 0 } as never),
    [
      "V2-UPD-20: what the session is called",
      { sessionUpdate: "session_info_update", title: null },
      { type: "session_info_update", title: null },
    ],
    same("V2-UPD-22: a notice", { sessionUpdate: "notice", severity: "_loud", title: "T" } as never),
    same("V2-UPD-24: a compaction", {
      sessionUpdate: "compaction_update",
      compactionId: "c",
      status: "failed",
      error: "E",
    } as never),
    same("V2-UPD-26: a child session", {
      sessionUpdate: "subagent_update",
      sessionId: "s",
      state: { state: "idle", stopReason: "end_turn" },
      capabilities: cancel,
      cwd: null,
      additionalDirectories: ["/a"],
    } as never),
    same("V2-UPD-28: a message between sessions", {
      sessionUpdate: "session_message",
      messageId: "m",
      senderSessionId: "a",
      recipientMessageId: null,
      content: [text],
    } as never),
    [
      "V2-UPD-06, V2-SEED-06: version 1's names",
      { sessionUpdate: "tool_call", toolCallId: "t", title: "T", status: null },
      { type: "tool_call_update", toolCallId: "t", title: "T", status: null },
    ],
    [
      "V2-SEED-06: version 1's plan",
      { sessionUpdate: "plan", entries: [] },
      { type: "plan_update", plan: { planId: "main", type: "items", entries: [] } },
    ],
    same("V2-UPD-05: metadata of what is no patch is handed on", {
      sessionUpdate: "plan_removed",
      planId: "p",
      _meta: { a: 1 },
    } as never),
  ];
  it.each(table)("%s", (_, update, event) => {
    expect(decode(update)).toEqual([event]);
  });

  const unread: readonly (readonly [unknown, string | undefined])[] = [
    [5, "an update has to be an object"],
    [{ sessionUpdate: "hologram", beam: 1 }, undefined],
    [{ sessionUpdate: "user_message" }, "messageId cannot be read"],
    [{ sessionUpdate: "agent_message_chunk", messageId: "m", content: {} }, "content cannot be read"],
    [{ sessionUpdate: "state_update" }, "state cannot be read"],
    [
      { sessionUpdate: "tool_call_content_chunk", toolCallId: "t", content: { type: "terminal" } },
      "content cannot be read",
    ],
    [{ sessionUpdate: "terminal_output_chunk", terminalId: "r" }, "data cannot be read"],
    [{ sessionUpdate: "plan_update", plan: { type: "items", planId: "p", entries: {} } }, "plan cannot be read"],
    [{ sessionUpdate: "plan_update", plan: { type: "markdown", planId: "p" } }, "plan cannot be read"],
    [{ sessionUpdate: "available_commands_update", availableCommands: null }, "availableCommands cannot be read"],
    [{ sessionUpdate: "config_option_update" }, "configOptions cannot be read"],
    [{ sessionUpdate: "usage_update", used: 1.5, size: 2 }, "used cannot be read"],
    [{ sessionUpdate: "notice", severity: "info", title: "" }, "title cannot be read"],
    [{ sessionUpdate: "subagent_update", sessionId: "s", cwd: 5 }, "cwd cannot be read"],
    [
      { sessionUpdate: "subagent_update", sessionId: "s", additionalDirectories: [1] },
      "additionalDirectories cannot be read",
    ],
  ];
  it.each(unread)("V2-DEC-06, V2-DEC-09: %j is kept and delivered as unknown", (update, reason) => {
    expect(decode(update)).toEqual([{ type: "unknown", raw: update, reason }]);
  });

  it("V2-DEC-01: a view can rely on what a block says beside its content", () => {
    const annotations = { audience: ["user", 5], priority: "high", lastModified: {}, later: 1 };
    const icons = [{ src: "data:," }, {}];
    const link = { type: "resource_link", uri: "file:///a", name: "a" };
    const content = [
      { ...text, annotations, _meta: 5 },
      { ...text, annotations: { audience: 5 } },
      { ...link, icons },
      { type: "resource", resource: { uri: "file:///a", text: "a", mimeType: 5, _meta: [] } },
    ];
    expect(decode({ sessionUpdate: "agent_message", messageId: "m", content })).toEqual([
      {
        type: "agent_message",
        messageId: "m",
        content: [
          { ...text, annotations: { audience: ["user"], later: 1 } },
          { ...text, annotations: {} },
          { ...link, icons: [{ src: "data:," }] },
          { type: "resource", resource: { uri: "file:///a", text: "a" } },
        ],
      },
    ]);
  });

  it("V2-DEC-01: metadata that is none is left out, wherever it stands", () => {
    const plan = { type: "items", planId: "p", entries: [{ content: "a", priority: "low", status: "x", _meta: 5 }] };
    expect(decode({ sessionUpdate: "plan_update", plan: { ...plan, _meta: "m" } })).toEqual([
      { type: "plan_update", plan: { ...plan, entries: [{ content: "a", priority: "low", status: "x" }] } },
    ]);
  });

  it("V2-DEC-07: a member called __proto__ gives nothing to what it stands in", () => {
    const option = JSON.parse('{"type":"dial","configId":"c","name":"C","__proto__":{"currentValue":1}}');
    const [event] = decode({ sessionUpdate: "config_option_update", configOptions: [option] });
    const [read] = (event as { configOptions: readonly object[] }).configOptions;
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    expect((read as { currentValue?: unknown }).currentValue).toBeUndefined();
  });

  it("V2-DEC-07: hands on the very objects that came", () => {
    const content = { type: "hologram", beam: 1 };
    const [event] = decode({ sessionUpdate: "agent_message_chunk", messageId: "m", content });
    expect((event as { content: object }).content).toBe(content);
    const plan = { type: "items", planId: "p", entries: [], later: 1 };
    const [update] = decode({ sessionUpdate: "plan_update", plan });
    expect((update as { plan: object }).plan).toBe(plan);
  });
});

it("the time of an unknown state is not taken from the wire", () => {
  const update = { sessionUpdate: "state_update", state: "dreaming", at: 5, extra: true };
  expect(decode(update)).toEqual([{ type: "state_update", state: "dreaming", extra: true }]);
});
