import { sessionUpdate } from "@turnkit/schema/v1";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { soundEvent } from "../../../test/arbitrary-event.js";
import { sentFor } from "../../../test/sent.js";
import type { ClientCapabilities } from "../../call.js";
import { createSessionState } from "../../create-session-state.js";
import type { SessionEvent } from "../../event.js";
import { reduceAll } from "../../reduce.js";
import type { SessionState } from "../../state.js";
import { v1Codec } from "../dialects.js";
import { losses } from "../losses.js";

const peer: ClientCapabilities = {
  files: { read: false, write: false },
  terminals: false,
  terminalLogin: false,
  elicitation: { form: false, url: false },
  notices: true,
  compaction: true,
  booleanOptions: true,
  subagents: false,
  plans: false,
};

/** Returns the updates that a version 1 client receives for the events, and the losses. */
function send(events: readonly SessionEvent[], capabilities: Partial<ClientCapabilities> = {}) {
  const { lost, ...received } = sentFor(v1Codec, events, { ...peer, ...capabilities });
  return { ...received, lost: lost.map(({ id }) => id) };
}

const text = (said: string) => ({ type: "text", text: said }) as const;
const item = (said: string) => ({ type: "content", content: text(said) }) as const;
const agent = (...said: readonly string[]): SessionEvent => ({
  type: "agent_message",
  messageId: "m",
  content: said.map(text),
});
const chunk = (said: string): SessionEvent => ({ type: "agent_message_chunk", messageId: "m", content: text(said) });
const tool = (members: object): SessionEvent => ({ type: "tool_call_update", toolCallId: "t", ...members });
const option = { configId: "o", name: "O", type: "boolean", currentValue: true } as const;
const mode = {
  configId: "mode",
  name: "Mode",
  category: "mode",
  type: "select",
  currentValue: "ask",
  options: [{ groupId: "g", name: "G", options: [{ value: "ask", name: "Ask" }] }],
} as const;

