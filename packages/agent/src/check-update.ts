import type { ContentBlock, ToolCallContent, WireEvent } from "@turnkit/session";
import { checkArgument, unknownOptions } from "@turnkit/transport";
import { callMistakes, checkList, checkObject, contentMistakes, unknownTag } from "./check-arguments.js";
import { blockMistakes, checkBlock } from "./check-blocks.js";
import { checkContent, checkFields, checkOwnOptions, checkPlan, checkTypedCommands } from "./check-values.js";

type Fields = { readonly [name: string]: unknown };

const fieldsOf = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});

/**
 * Checks the value of one member. Returns one sentence for each value that clients may not know. The remedy of the error is
 * the form that the member needs.
 */
type Check = (call: string, got: unknown) => readonly string[] | void;

const needs =
  (remedy: string, isSound: (value: unknown) => boolean): Check =>
  (call, got) =>
    checkArgument(isSound(got), call, { got, remedy });

const orNone =
  (check: Check): Check =>
  (call, got) =>
    got == null ? undefined : check(call, got);

const tag =
  (name: string, ...known: readonly string[]): Check =>
  (_call, got) =>
    unknownTag(name, got, known);

const textAnd =
  (check: Check): Check =>
  (call, got) =>
    text(call, got) ?? check(call, got);

/** Member of which any value is sent. */
const anyValue: Check = () => {};
const text = /* @__PURE__ */ needs("pass a text", (value) => typeof value === "string");
const maybeText = /* @__PURE__ */ orNone(text);
const tokens = /* @__PURE__ */ needs(
  "pass a number of tokens",
  (value) => Number.isInteger(value) && (value as number) >= 0,
);
const block: Check = (call, got) => {
  checkBlock(call, got);
  return blockMistakes(call, got as ContentBlock);
};
const blocks = /* @__PURE__ */ orNone((call, got) => {
  checkList(call, got);
  return (got as readonly unknown[]).flatMap((one) => block(call, one) ?? []);
});
const cost = /* @__PURE__ */ orNone(
  /* @__PURE__ */ needs('pass a cost such as { amount: 0.02, currency: "USD" }', (value) => {
    const { amount, currency } = fieldsOf(value);
    return Number.isFinite(amount) && typeof currency === "string";
  }),
);
const plan: Check = (call, got) => {
  const { type, planId, entries, content, uri } = fieldsOf(got);
  const isPlan = [type, planId].every((one) => typeof one === "string");
  checkArgument(isPlan, call, { got, remedy: 'pass a plan such as { type: "items", planId, entries }' });
  if (type === "items") return checkPlan(call, entries);
  if (type === "markdown") text(`${call} content`, content);
  if (type === "file") text(`${call} uri`, uri);
  return unknownTag("type of a plan", type, ["items", "markdown", "file"]);
};
const item: Check = (call, got) => {
  checkContent(call, got);
  return contentMistakes(got as ToolCallContent);
};

const message = { messageId: text, content: blocks };
const chunk = { messageId: maybeText, content: block };
const usage = { used: tokens, size: tokens, cost };
// `checkFields` and `callMistakes` check the further members of a tool call.
const call = { toolCallId: text, title: maybeText, name: maybeText, kind: anyValue, status: anyValue };
const values = {
  content: anyValue,
  locations: anyValue,
  rawInput: anyValue,
  rawOutput: anyValue,
  capabilities: anyValue,
};
const state = /* @__PURE__ */ textAnd(/* @__PURE__ */ tag("state of a session", "running", "idle", "requires_action"));
const severity = /* @__PURE__ */ textAnd(/* @__PURE__ */ tag("severity of a notice", "info", "warning", "error"));
const status = /* @__PURE__ */ tag("status of a compaction", ...["in_progress", "completed", "failed", "cancelled"]);
const ofState = { background: anyValue, stopReason: anyValue, error: anyValue, usage: anyValue, isMirrored: anyValue };
const ofTerminal = {
  command: anyValue,
  cwd: anyValue,
  output: anyValue,
  exitStatus: anyValue,
  size: anyValue,
  capabilities: anyValue,
};
const ofChild = {
  title: anyValue,
  description: anyValue,
  capabilities: anyValue,
  state: anyValue,
  cwd: anyValue,
  additionalDirectories: anyValue,
};
const ofMessage = {
  senderSessionId: anyValue,
  recipientSessionId: anyValue,
  senderMessageId: anyValue,
  recipientMessageId: anyValue,
};

type Checks = { readonly [name: string]: Check };

