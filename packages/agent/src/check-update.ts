import type { WireEvent } from "@turnkit/session";
import { checkArgument, unknownOptions } from "@turnkit/transport";
import { checkList, checkObject } from "./check-arguments.js";
import { checkBlock } from "./check-blocks.js";
import { checkCommands, checkConfigOptions } from "./check-values.js";

type Fields = { readonly [name: string]: unknown };

const fieldsOf = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});

/** Checks the value of one member. The remedy of the error is the form that the member needs. */
type Check = (call: string, got: unknown) => void;

const needs =
  (remedy: string, isSound: (value: unknown) => boolean): Check =>
  (call, got) =>
    checkArgument(isSound(got), call, { got, remedy });

const orNone =
  (check: Check): Check =>
  (call, got) => {
    if (got != null) check(call, got);
  };

const text = /* @__PURE__ */ needs("pass a text", (value) => typeof value === "string");
const maybeText = /* @__PURE__ */ orNone(text);
const tokens = /* @__PURE__ */ needs(
  "pass a number of tokens",
  (value) => Number.isInteger(value) && (value as number) >= 0,
);
const list = /* @__PURE__ */ orNone(checkList);
const blocks = /* @__PURE__ */ orNone((call, got) => {
  checkList(call, got);
  for (const block of got as readonly unknown[]) checkBlock(call, block);
});
const cost = /* @__PURE__ */ orNone(
  /* @__PURE__ */ needs('pass a cost such as { amount: 0.02, currency: "USD" }', (value) => {
    const { amount, currency } = fieldsOf(value);
    return Number.isFinite(amount) && typeof currency === "string";
  }),
);
const plan = /* @__PURE__ */ needs('pass a plan such as { type: "items", planId, entries }', (value) => {
  const { type, planId } = fieldsOf(value);
  return typeof type === "string" && typeof planId === "string";
});
const item = /* @__PURE__ */ needs(
  'pass content such as { type: "content", content: { type: "text", text } }',
  (value) => {
    return typeof fieldsOf(value).type === "string";
  },
);

const message = { messageId: text, content: blocks };
const chunk = { messageId: maybeText, content: checkBlock };
const usage = { used: tokens, size: tokens, cost };

/** All updates, with the members that clients need. A client drops an update without them. */
const UPDATES: { readonly [type in WireEvent["type"]]: { readonly [name: string]: Check } } = {
  ...{ user_message: message, agent_message: message, agent_thought: message },
  ...{ user_message_chunk: chunk, agent_message_chunk: chunk, agent_thought_chunk: chunk },
  ...{ state_update: { state: text }, replay_complete: {}, unknown: {} },
  ...{ tool_call_update: { toolCallId: text, content: list, locations: list } },
  ...{ tool_call_content_chunk: { toolCallId: text, content: item } },
  ...{ terminal_update: { terminalId: text }, terminal_output_chunk: { terminalId: text, data: text } },
  ...{ plan_update: { plan }, plan_removed: { planId: text }, current_mode_update: { currentModeId: text } },
  ...{ available_commands_update: { availableCommands: checkCommands } },
  ...{ config_option_update: { configOptions: checkConfigOptions } },
  ...{ session_info_update: { title: maybeText, updatedAt: maybeText }, usage_update: usage },
  ...{ notice: { severity: text, title: text } },
  ...{ compaction_update: { compactionId: text, summary: blocks } },
  ...{ compaction_summary_chunk: { compactionId: text, content: checkBlock } },
  ...{ subagent_update: { sessionId: text }, session_message: message },
  ...{ session_message_chunk: { messageId: text, content: checkBlock } },
};

/** Methods that send updates of version 1 in the neutral form. */
const METHODS: Readonly<Record<string, string>> = { tool_call: "turn.toolCall({ title })", plan: "turn.plan(entries)" };

/**
 * @throws TypeError for a value that is not an update, for an unknown type of update, and for an update of another form
 */
export function checkUpdate(event: WireEvent): void {
  const type: unknown = event?.type;
  if (typeof type === "string" && Object.hasOwn(UPDATES, type)) return checkMembers(`emit ${type}`, event, type);
  if (typeof type === "string" && type.startsWith("_")) return;
  const { sessionUpdate } = fieldsOf(event);
  const name = String(type ?? sessionUpdate);
  const near = /Do you mean (\w+)/.exec(unknownOptions("emit", { [name]: true }, { known: UPDATES })[0] ?? "")?.[1];
  const method = Object.hasOwn(METHODS, name) ? `call ${METHODS[name]}, or ` : "";
  const remedy = `${method}pass an update such as { type: "${near ?? (Object.hasOwn(UPDATES, name) ? name : method ? `${name}_update` : "agent_message_chunk")}", … }`;
  checkArgument(false, typeof type === "string" ? "emit type" : "emit", { got: type ?? event, remedy });
}

/** @throws TypeError for tokens that no client can read */
export function checkUsage(call: string, given: object): void {
  checkObject(call, given, "pass tokens such as { used: 1200, size: 200000 }");
  checkMembers(call, given, "usage_update");
}

function checkMembers(call: string, given: object, type: string): void {
  const members = UPDATES[type as WireEvent["type"]];
  for (const name in members) members[name]?.(`${call} ${name}`, fieldsOf(given)[name]);
}
