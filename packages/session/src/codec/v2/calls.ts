import type { StopReason } from "../../activity.js";
import type { CallCodec, Calls } from "../../call.js";
import type { UnknownTag } from "../../content.js";
import { allCalls, auth, commonCommands, on, withElicitations } from "../calls.js";
import type { CallTable } from "../codec.js";
import { contentBlock } from "../content.js";
import { compact, list, meta, required, text, type Wire } from "../read.js";
import { type SettingParts, settingCalls } from "../setting-calls.js";
import { tokenUsage } from "../updates.js";
import { configOption } from "./decode.js";
import { encodeOptions } from "./encode.js";
import { initialize } from "./initialize.js";
import { answerPermission, askPermission } from "./permission.js";
import { loadSession, newSession, resumeSession } from "./session-calls.js";

/** Options and values of every draft. Each value has a type. */
export const options: SettingParts = {
  dialect: "v2",
  readOption: configOption,
  writeOptions: encodeOptions,
  encodeParams: ({ sessionId, configId, value, type }) => ({
    sessionId,
    configId,
    type: type ?? (typeof value === "boolean" ? "boolean" : "id"),
    value,
  }),
  decodeParams: (wire) => {
    const { sessionId, configId, type = "id", value } = wire as Wire;
    const wanted = type === "boolean" ? "boolean" : "string";
    const known = (type === "id" || type === "boolean") && typeof value === wanted;
    return compact({
      sessionId: required(sessionId),
      configId: required(configId),
      value: typeof value === "boolean" ? value : required(value),
      type: known ? undefined : (String(type) as UnknownTag),
    });
  },
};

/**
 * `session/prompt`. The answer of version 2 names the message that the prompt became. The answer of seed names the stop
 * reason, and drafts between them answer nothing.
 */
// V2-SEED-02
const prompt: CallCodec<Calls["prompt"]> = {
  method: "session/prompt",
  encodeParams: ({ sessionId, prompt, _meta }) => compact({ sessionId, prompt, _meta }),
  decodeParams: (wire) => {
    const { sessionId, prompt, _meta } = wire as Wire;
    return compact({ sessionId: required(sessionId), prompt: list(prompt, contentBlock), _meta: meta(_meta) });
  },
  encodeResult: ({ messageId, _meta }) => compact({ messageId, _meta }),
  decodeResult: (wire) => {
    const { stopReason, messageId, usage, _meta } = (wire ?? {}) as Wire;
    return compact({
      stopReason: text(stopReason) as StopReason | undefined,
      messageId: text(messageId),
      usage: tokenUsage(usage),
      _meta: meta(_meta),
    });
  },
};

/** Calls that clients make in every draft of version 2, but for those whose methods have other names. */
export const draftCommands = { initialize, newSession, loadSession, resumeSession, prompt } satisfies CallTable;

/** Calls that clients make in version 2. */
export const commands = /* @__PURE__ */ allCommands();

function allCommands() {
  return {
    ...commonCommands(auth),
    ...settingCalls(options),
    ...draftCommands,
    cancelToolCall: on("tool_call/cancel", "sessionId", "toolCallId"),
    cancelTerminal: on("terminal/cancel", "sessionId", "terminalId"),
  } satisfies CallTable;
}

/** Calls that agents make in version 2, as they make them. */
export const questions = /* @__PURE__ */ withElicitations(askPermission);

/** {@link questions}, as clients answer them. Apart, because a client writes no tool calls. */
export const answers = /* @__PURE__ */ withElicitations(answerPermission);

/** Calls of version 2. */
export const calls = /* @__PURE__ */ allCalls(commands, questions, answers);
