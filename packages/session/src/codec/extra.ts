import type { Meta } from "../content.js";
import type { Wire } from "./read.js";

/** Every member that an update of some kind has in some version. */
const MEMBERS: ReadonlySet<string> = /* @__PURE__ */ new Set(
  (
    "sessionUpdate _meta messageId content toolCallId title name kind status locations rawInput rawOutput " +
    "capabilities terminalId command cwd output exitStatus size data plan planId id entries availableCommands " +
    "configOptions currentModeId updatedAt used cost severity description compactionId summary error state " +
    "background stopReason usage sessionId additionalDirectories senderSessionId recipientSessionId " +
    "senderMessageId recipientMessageId"
  ).split(" "),
);

/** The members of an update that no version has and its event does not hold, as they came (V1-LEN-08). */
export function extraOf(update: Wire, event: object): Meta | undefined {
  let extra: { [key: string]: unknown } | undefined;
  for (const key in update) {
    if (MEMBERS.has(key) || Object.hasOwn(event, key)) continue;
    // A null prototype: a member may be called `__proto__`.
    extra ??= Object.create(null) as { [key: string]: unknown };
    extra[key] = update[key];
  }
  return extra;
}