describe("writing version 1 updates", () => {
  it("a whole message is one chunk for each block, and an extension only what is new", () => {
    expect(send([agent("a", "b"), agent("a", "b", "c")])).toMatchObject({
      sent: ["a", "b", "c"].map((said) => ({
        sessionUpdate: "agent_message_chunk",
        messageId: "m",
        content: text(said),
      })),
      lost: [],
    });
  });

  it("V2-BRG-01: a rewritten message goes on under a new id", () => {
    const { sent, lost } = send([chunk("a"), agent("b"), chunk("c")]);
    expect(sent).toMatchObject([
      { messageId: "m", content: text("a") },
      { messageId: "m~", content: text("b"), _meta: { "turnkit.supersedes": "m" } },
      { messageId: "m~", content: text("c") },
    ]);
    expect(lost).toEqual(["message-rewrite"]);
  });

  it("V1-UPD-10: the first sight of a tool call is a tool_call with a title, later ones say what changed", () => {
    const { sent } = send([
      tool({ name: "run", kind: "execute" }),
      tool({ status: "in_progress", kind: "execute" }),
      tool({ content: [] }),
      { type: "tool_call_content_chunk", toolCallId: "t", content: item("a") },
      { type: "tool_call_content_chunk", toolCallId: "t", content: item("b") },
      tool({ status: "completed", locations: [{ path: "/a" }] }),
    ]);
    expect(sent).toEqual([
      { sessionUpdate: "tool_call", toolCallId: "t", title: "run", name: "run", kind: "execute", status: "pending" },
      { sessionUpdate: "tool_call_update", toolCallId: "t", status: "in_progress" },
      { sessionUpdate: "tool_call_update", toolCallId: "t", content: [item("a")] },
      { sessionUpdate: "tool_call_update", toolCallId: "t", content: [item("a"), item("b")] },
      { sessionUpdate: "tool_call_update", toolCallId: "t", status: "completed", locations: [{ path: "/a" }] },
    ]);
  });

  it("V1-TOOL-03: statuses that version 1 lacks get the nearest one", () => {
    const { sent, lost } = send([tool({ title: "T", status: "paused" }), tool({ status: "cancelled" })]);
    expect(sent).toMatchObject([
      { status: "in_progress", _meta: { "turnkit.status": "paused" } },
      { status: "failed", _meta: { "turnkit.status": "cancelled" } },
    ]);
    expect(lost).toEqual(["tool-call-status", "tool-call-status"]);
  });

  it("V2-BRG-02: what is cleared stays with the client", () => {
    const { sent, lost } = send([tool({ title: "T", rawInput: 1 }), tool({ rawInput: null })]);
    expect([sent.length, lost]).toEqual([1, ["tool-call-clear"]]);
  });

  it("V2-BRG-05: changes that are no texts are told in words", () => {
    const changes = [
      { operation: "modify", path: "/a", oldText: "o", newText: "n" },
      { operation: "delete", path: "/b", oldText: "o" },
      { operation: "move", path: "/d", oldPath: "/c" },
    ];
    const { sent, lost } = send([tool({ title: "T", content: [{ type: "diff", changes }] })]);
    expect(sent).toMatchObject([
      {
        content: [
          { type: "diff", path: "/a", oldText: "o", newText: "n" },
          { type: "diff", path: "/b", oldText: "o", newText: "" },
          item("move /c → /d"),
        ],
      },
    ]);
    expect(lost).toEqual(["diff"]);
  });

  it("V2-BRG-05: what a change says beside its texts is a loss", () => {
    const change = { operation: "modify", path: "/a", oldText: "o", newText: "n" };
    const lostOf = (more: object) =>
      send([tool({ title: "T", content: [{ type: "diff", changes: [{ ...change, ...more }] }] })]).lost;
    expect(lostOf({})).toEqual([]);
    expect(lostOf({ fileType: "symlink" })).toEqual(["diff"]);
  });

  it("V2-BRG-04: a terminal of the agent is not passed off as one of the client", () => {
    const own: SessionEvent = { type: "terminal_update", terminalId: "own" };
    const content = [
      { type: "terminal", terminalId: "own" },
      { type: "terminal", terminalId: "client" },
    ];
    const { sent, lost } = send([own, tool({ title: "T", content })]);
    expect(sent).toMatchObject([{ content: [{ type: "terminal", terminalId: "client" }] }]);
    expect(lost).toEqual(["terminal", "terminal"]);
  });

  it("V2-BRG-04: a terminal of the agent is text in the tool call that shows it, to its end", () => {
    const output = (said: string): SessionEvent => ({
      type: "terminal_output_chunk",
      terminalId: "own",
      data: Buffer.from(said).toString("base64"),
    });
    const { sent } = send([
      { type: "terminal_update", terminalId: "own", command: "make" },
      tool({ title: "T", content: [item("before"), { type: "terminal", terminalId: "own" }] }),
      output("\u001b[31mone\n"),
      output("two\n"),
      tool({ status: "in_progress" }),
      { type: "terminal_update", terminalId: "own", exitStatus: { signal: "SIGKILL" } },
      tool({ status: "failed" }),
    ]);
    const shown = (said: string) => [item("before"), item(said)];
    expect(sent).toMatchObject([
      { sessionUpdate: "tool_call", content: shown("$ make") },
      { sessionUpdate: "tool_call_update", content: shown("$ make\none\n") },
      { sessionUpdate: "tool_call_update", status: "in_progress", content: shown("$ make\none\ntwo\n") },
      { sessionUpdate: "tool_call_update", content: shown("$ make\none\ntwo\n[ended by SIGKILL]") },
      { sessionUpdate: "tool_call_update", status: "failed" },
    ]);
    expect(sent.at(-1)).not.toHaveProperty("content");
  });

  it("V2-BRG-04: output that takes the place of more than it is is sent again", () => {
    const output = (said: string): SessionEvent => ({
      type: "terminal_update",
      terminalId: "own",
      output: { data: Buffer.from(said).toString("base64") },
    });
    const shows = tool({ title: "T", content: [{ type: "terminal", terminalId: "own" }] });
    const { sent } = send([output("much more than that"), shows, output("less")]);
    expect(sent.at(-1)).toMatchObject({ sessionUpdate: "tool_call_update", content: [item("less")] });
  });

  it("V2-BRG-06: a plan as a file or Markdown is agent text, and its items go", () => {
    const plan = (members: object) => ({ type: "plan_update", plan: { planId: "p", ...members } }) as SessionEvent;
    const entries = [{ content: "a", priority: "low", status: "pending" }];
    const { sent, lost } = send([
      plan({ type: "items", entries }),
      plan({ type: "markdown", content: "# A" }),
      plan({ type: "markdown", content: "# A" }),
      plan({ type: "markdown", content: "# A\n# B" }),
      plan({ type: "file", uri: "file:///p.md" }),
    ]);
    expect(sent).toMatchObject([
      { sessionUpdate: "plan", entries },
      { sessionUpdate: "agent_message_chunk", messageId: "plan:p", content: text("# A") },
      { sessionUpdate: "plan", entries: [] },
      { sessionUpdate: "agent_message_chunk", messageId: "plan:p", content: text("\n# B") },
      { sessionUpdate: "agent_message_chunk", messageId: "plan:p~", content: text("Plan: file:///p.md") },
    ]);
    expect(new Set(lost)).toEqual(new Set(["plan"]));
  });

  it("V1-UPD-20: all plans of items are one plan", () => {
    const plan = (planId: string, status: string): SessionEvent =>
      ({
        type: "plan_update",
        plan: { planId, type: "items", entries: [{ content: planId, priority: "_x", status }] },
      }) as unknown as SessionEvent;
    const { sent, lost } = send([
      plan("main", "pending"),
      plan("b", "cancelled"),
      { type: "plan_removed", planId: "main" },
    ]);
    expect(sent).toEqual([
      { sessionUpdate: "plan", entries: [{ content: "main", priority: "medium", status: "pending" }] },
      { sessionUpdate: "plan", entries: [{ content: "main", priority: "medium", status: "pending" }] },
      { sessionUpdate: "plan", entries: [] },
    ]);
    expect(new Set(lost)).toEqual(new Set(["plan", "plan-entry"]));
  });

  it("V1-CFG-04: a boolean option is a select for a client that does not know such options", () => {
    const event: SessionEvent = { type: "config_option_update", configOptions: [option] };
    expect(send([event]).sent).toEqual([
      {
        sessionUpdate: "config_option_update",
        configOptions: [{ id: "o", name: "O", type: "boolean", currentValue: true }],
      },
    ]);
    const { sent, lost } = send([event], { booleanOptions: false });
    expect(sent).toMatchObject([{ configOptions: [{ id: "o", type: "select", currentValue: "on" }] }]);
    expect(lost).toEqual(["boolean-option"]);
  });

  it("V1-MODE-07: a mode that changes is told both ways", () => {
    const both = [
      { sessionUpdate: "config_option_update" },
      { sessionUpdate: "current_mode_update", currentModeId: "ask" },
    ];
    expect(send([{ type: "config_option_update", configOptions: [mode] }]).sent).toMatchObject(both);
    const again = { ...mode, currentValue: "ask", name: "Modes" } as const;
    expect(
      send([
        { type: "config_option_update", configOptions: [mode] },
        { type: "config_option_update", configOptions: [again] },
        { type: "config_option_update", configOptions: [] },
      ]).sent.slice(2),
    ).toEqual([expect.objectContaining(both[0]), { sessionUpdate: "config_option_update", configOptions: [] }]);
  });

  it("V1-UPD-33, V1-UPD-36: notices and compactions go only to a client that takes them", () => {
    const events: readonly SessionEvent[] = [
      { type: "notice", severity: "info", title: "N" },
      { type: "compaction_update", compactionId: "c", status: "completed", summary: [text("s")] },
    ];
    expect(send(events).sent).toEqual([
      { sessionUpdate: "notice", severity: "info", title: "N" },
      { sessionUpdate: "compaction_update", compactionId: "c", status: "completed", summary: [text("s")] },
    ]);
    expect(send(events, { notices: false, compaction: false })).toMatchObject({
      sent: [],
      lost: ["notice", "compaction"],
    });
  });

  it("V2-BRG-03: states are not sent, and only what the client cannot conclude is a loss", () => {
    const states: readonly SessionEvent[] = [
      { type: "state_update", state: "running" },
      { type: "state_update", state: "requires_action" },
      { type: "state_update", state: "idle", stopReason: "end_turn" },
    ];
    expect(send(states)).toMatchObject({ sent: [], lost: ["state"] });
  });

  it("an update that nobody here knows is passed on as it came", () => {
    const raw = { sessionUpdate: "hologram", beam: 1 };
    expect(send([{ type: "unknown", raw }]).sent).toEqual([raw]);
    expect(send([{ type: "unknown", raw: 5 }])).toMatchObject({ sent: [], lost: ["unknown"] });
  });
});

