import { describe, expect, it } from "vitest";
import { sentFor } from "../../../test/sent.js";
import type { SessionEvent } from "../../event.js";
import { seedCodec } from "../dialects.js";

function send(...events: readonly SessionEvent[]) {
  const { sent, lost } = sentFor(seedCodec, events);
  return { sent, lost: lost.map(({ id, entity }) => (entity === undefined ? [id] : [id, entity])) };
}

const text = (said: string) => ({ type: "text", text: said }) as const;
const item = (said: string) => ({ type: "content", content: text(said) }) as const;
const tool = (members: object): SessionEvent => ({ type: "tool_call_update", toolCallId: "t", ...members });

describe("writing seed updates", () => {
  it("V2-SEED-23: tool calls, with any status and with null", () => {
    const { sent, lost } = send(
      tool({ name: "run", status: "paused", title: null }),
      tool({ capabilities: { cancel: {} } }),
    );
    expect(sent).toEqual([
      { sessionUpdate: "tool_call_update", toolCallId: "t", name: "run", status: "paused", title: null },
      { sessionUpdate: "tool_call_update", toolCallId: "t" },
    ]);
    expect(lost).toEqual([["tool-call-cancel", "t"]]);
  });

  it("V2-EXT-01: a member that no version has stays here", () => {
    const update = { sessionUpdate: "tool_call_update", toolCallId: "t", title: "T" };
    expect(send(...seedCodec.decode({ ...update, future: 1 })).sent).toEqual([update]);
  });

  it("V2-SEED-23: a diff is two texts for each file, anything else is told in words", () => {
    const changes = [
      { operation: "modify", path: "/a", oldText: "o", newText: "n" },
      { operation: "move", path: "/d", oldPath: "/c" },
    ] as const;
    const one = { type: "diff", path: "/a", oldText: "o", newText: "n" };
    const { sent, lost } = send(
      { type: "tool_call_content_chunk", toolCallId: "t", content: { type: "diff", changes: [changes[0]] } },
      { type: "tool_call_content_chunk", toolCallId: "t", content: { type: "diff", changes } },
    );
    expect(sent).toEqual([
      { sessionUpdate: "tool_call_content_chunk", toolCallId: "t", content: one },
      { sessionUpdate: "tool_call_update", toolCallId: "t", content: [one, one, item("move /c → /d")] },
    ]);
    expect(new Set(lost.map(([id]) => id))).toEqual(new Set(["diff"]));
  });

  it("V2-SEED-23: a terminal is text that is sent again when enough is new, and when it ends", () => {
    const chunk = (said: string): SessionEvent => ({
      type: "terminal_output_chunk",
      terminalId: "r",
      data: Buffer.from(said).toString("base64"),
    });
    const { sent } = send(
      tool({ content: [{ type: "terminal", terminalId: "r" }] }),
      { type: "terminal_update", terminalId: "r", command: "make" },
      chunk("a\n"),
      chunk("b\n"),
      chunk(`${"c".repeat(300)}\n`),
      chunk("d\n"),
      { type: "terminal_update", terminalId: "r", exitStatus: { exitCode: 0 } },
      chunk("late\n"),
      { type: "state_update", state: "idle" },
    );
    const shown = sent.map((update) => (update as { content: { content: { text: string } }[] }).content);
    expect(shown.map((items) => items.map(({ content }) => content.text.replace(/c+/, "c")))).toEqual([
      [],
      ["$ make"],
      ["$ make\na\n"],
      ["$ make\na\nb\nc\n"],
      ["$ make\na\nb\nc\nd\n[exit code 0]"],
      ["$ make\na\nb\nc\nd\nlate\n[exit code 0]"],
    ]);
  });

  it("V2-SEED-23: much output costs a few times its size, not its square", () => {
    const line = `${"x".repeat(99)}\n`;
    const data = Buffer.from(line).toString("base64");
    const chunks = Array.from(
      { length: 5000 },
      (): SessionEvent => ({ type: "terminal_output_chunk", terminalId: "r", data }),
    );
    const { sent } = send(tool({ content: [{ type: "terminal", terminalId: "r" }] }), ...chunks);
    expect(JSON.stringify(sent).length).toBeLessThan(6 * 5000 * line.length);
  });

  it("V2-SEED-23: plans by their older id; one that goes is emptied, prose is said", () => {
    const entries = [{ content: "a", priority: "low", status: "cancelled" }] as const;
    const { sent, lost } = send(
      { type: "plan_update", plan: { planId: "p", type: "items", entries } },
      { type: "plan_removed", planId: "p" },
      { type: "plan_update", plan: { planId: "q", type: "markdown", content: "# A" } },
      { type: "plan_update", plan: { planId: "q", type: "markdown", content: "# A\nb" } },
      { type: "plan_update", plan: { planId: "q", type: "file", uri: "file:///p" } },
    );
    const said = (messageId: string, words: string) => ({
      sessionUpdate: "agent_message_chunk",
      messageId,
      content: text(words),
    });
    expect(sent).toEqual([
      { sessionUpdate: "plan_update", plan: { id: "p", type: "items", entries } },
      { sessionUpdate: "plan_update", plan: { id: "p", type: "items", entries: [] } },
      said("plan:q", "# A"),
      said("plan:q", "\nb"),
      { ...said("plan:q~", "Plan: file:///p"), _meta: { "turnkit.supersedes": "plan:q" } },
    ]);
    expect(lost.map(([, entity]) => entity)).toEqual(["p", "q", "q", "q"]);
  });

  it("V2-SEED-23: options and commands by their older shapes", () => {
    const { sent, lost } = send(
      {
        type: "config_option_update",
        configOptions: [
          { configId: "b", name: "B", type: "boolean", currentValue: false },
          {
            configId: "m",
            name: "M",
            type: "select",
            currentValue: "x",
            setBy: "session/set_mode",
            options: [{ groupId: "g", name: "G", options: [{ value: "x", name: "X" }] }],
          },
        ],
      },
      {
        type: "available_commands_update",
        availableCommands: [{ type: "command", name: "go", description: "Go", input: { type: "text", hint: "h" } }],
      },
    );
    expect(sent).toEqual([
      {
        sessionUpdate: "config_option_update",
        configOptions: [
          {
            id: "b",
            name: "B",
            type: "select",
            currentValue: "off",
            options: [
              { value: "on", name: "On" },
              { value: "off", name: "Off" },
            ],
          },
          {
            id: "m",
            name: "M",
            type: "select",
            currentValue: "x",
            options: [{ group: "g", name: "G", options: [{ value: "x", name: "X" }] }],
          },
        ],
      },
      {
        sessionUpdate: "available_commands_update",
        availableCommands: [{ name: "go", description: "Go", input: { hint: "h" } }],
      },
    ]);
    expect(lost).toEqual([["boolean-option", "b"]]);
  });

  it("3.1: metadata is sent whole, since it replaces there", () => {
    const { sent } = send(
      { type: "agent_message", messageId: "m", _meta: { a: 1, b: 2 } },
      { type: "agent_message", messageId: "m", _meta: { a: null, c: 3 } },
      { type: "agent_message", messageId: "m", _meta: null },
      tool({ _meta: { a: 1 } }),
      tool({ _meta: { b: 2 } }),
    );
    expect(sent).toMatchObject([
      { _meta: { a: 1, b: 2 } },
      { _meta: { a: null, b: 2, c: 3 } },
      { _meta: null },
      { _meta: { a: 1 } },
      { _meta: { a: 1, b: 2 } },
    ]);
  });

  it("V2-SEED-21: leaves out what a seed client does not know, and says so", () => {
    const { sent, lost } = send(
      { type: "state_update", state: "running" },
      { type: "state_update", state: "requires_action" },
      { type: "notice", severity: "info", title: "N" },
      { type: "compaction_update", compactionId: "c", status: "completed" },
      { type: "subagent_update", sessionId: "s" },
      { type: "session_message", messageId: "m" },
    );
    expect(sent).toEqual([]);
    expect(lost).toEqual([["state"], ["notice", "N"], ["compaction", "c"], ["subagent", "s"], ["subagent", "m"]]);
  });
});
