import type { LocalEvent } from "../src/event.js";

/** An update as version 1 sends it, or something that this side did. */
export type Told = { readonly sessionUpdate: string } | LocalEvent;

/** One rule about where a message of version 1 begins and ends, with what shows it. */
export type Boundary = {
  readonly cites: string;
  /** The two halves of the rule, as the reference page has them. */
  readonly when: string;
  readonly means: string;
  /** Events in order, one list for each way to produce the boundary. */
  readonly received: readonly (readonly Told[])[];
  /** The timeline after each of them. */
  readonly drawn: string;
};

const update = (sessionUpdate: string, members: object): Told => ({ sessionUpdate, ...members });
const text = (said: string): object => ({ type: "text", text: said });
const chunk = (sessionUpdate: string, said: string, messageId: string | undefined): Told =>
  update(sessionUpdate, messageId === undefined ? { content: text(said) } : { messageId, content: text(said) });
const agent = (said: string, messageId?: string): Told => chunk("agent_message_chunk", said, messageId);
const thought = (said: string, messageId?: string): Told => chunk("agent_thought_chunk", said, messageId);
const user = (said: string, messageId?: string): Told => chunk("user_message_chunk", said, messageId);
const call: Told = update("tool_call", { toolCallId: "t", title: "Run" });
const done: Told = update("tool_call_update", { toolCallId: "t", status: "completed" });
const plan = (content: string): Told =>
  update("plan", { entries: [{ content, priority: "high", status: "in_progress" }] });
const sent: Told = { type: "prompt_sent", promptId: "p", content: [{ type: "text", text: "q?" }] };
const started: Told = { type: "turn_started", promptId: "p" };
const ended: Told = { type: "turn_ended", promptId: "p", stopReason: "end_turn" };
const asked: Told = {
  type: "permission_asked",
  requestId: "r",
  title: "May I?",
  subject: { type: "tool_call", toolCall: { toolCallId: "t" } },
  options: [],
};

