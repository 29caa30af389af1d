import type { BackgroundWork, ErrorObject, SessionEvent, StateUpdate, StopReason } from "../../event.js";
import type { SubagentActivity, SubagentPatch } from "../../subagent.js";
import { isObject, meta, metaOrNull, text, textOrNull, type Wire } from "../read.js";
import { tokenUsage } from "../usage.js";
import { controls } from "./tool-call.js";

/** What the session is doing. A state that nobody here knows comes as it is. */
export function stateUpdate(update: Wire): SessionEvent | string {
  const read = activity(update);
  if (read === undefined) return "state is no string";
  if (!("sessionUpdate" in read)) return { type: "state_update", ...read };
  const { sessionUpdate: _, ...members } = read;
  return { ...(members as SubagentActivity), type: "state_update" };
}

const KNOWN: readonly string[] = ["running", "idle", "requires_action", "unknown"];

function activity(wire: Wire): (SubagentActivity & { readonly sessionUpdate?: unknown }) | undefined {
  const { state } = wire;
  if (typeof state !== "string") return undefined;
  if (!KNOWN.includes(state)) return wire as unknown as SubagentActivity;
  const read: { -readonly [K in keyof SubagentActivity]: SubagentActivity[K] } = {
    state: state as StateUpdate["state"],
  };
  const background = backgroundWork(wire.background);
  if (background !== undefined) read.background = background;
  const _meta = meta(wire._meta);
  if (_meta !== undefined) read._meta = _meta;
  if (state !== "idle") return read;
  const stopReason = textOrNull(wire.stopReason) as StopReason | null | undefined;
  if (stopReason !== undefined) read.stopReason = stopReason;
  const error = stopReason === "error" ? errorObject(wire.error) : undefined;
  if (error !== undefined) read.error = error;
  const usage = tokenUsage(wire.usage);
  if (usage !== undefined) read.usage = usage;
  return read;
}

/** One item that does not read makes the whole list count as not reported (V2-DEC-05). */
function backgroundWork(value: unknown): readonly BackgroundWork[] | null | undefined {
  if (value === null) return null;
  return Array.isArray(value) && value.every(isWork) ? (value as readonly BackgroundWork[]) : undefined;
}

const IDS: { readonly [type: string]: string } = {
  terminal: "terminalId",
  tool_call: "toolCallId",
  subagent: "sessionId",
};

function isWork(value: unknown): boolean {
  if (!isObject(value) || typeof value.type !== "string") return false;
  const id = Object.hasOwn(IDS, value.type) ? IDS[value.type] : undefined;
  return id === undefined || typeof value[id] === "string";
}

/** A JSON-RPC error; without details where it does not read (V2-PRM-15). */
function errorObject(value: unknown): ErrorObject | undefined {
  if (!isObject(value) || !Number.isInteger(value.code) || typeof value.message !== "string") return undefined;
  return value as unknown as ErrorObject;
}

/** A child session. A malformed directory makes the whole update unreadable (V2-UPD-26). */
export function subagentUpdate(update: Wire): SessionEvent | string {
  const { sessionId, cwd, additionalDirectories, state } = update;
  if (typeof sessionId !== "string") return "sessionId is no string";
  if (cwd != null && typeof cwd !== "string") return "cwd is no string";
  const event: { -readonly [K in keyof SubagentPatch]: SubagentPatch[K] } & { type: "subagent_update" } = {
    type: "subagent_update",
    sessionId,
  };
  if (additionalDirectories !== undefined) {
    const list = Array.isArray(additionalDirectories) ? additionalDirectories : undefined;
    const sound = additionalDirectories === null || list?.every((one) => typeof one === "string");
    if (!sound) return "additionalDirectories are no list of strings";
    event.additionalDirectories = list ?? null;
  }
  if (cwd !== undefined) event.cwd = cwd;
  if (state === null) event.state = null;
  else if (isObject(state)) {
    const read = activity(state);
    if (read !== undefined) event.state = read;
  }
  if (update.capabilities !== undefined) event.capabilities = controls(update.capabilities);
  const title = textOrNull(update.title);
  if (title !== undefined) event.title = title;
  const description = textOrNull(update.description);
  if (description !== undefined) event.description = description;
  const _meta = metaOrNull(update._meta);
  if (_meta !== undefined) event._meta = _meta;
  return event;
}

/** The id of a message, or why there is none. */
export const messageIdOf = (update: Wire): string | undefined => text(update.messageId);
