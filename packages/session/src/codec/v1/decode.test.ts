import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSessionState } from "../../create-session-state.js";
import { reduceAll } from "../../reduce.js";
import { decodeV1 as decode } from "./decode.js";

const text = { type: "text", text: "x" };

describe("reading version 1 updates", () => {
  const sound: readonly (readonly [string, object, object])[] = [
    [
      "V1-UPD-03: a chunk",
      { sessionUpdate: "agent_message_chunk", content: text },
      { type: "agent_message_chunk", content: text },
    ],
    [
      "V1-UPD-04: null and malformed ids are none",
      { sessionUpdate: "user_message_chunk", messageId: 7, content: text },
      { type: "user_message_chunk", content: text },
    ],
    [
      "V1-UPD-12: a tool call says every member, so that a second one sets back what it leaves out",
      { sessionUpdate: "tool_call", toolCallId: "t", title: "T" },
      {
        type: "tool_call_update",
        toolCallId: "t",
        title: "T",
        name: null,
        kind: null,
        status: null,
        content: [],
        locations: [],
        rawInput: null,
        rawOutput: null,
        _meta: null,
      },
    ],
    [
      "V1-UPD-14: null and malformed members of an update are left out",
      { sessionUpdate: "tool_call_update", toolCallId: "t", title: null, kind: 3, content: null, rawInput: null },
      { type: "tool_call_update", toolCallId: "t" },
    ],
    [
      "V1-LEN-02: bad elements of a list go one by one, V1-UPD-15: and an empty list empties",
      {
        sessionUpdate: "tool_call_update",
        toolCallId: "t",
        content: [{ type: "content" }],
        locations: [{ path: "/a", line: "x" }, 1],
      },
      { type: "tool_call_update", toolCallId: "t", content: [], locations: [{ path: "/a" }] },
    ],
    [
      "V1-TOOL-07: a diff without old text is a new file",
      {
        sessionUpdate: "tool_call_update",
        toolCallId: "t",
        content: [{ type: "diff", path: "/a", newText: "n", oldText: null }],
      },
      {
        type: "tool_call_update",
        toolCallId: "t",
        content: [{ type: "diff", changes: [{ operation: "add", path: "/a", newText: "n" }] }],
      },
    ],
    [
      "V1-TOOL-07: a diff with old text is a modification",
      {
        sessionUpdate: "tool_call_update",
        toolCallId: "t",
        content: [{ type: "diff", path: "/a", newText: "n", oldText: "o" }],
      },
      {
        type: "tool_call_update",
        toolCallId: "t",
        content: [{ type: "diff", changes: [{ operation: "modify", path: "/a", oldText: "o", newText: "n" }] }],
      },
    ],
    [
      "statuses, kinds and content that version 1 does not have are kept as they came",
      {
        sessionUpdate: "tool_call_update",
        toolCallId: "t",
        kind: "_dance",
        status: "paused",
        content: [{ type: "hologram", a: 1 }],
      },
      {
        type: "tool_call_update",
        toolCallId: "t",
        kind: "_dance",
        status: "paused",
        content: [{ type: "hologram", a: 1 }],
      },
    ],
    [
      "V1-UPD-20: a plan is the main plan",
      { sessionUpdate: "plan", entries: [{ content: "a", priority: "high", status: "pending" }, { content: 1 }] },
      {
        type: "plan_update",
        plan: { planId: "main", type: "items", entries: [{ content: "a", priority: "high", status: "pending" }] },
      },
    ],
    [
      "V1-UNST-09: a plan by its id",
      { sessionUpdate: "plan_update", plan: { type: "markdown", planId: "p", content: "# A" } },
      { type: "plan_update", plan: { type: "markdown", planId: "p", content: "# A" } },
    ],
    [
      "V1-UNST-09: and its removal",
      { sessionUpdate: "plan_removed", planId: "p" },
      { type: "plan_removed", planId: "p" },
    ],
    [
      "V1-SLASH-02: commands get their types",
      {
        sessionUpdate: "available_commands_update",
        availableCommands: [
          { name: "t", description: "T", input: { hint: "h" } },
          { name: "u", description: "U", input: { x: 1 } },
          {},
        ],
      },
      {
        type: "available_commands_update",
        availableCommands: [
          { type: "command", name: "t", description: "T", input: { type: "text", hint: "h" } },
          { type: "command", name: "u", description: "U" },
        ],
      },
    ],
    [
      "V1-CFG-02: options get their newer names, a mixture of values and groups is dropped",
      {
        sessionUpdate: "config_option_update",
        configOptions: [
          {
            id: "m",
            name: "M",
            type: "select",
            currentValue: "a",
            options: [{ group: "g", name: "G", options: [{ value: "a", name: "A" }] }],
          },
          { id: "b", name: "B", type: "boolean", currentValue: true, category: 4 },
          {
            id: "x",
            name: "X",
            type: "select",
            currentValue: "a",
            options: [
              { group: "g", name: "G", options: [] },
              { value: "a", name: "A" },
            ],
          },
        ],
      },
      {
        type: "config_option_update",
        configOptions: [
          {
            configId: "m",
            name: "M",
            type: "select",
            currentValue: "a",
            options: [{ groupId: "g", name: "G", options: [{ value: "a", name: "A" }] }],
          },
          { configId: "b", name: "B", type: "boolean", currentValue: true },
        ],
      },
    ],
    [
      "V1-UPD-24: the current mode",
      { sessionUpdate: "current_mode_update", currentModeId: "code" },
      { type: "current_mode_update", currentModeId: "code" },
    ],
    [
      "V1-UPD-26: null clears a title, a malformed date is left out",
      { sessionUpdate: "session_info_update", title: null, updatedAt: 5 },
      { type: "session_info_update", title: null },
    ],
    [
      "V1-UPD-31: a cost of null is no news",
      { sessionUpdate: "usage_update", used: 1, size: 0, cost: null },
      { type: "usage_update", used: 1, size: 0 },
    ],
    [
      "V1-UPD-38: null clears a summary",
      { sessionUpdate: "compaction_update", compactionId: "c", status: "_odd", summary: null },
      { type: "compaction_update", compactionId: "c", status: "_odd", summary: null },
    ],
    [
      "V1-UPD-39: a summary chunk",
      { sessionUpdate: "compaction_summary_chunk", compactionId: "c", content: text },
      { type: "compaction_summary_chunk", compactionId: "c", content: text },
    ],
    [
      "V1-UPD-33: a notice",
      { sessionUpdate: "notice", severity: "odd", title: "T", description: 1 },
      { type: "notice", severity: "odd", title: "T" },
    ],
  ];
  it.each(sound)("%s", (_, update, event) => {
    expect(decode(update)).toEqual([event]);
  });

  const unread: readonly (readonly [unknown, string | undefined])[] = [
    [null, "an update has to be an object"],
    [[], "an update has to be an object"],
    [{ sessionUpdate: "hologram" }, undefined],
    [{ sessionUpdate: "constructor" }, undefined],
    [{ sessionUpdate: "state_update", state: "idle" }, undefined],
    [{ sessionUpdate: "agent_message_chunk", content: { type: "text" } }, "content cannot be read"],
    [{ sessionUpdate: "tool_call", toolCallId: "t" }, "title cannot be read"],
    [{ sessionUpdate: "tool_call_update" }, "toolCallId cannot be read"],
    [{ sessionUpdate: "plan" }, "plan cannot be read"],
    [{ sessionUpdate: "usage_update", used: "1", size: 2 }, "used cannot be read"],
    [{ sessionUpdate: "usage_update", used: -1, size: 2 }, "used cannot be read"],
    [{ sessionUpdate: "usage_update", used: 1, size: 0.5 }, "size cannot be read"],
    [{ sessionUpdate: "notice", severity: "info", title: "" }, "title cannot be read"],
    [{ sessionUpdate: "current_mode_update", modeId: "x" }, "currentModeId cannot be read"],
  ];
  it.each(unread)("V1-LEN-10: %j is kept and delivered as unknown", (update, reason) => {
    const [event, ...others] = decode(update);
    expect(event).toEqual({ type: "unknown", raw: update, reason });
    expect(others).toEqual([]);
  });

  it("hands on the very blocks that came, with members nobody knows", () => {
    const content = { type: "text", text: "x", later: 1 };
    const [event] = decode({ sessionUpdate: "agent_message_chunk", content });
    expect((event as { content: object }).content).toBe(content);
  });

  it("V1-CONT-06: reads a malformed optional member of a block as absent", () => {
    const content = { type: "resource_link", uri: "file:///a", name: "a", title: 5, size: "big", annotations: [] };
    expect(decode({ sessionUpdate: "agent_message_chunk", content })).toEqual([
      { type: "agent_message_chunk", content: { type: "resource_link", uri: "file:///a", name: "a" } },
    ]);
  });

  it("never throws, and what it says can be folded", () => {
    const names = ["sessionUpdate", "content", "toolCallId", "title", "entries", "configOptions", "availableCommands"];
    const variants = [
      "agent_message_chunk",
      "tool_call",
      "tool_call_update",
      "plan",
      "config_option_update",
      "usage_update",
    ];
    const update = fc
      .tuple(fc.constantFrom(...variants), fc.dictionary(fc.constantFrom(...names), fc.jsonValue()))
      .map(([sessionUpdate, members]) => ({ ...members, sessionUpdate }));
    fc.assert(
      fc.property(fc.array(fc.oneof(update, fc.anything())), (updates) => {
        const state = reduceAll(createSessionState(), updates.flatMap(decode));
        expect(state.anomalies.map(({ what }) => what)).not.toContain("an event could not be folded");
      }),
      { numRuns: 500 },
    );
  });
});

describe("members that no version knows", () => {
  it("V1-LEN-08: come with the event, apart from what is known, whatever they are called", () => {
    const call = { sessionUpdate: "tool_call_update", toolCallId: "t", status: "completed", mood: "calm", x: [1] };
    expect(decode(call)).toEqual([
      { type: "tool_call_update", toolCallId: "t", status: "completed", extra: { mood: "calm", x: [1] } },
    ]);
    const chunk = JSON.parse(
      '{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"a"},"__proto__":{"a":1}}',
    );
    const [event] = decode(chunk);
    expect(Object.keys(event?.extra ?? {})).toEqual(["__proto__"]);
    expect(decode({ sessionUpdate: "plan", entries: [] })[0]).not.toHaveProperty("extra");
  });
});