/** Boundaries of version 1 messages. */
export const boundaries: readonly Boundary[] = [
  {
    cites: "V1-UPD-07",
    when: "chunks without an id, same role, one after the other",
    means: "one message",
    received: [[agent("a"), agent("b")]],
    drawn: "agent:ab",
  },
  {
    cites: "V1-UPD-07",
    when: "the role changes",
    means: "another message, even if the earlier role returns",
    received: [[agent("a"), thought("b"), agent("c")]],
    drawn: "agent:a | thought:b | agent:c",
  },
  {
    cites: "V1-UPD-07",
    when: "a tool call appears",
    means: "the previous message is complete",
    received: [
      [agent("a"), call, agent("b")],
      [agent("a"), update("tool_call_update", { toolCallId: "t", title: "Run" }), agent("b")],
      [agent("a"), asked, agent("b")],
    ],
    drawn: "agent:a | tool_call | agent:b",
  },
  {
    cites: "V1-UPD-07",
    when: "a compaction appears",
    means: "the previous message is complete",
    received: [
      [agent("a"), update("compaction_update", { compactionId: "c", status: "in_progress" }), agent("b")],
      [agent("a"), update("compaction_summary_chunk", { compactionId: "c", content: text("s") }), agent("b")],
    ],
    drawn: "agent:a | compaction | agent:b",
  },
  {
    cites: "V1-UPD-07",
    when: "a known tool call changes, is announced again, or needs permission",
    means: "the message continues",
    received: [
      [call, agent("a"), done, agent("b")],
      [call, agent("a"), call, agent("b")],
      [call, agent("a"), asked, agent("b")],
      [call, agent("a"), update("tool_call_update", { toolCallId: "t", _meta: { x: 1 } }), agent("b")],
    ],
    drawn: "tool_call | agent:ab",
  },
  {
    cites: "4.3",
    when: "the first plan appears",
    means: "the previous message is complete",
    received: [[agent("a"), plan("x"), agent("b")]],
    drawn: "agent:a | agent:b",
  },
  {
    cites: "4.3",
    when: "the plan changes",
    means: "the message continues",
    received: [[plan("x"), agent("a"), plan("y"), agent("b")]],
    drawn: "agent:ab",
  },
  {
    cites: "V1-UPD-07",
    when: "title, usage, mode, options or commands change",
    means: "the message continues",
    received: [
      update("session_info_update", { title: "T" }),
      update("usage_update", { used: 1, size: 2 }),
      update("current_mode_update", { currentModeId: "m" }),
      update("config_option_update", { configOptions: [] }),
      update("available_commands_update", { availableCommands: [] }),
    ].map((status) => [agent("a"), status, agent("b")]),
    drawn: "agent:ab",
  },
  {
    cites: "V1-UPD-35",
    when: "a notice comes in between",
    means: "the message continues; the notice stands after it",
    received: [[agent("a"), update("notice", { severity: "info", title: "N" }), agent("b")]],
    drawn: "agent:ab | notice",
  },
  {
    cites: "V1-LEN-10",
    when: "an unreadable update comes in between",
    means: "the message continues; an `unknown` entry stands after it",
    received: [
      [agent("a"), update("hologram", { beam: 1 }), agent("b")],
      [agent("a"), update("tool_call", { title: "no id" }), agent("b")],
    ],
    drawn: "agent:ab | unknown",
  },
  {
    cites: "V1-UPD-05",
    when: "chunks with the same id",
    means: "one message",
    received: [[agent("a", "m"), agent("b", "m")]],
    drawn: "agent:ab",
  },
  {
    cites: "V1-UPD-05",
    when: "the id changes in the middle of an answer",
    means: "another message",
    received: [
      [agent("a", "m"), agent("b", "n")],
      [agent("a", "1"), agent("b", "01")],
      [agent("a", "M"), agent("b", "m")],
    ],
    drawn: "agent:a | agent:b",
  },
  {
    cites: "V1-UPD-06",
    when: "a chunk has the id of an earlier message",
    means: "the chunk is added to this message, which keeps its place",
    received: [[agent("a", "m"), call, agent("b", "m")]],
    drawn: "agent:ab | tool_call",
  },
  {
    cites: "V1-UPD-06",
    when: "chunks of two ids alternate",
    means: "two messages; each keeps its place",
    received: [[agent("a", "m"), agent("b", "n"), agent("c", "m"), agent("d", "n")]],
    drawn: "agent:ac | agent:bd",
  },
  {
    cites: "V1-UPD-06",
    when: "two roles use the same id",
    means: "two messages",
    received: [[agent("a", "m"), user("b", "m"), agent("c", "m"), user("d", "m")]],
    drawn: "agent:ac | user:bd",
  },
  {
    cites: "V1-UPD-07",
    when: "a chunk without an id follows a message with an id",
    means: "another message",
    received: [[agent("a", "m"), agent("b"), agent("c")]],
    drawn: "agent:a | agent:bc",
  },
  {
    cites: "V1-UPD-05",
    when: "a chunk with a new id follows a message without an id",
    means: "another message",
    received: [[agent("a"), agent("b", "m"), agent("c", "m")]],
    drawn: "agent:a | agent:bc",
  },
  {
    cites: "V1-UPD-07",
    when: "a chunk for an earlier message between chunks without an id",
    means: "each chunk is added to its own message",
    received: [[agent("a", "m"), agent("b"), agent("c", "m"), agent("d")]],
    drawn: "agent:ac | agent:bd",
  },
  {
    cites: "V1-UPD-04",
    when: "an id is `null` or malformed",
    means: "the chunk counts as a chunk without an id",
    received: [null, 7, {}, []].map((messageId) => [agent("a"), agent("b", messageId as never)]),
    drawn: "agent:ab",
  },
  {
    cites: "V1-UPD-05",
    when: "an id has the form of turnkit's own keys",
    means: "the id counts like any other id",
    received: [[agent("a"), agent("b", "#1"), agent("c")]],
    drawn: "agent:a | agent:b | agent:c",
  },
  {
    cites: "V1-UPD-08",
    when: "a turn begins or ends",
    means: "messages without an id are complete",
    received: [
      [agent("a"), ended, agent("b")],
      [agent("a"), started, agent("b")],
    ],
    drawn: "agent:a | agent:b",
  },
  {
    cites: "V1-UPD-06",
    when: "a late chunk has the id of a message of an earlier turn",
    means: "the chunk is added to that message",
    received: [[agent("a", "m"), ended, agent("b", "m")]],
    drawn: "agent:ab",
  },
  {
    cites: "V1-UPD-08",
    when: "this side sends a prompt",
    means: "messages without an id are complete",
    received: [[agent("a"), sent, agent("b")]],
    drawn: "agent:a | user:q? | agent:b",
  },
  {
    cites: "V1-PROMPT-16",
    when: "the agent echoes the prompt, without or with an id, in one or more chunks",
    means: "the prompt is shown once, with the agent's text",
    received: [
      [sent, started, user("Query")],
      [sent, started, user("Query", "m")],
      [sent, started, user("Qu"), user("ery")],
      [sent, started, user("Qu", "m"), user("ery", "m")],
    ],
    drawn: "user:Query",
  },
  {
    cites: "V1-PROMPT-16",
    when: "the echo arrives after the answer began",
    means: "the prompt keeps its place; the answer continues after it",
    received: [
      [sent, started, agent("a", "n"), user("Q"), agent("b", "n")],
      [sent, started, agent("a", "n"), user("Q", "m"), agent("b", "n")],
    ],
    drawn: "user:Q | agent:ab",
  },
  {
    cites: "V1-UPD-07",
    when: "an echo without an id arrives between chunks of an answer that has no id",
    means: "the answer continues as another message",
    received: [[sent, started, agent("a"), user("Q"), agent("b")]],
    drawn: "user:Q | agent:a | agent:b",
  },
  {
    cites: "V1-PROMPT-16",
    when: "no echo arrived before the end of the turn",
    means: "the prompt stays as it was sent; a later user message is another message",
    received: [[sent, started, ended, user("x")]],
    drawn: "user:q? | user:x",
  },
  {
    cites: "V1-UPD-07",
    when: "a second user message without an id in one turn",
    means: "another message",
    received: [[sent, started, user("Q"), agent("a"), user("x")]],
    drawn: "user:Q | agent:a | user:x",
  },
  {
    cites: "V1-SESS-20",
    when: "a replay begins",
    means: "the timeline becomes empty; user messages are not treated as echoes",
    received: [[sent, agent("a"), { type: "replay_started" }, user("old"), agent("b"), user("x"), agent("c")]],
    drawn: "user:old | agent:b | user:x | agent:c",
  },
  {
    cites: "V1-UPD-08",
    when: "a replay ends",
    means: "messages without an id are complete",
    received: [[{ type: "replay_started" }, agent("a"), { type: "replay_ended" }, agent("b")]],
    drawn: "agent:a | agent:b",
  },
];