/** Joins members. A bundler keeps a copy by `...` even if nothing uses the result. */
const joined = (...members: readonly Checks[]): Checks => Object.assign({}, ...members);

/** All updates, with their members. A client drops an update without the members that have a check. */
const UPDATES: { readonly [type in WireEvent["type"]]: Checks } = {
  ...{ user_message: message, agent_message: message, agent_thought: message },
  ...{ user_message_chunk: chunk, agent_message_chunk: chunk, agent_thought_chunk: chunk },
  ...{
    state_update: /* @__PURE__ */ joined({ state }, ofState),
    replay_complete: {},
    unknown: { raw: anyValue, reason: anyValue },
  },
  ...{
    tool_call_update: /* @__PURE__ */ joined(call, values),
    tool_call_content_chunk: { toolCallId: text, content: item },
  },
  ...{ terminal_update: /* @__PURE__ */ joined({ terminalId: text }, ofTerminal) },
  ...{ terminal_output_chunk: { terminalId: text, data: text } },
  ...{ plan_update: { plan }, plan_removed: { planId: text }, current_mode_update: { currentModeId: text } },
  ...{ available_commands_update: { availableCommands: checkTypedCommands } },
  ...{ config_option_update: { configOptions: checkOwnOptions } },
  ...{ session_info_update: { title: maybeText, updatedAt: maybeText }, usage_update: usage },
  ...{ notice: { severity, title: text, description: maybeText } },
  ...{ compaction_update: { compactionId: text, status, summary: blocks, error: maybeText } },
  ...{ compaction_summary_chunk: { compactionId: text, content: block } },
  ...{
    subagent_update: /* @__PURE__ */ joined({ sessionId: text }, ofChild),
    session_message: /* @__PURE__ */ joined(message, ofMessage),
  },
  ...{ session_message_chunk: { messageId: text, content: block } },
};

/** Methods that send updates of version 1 in the neutral form. */
const METHODS: Readonly<Record<string, string>> = { tool_call: "turn.toolCall({ title })", plan: "turn.plan(entries)" };

/**
 * Returns one sentence for each member and value that clients may not know.
 *
 * @throws TypeError for a value that is not an update, for an unknown type of update, and for an update of another form
 */
export function checkUpdate(event: WireEvent): readonly string[] {
  const type: unknown = event?.type;
  if (typeof type === "string" && Object.hasOwn(UPDATES, type)) return updateMistakes(event);
  if (typeof type === "string" && type.startsWith("_")) return [];
  const { sessionUpdate } = fieldsOf(event);
  const name = String(type ?? sessionUpdate);
  const near = /Do you mean (\w+)/.exec(unknownOptions("emit", { [name]: true }, { known: UPDATES })[0] ?? "")?.[1];
  const method = Object.hasOwn(METHODS, name) ? `call ${METHODS[name]}, or ` : "";
  const remedy = `${method}pass an update such as { type: "${near ?? (Object.hasOwn(UPDATES, name) ? name : method ? `${name}_update` : "agent_message_chunk")}", … }`;
  checkArgument(false, typeof type === "string" ? "emit type" : "emit", { got: type ?? event, remedy });
  return [];
}

function updateMistakes(event: WireEvent): readonly string[] {
  const { type } = event;
  const call = `emit ${type}`;
  const mistakes = memberMistakes(call, event, type);
  if (type !== "tool_call_update") return mistakes;
  checkFields(call, event);
  return [...mistakes, ...callMistakes(event)];
}

/**
 * Returns one sentence for each member that clients do not know.
 *
 * @throws TypeError for tokens that no client can read
 */
export function checkUsage(call: string, given: object): readonly string[] {
  checkObject(call, given, "pass tokens such as { used: 1200, size: 200000 }");
  return memberMistakes(call, given, "usage_update");
}

/** Members of all updates. The last four are members of stored events, which a restore may repeat. */
const OF_ALL = { type: true, _meta: true, at: true, extra: true, isImplied: true, promptKey: true };

function memberMistakes(call: string, given: object, type: WireEvent["type"]): readonly string[] {
  const members = UPDATES[type];
  const mistakes: string[] = [];
  for (const name in members) {
    const found = members[name]?.(`${call} ${name}`, fieldsOf(given)[name]);
    if (found !== undefined) mistakes.push(...found);
  }
  // Most updates have no such member, and there may be many updates.
  const isKnown = (name: string): boolean => Object.hasOwn(members, name) || Object.hasOwn(OF_ALL, name);
  if (Object.keys(given).every(isKnown)) return mistakes;
  return [...mistakes, ...unknownOptions(call, given, { known: { ...members, ...OF_ALL } })];
}