describe("version 1 there and back", () => {
  const local = /^(elicitation|prompt|turn|cancel|permission|config_option_set|replay|session_opened|session_closed)/;
  const wire = soundEvent.filter((event) => !local.test(event.type));

  it("V1-LEN-09: what is sent is valid without any leniency", () => {
    fc.assert(
      fc.property(fc.array(wire, { maxLength: 20 }), (events) => {
        for (const update of send(events).sent) {
          if (!("sessionUpdate" in update) || decodesToUnknown(update)) continue;
          const read = sessionUpdate["~standard"].validate(update);
          expect([read.issues, "salvaged" in read ? read.salvaged : undefined, update]).toEqual([
            undefined,
            undefined,
            update,
          ]);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("every loss that is reported has a row", () => {
    const ids = new Set(losses.filter(({ to }) => to === "v1").map(({ id }) => id));
    fc.assert(
      fc.property(fc.array(wire, { maxLength: 20 }), (events) => {
        for (const id of send(events, { notices: false, compaction: false }).lost) expect(ids).toContain(id);
      }),
    );
  });

  it("comes to the same state on the other side unless a loss was reported", () => {
    let lossless = 0;
    fc.assert(
      fc.property(fc.array(wire, { maxLength: 12 }), (events) => {
        const { sent, lost, state } = send(events);
        if (lost.length > 0) return;
        lossless++;
        expect(picture(reduceAll(createSessionState(), sent.flatMap(v1Codec.decode)))).toEqual(picture(state));
      }),
      { numRuns: 3000 },
    );
    expect(lossless).toBeGreaterThan(300);
  });
});

const decodesToUnknown = (update: object): boolean => v1Codec.decode(update)[0]?.type === "unknown";

/** Returns the visible part of a state. */
function picture(state: SessionState): unknown {
  const { timeline, plans, usage, title, updatedAt, availableCommands, configOptions } = state;
  const entries = timeline.toArray().map((entry) => ({
    ...entry,
    content: "content" in entry ? entry.content.toArray() : undefined,
  }));
  return { entries, plans: plans.toArray(), usage, title, updatedAt, availableCommands, configOptions };
}
