import { describe, expect, expectTypeOf, it } from "vitest";
import { type Case, expectOutcome, fine } from "../../test/outcome.js";
import { parse, type Unrecognized } from "../index.js";
import {
  configOptionUpdate,
  contentChunk,
  type InitializeRequest,
  initializeRequest,
  type PromptRequest,
  type PromptResponse,
  promptRequest,
  promptResponse,
  type SessionUpdate,
  sessionNotification,
  sessionUpdate,
} from "./index.js";

const notification = (update: object) => ({ sessionId: "s-1", update });

describe("session/update", () => {
  it("keeps an update of an unknown variant as it came", () => {
    const update = { sessionUpdate: "hologram_update", depth: 3, nested: { a: [1] } };
    const message = notification(update);
    const read = parse(sessionNotification, message);
    expect(read).toMatchObject({ unrecognized: [{ path: ["update", "sessionUpdate"] }] });
    expect("value" in read && read.value).toBe(message);
  });

  it("refuses a known variant with a bad body, with its place (V1-LEN-10)", () => {
    expect(parse(sessionNotification, notification({ sessionUpdate: "tool_call", toolCallId: 7 })).issues).toEqual([
      { path: ["update", "toolCallId"], message: "expected a string, got a number" },
      { path: ["update", "title"], message: "expected a string, got nothing" },
    ]);
    expect(parse(sessionNotification, notification({ sessionUpdate: "agent_message_chunk" })).issues).toHaveLength(1);
    expect(parse(sessionNotification, notification({})).issues).toHaveLength(1);
    expect(parse(sessionNotification, { update: {} }).issues).toHaveLength(2);
  });

  it.each([null, 5, {}])("reads a messageId of %j as none (V1-UPD-04)", (messageId) => {
    const chunk = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "a" }, messageId };
    const read = parse(sessionUpdate, chunk) as { value: { messageId?: unknown } };
    expect(read.value.messageId ?? null).toBeNull();
  });

  it("drops bad plan entries, also those with an unknown priority or status (V1-LEN-06)", () => {
    const good = { content: "a", priority: "high", status: "pending" };
    const entries = [good, { ...good, priority: "urgent" }, { ...good, status: "skipped" }, { ...good, content: 1 }];
    expect(parse(sessionUpdate, { sessionUpdate: "plan", entries })).toMatchObject({
      value: { entries: [good] },
      salvaged: [{ path: ["entries", 1] }, { path: ["entries", 2] }, { path: ["entries", 3] }],
    });
  });

  it.each([
    ["plan", "entries"],
    ["available_commands_update", "availableCommands"],
    ["config_option_update", "configOptions"],
  ])("%s: garbage for the list reads as an empty one, a missing key is an error (V1-LEN-04)", (variant, key) => {
    expect(parse(sessionUpdate, { sessionUpdate: variant, [key]: null })).toMatchObject({ value: { [key]: [] } });
    expect(parse(sessionUpdate, { sessionUpdate: variant, [key]: "x" })).toMatchObject({ value: { [key]: [] } });
    expect(parse(sessionUpdate, { sessionUpdate: variant }).issues).toHaveLength(1);
  });

  it("reads an unknown command input as no input (V1-SLASH-02)", () => {
    const command = { name: "a", description: "b", input: { fancy: true } };
    expect(
      parse(sessionUpdate, { sessionUpdate: "available_commands_update", availableCommands: [command] }),
    ).toMatchObject({ value: { availableCommands: [{ name: "a", description: "b" }] } });
  });

  it("tells null, absent and malformed apart where null clears (V1-UPD-26, V1-UPD-38)", () => {
    const read = (more: object) => parse(sessionUpdate, { sessionUpdate: "session_info_update", ...more });
    expect(read({ title: null })).toEqual({ value: { sessionUpdate: "session_info_update", title: null } });
    expect(read({})).toEqual({ value: { sessionUpdate: "session_info_update" } });
    expect(read({ title: 5 })).toMatchObject({ value: { sessionUpdate: "session_info_update" } });
    const compaction = { sessionUpdate: "compaction_update", compactionId: "c", status: "completed" };
    expect(parse(sessionUpdate, { ...compaction, summary: null, error: null })).toEqual({
      value: { ...compaction, summary: null, error: null },
    });
  });

  it("refuses usage without a size, and keeps it when only the cost is bad (V1-UPD-29)", () => {
    expect(parse(sessionUpdate, { sessionUpdate: "usage_update", used: 1 }).issues).toHaveLength(1);
    expect(parse(sessionUpdate, { sessionUpdate: "usage_update", used: -1, size: 0 }).issues).toHaveLength(1);
    expect(
      parse(sessionUpdate, { sessionUpdate: "usage_update", used: 1, size: 0, cost: { amount: "1" } }),
    ).toMatchObject({ value: { used: 1, size: 0 }, salvaged: [{ path: ["cost"] }] });
  });

  it("keeps an unknown severity and compaction status, and refuses a notice without a title (V1-LEN-07, V1-UPD-33)", () => {
    const notice = { sessionUpdate: "notice", severity: "fatal", title: "t" };
    expect(parse(sessionUpdate, notice)).toMatchObject({ value: notice, unrecognized: [{ path: ["severity"] }] });
    expect(parse(sessionUpdate, { ...notice, title: "" }).issues).toHaveLength(1);
    const compaction = { sessionUpdate: "compaction_update", compactionId: "c", status: "paused" };
    expect(parse(sessionUpdate, compaction)).toMatchObject({ value: compaction });
  });

  it("narrows by its tag, and what is unknown cannot be written", () => {
    const read = (update: SessionUpdate): string => {
      switch (update.sessionUpdate) {
        case "plan":
          return update.entries.map((entry) => entry.content).join();
        case "agent_message_chunk":
          return update.content.type === "text" ? update.content.text : update.content.type;
        default:
          return update.sessionUpdate as string;
      }
    };
    expect(read({ sessionUpdate: "plan", entries: [{ content: "a", priority: "low", status: "pending" }] })).toBe("a");
    expectTypeOf<Unrecognized>().toExtend<SessionUpdate["sessionUpdate"]>();
    // @ts-expect-error nobody can write an unknown variant
    const invented: SessionUpdate = { sessionUpdate: "_mine" };
    // @ts-expect-error nor a misspelt member
    const misspelt: SessionUpdate = { sessionUpdate: "tool_call", toolCallId: "t", title: "t", knid: "read" };
    // @ts-expect-error nor an unknown kind
    const kind: SessionUpdate = { sessionUpdate: "tool_call", toolCallId: "t", title: "t", kind: "dance" };
    expect([invented, misspelt, kind]).toHaveLength(3);
  });
});

describe("the shape of an update", () => {
  const text = { type: "text", text: "a" };
  const said = { sessionUpdate: "agent_message_chunk", content: text };
  const commands = { sessionUpdate: "available_commands_update", availableCommands: [{ name: "a", description: "A" }] };
  const option = { type: "boolean", id: "o", name: "O", currentValue: true };
  const options = { sessionUpdate: "config_option_update", configOptions: [option] };

  it.each<Case>([
    ["V1-UPD-01 members stand beside the variant", sessionNotification, notification(said), fine],
    ["V1-UPD-01 no session", sessionNotification, { update: said }, { refused: ["sessionId"] }],
    ["V1-UPD-01 no update", sessionNotification, { sessionId: "s" }, { refused: ["update"] }],
    [
      "V1-UPD-01 members that are nested by the variant's name",
      sessionNotification,
      notification({ agent_message_chunk: { content: text } }),
      { refused: ["update.sessionUpdate"] },
    ],
    [
      "V1-UPD-01 an update that is not nested at all",
      sessionNotification,
      { sessionId: "s", ...said },
      { refused: ["update"] },
    ],
    ["V1-UPD-03 a chunk without an id", contentChunk, { content: text }, fine],
    ["V1-UPD-03 a chunk with an id", contentChunk, { content: text, messageId: "m" }, fine],
    [
      "V1-UPD-03 a chunk with a bad id",
      contentChunk,
      { content: text, messageId: 5 },
      { salvaged: ["messageId"], as: { content: text } },
    ],
    ["V1-UPD-03 several blocks in one chunk", contentChunk, { content: [text] }, { refused: ["content"] }],
    ["V1-UPD-03 no block", contentChunk, { messageId: "m" }, { refused: ["content"] }],
    ["V1-UPD-23 commands", sessionUpdate, commands, fine],
    ["V1-UPD-23 no commands any more", sessionUpdate, { ...commands, availableCommands: [] }, fine],
    [
      "V1-UPD-23 a bad command among others",
      sessionUpdate,
      { ...commands, availableCommands: [{ name: "b" }, ...commands.availableCommands] },
      { salvaged: ["availableCommands.0"], as: commands },
    ],
    ["V1-UPD-25 options", sessionUpdate, options, fine],
    [
      "V1-UPD-25 a bad option among others",
      sessionUpdate,
      { ...options, configOptions: [option, { ...option, currentValue: 1 }] },
      { salvaged: ["configOptions.1"], as: options },
    ],
    ["V1-UPD-25 one option and not the list", configOptionUpdate, option, { refused: ["configOptions"] }],
  ])("%s", (_, schema, value, outcome) => expectOutcome(schema, value, outcome));

  it.each(["user_message_chunk", "agent_message_chunk", "agent_thought_chunk"])(
    "%s takes one block and an id (V1-UPD-03)",
    (name) => {
      expectOutcome(sessionUpdate, { sessionUpdate: name, content: text, messageId: "m" }, fine);
      expectOutcome(sessionUpdate, { sessionUpdate: name, content: [text] }, { refused: ["content"] });
    },
  );
});

it("no message has room for members of one's own but in `_meta` (V1-EXT-02)", () => {
  const _meta = { "acme.test/colour": "red" };
  const text = { type: "text", text: "a" } as const;
  const said: SessionUpdate = { sessionUpdate: "agent_message_chunk", content: { ...text, _meta }, _meta };
  expectOutcome(sessionUpdate, said, fine);
  const block: SessionUpdate = {
    sessionUpdate: "agent_message_chunk",
    // @ts-expect-error a block
    content: { type: "text", text: "a", colour: 1 },
  };
  // @ts-expect-error an update
  const update: SessionUpdate = { sessionUpdate: "plan", entries: [], colour: 1 };
  // @ts-expect-error a request
  const request: PromptRequest = { sessionId: "s", prompt: [], colour: 1 };
  // @ts-expect-error a result
  const result: PromptResponse = { stopReason: "end_turn", colour: 1 };
  // @ts-expect-error capabilities
  const hello: InitializeRequest = { protocolVersion: 1, clientCapabilities: { colour: 1 } };
  // What others send nonetheless is not lost on the way.
  for (const [schema, value] of [
    [sessionUpdate, block],
    [sessionUpdate, update],
    [promptRequest, request],
    [promptResponse, result],
    [initializeRequest, hello],
  ] as const) {
    expectOutcome(schema, value, fine);
  }
});
