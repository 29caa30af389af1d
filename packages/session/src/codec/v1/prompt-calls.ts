import type { StopReason } from "../../activity.js";
import type { Answering, Asking, CallCodec, Calls } from "../../call.js";
import type { ToolCallPatch } from "../../tool-call.js";
import { contentBlock } from "../content.js";
import { encodeContent } from "../fallback/content.js";
import { answerAboutToolCall, askAboutToolCall } from "../fallback/permission.js";
import { noTerminals } from "../fallback/sending.js";
import { type Lost, lostIn } from "../losses.js";
import { compact, list, meta, required, text, type Wire } from "../read.js";
import { loginBy, logoutBy } from "../simple-calls.js";
import { tokenUsage } from "../updates.js";
import { toolCallPatch } from "./decode.js";
import { noteValues, writeToolCall } from "./encode-tool-call.js";

const STOP_REASONS: readonly string[] = ["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"];
const KINDS: readonly string[] = ["allow_once", "allow_always", "reject_once", "reject_always"];

/** `authenticate` of version 1. */
export const login: CallCodec<Calls["login"]> = /* @__PURE__ */ loginBy("authenticate");

/** `logout` of version 1. */
export const logout: CallCodec<Calls["logout"]> = /* @__PURE__ */ logoutBy("logout");

/** `session/prompt` of version 1, as a client makes it: its answer is the end of the turn. */
export const askPrompt: Asking<Calls["prompt"]> = {
  method: "session/prompt",
  encodeParams: ({ sessionId, prompt, _meta }) => compact({ sessionId, prompt, _meta }),
  decodeResult: (wire) => {
    const { stopReason, usage, _meta } = wire as Wire;
    return compact({
      stopReason: text(stopReason) as StopReason | undefined,
      usage: tokenUsage(usage),
      _meta: meta(_meta),
    });
  },
};

/** {@link askPrompt}, as an agent answers it. */
export const answerPrompt: Answering<Calls["prompt"]> = {
  method: "session/prompt",
  decodeParams: (wire) => {
    const { sessionId, prompt, _meta } = wire as Wire;
    return compact({ sessionId: required(sessionId), prompt: list(prompt, contentBlock), _meta: meta(_meta) });
  },
  encodeResult: ({ stopReason = "end_turn", usage, _meta }, _peer, onLoss) => {
    const counts = usage ?? undefined;
    if (STOP_REASONS.includes(stopReason)) return compact({ stopReason, usage: counts, _meta });
    lostIn("v1", "prompt", onLoss)("stop-reason", stopReason);
    return compact({ stopReason: "end_turn", usage: counts, _meta: { ..._meta, "turnkit.stopReason": stopReason } });
  },
};

/** `session/request_permission` of version 1, which always asks about a tool call, as an agent makes it. */
export const askPermission: Asking<Calls["askPermission"]> = /* @__PURE__ */ askAboutToolCall({
  dialect: "v1",
  kinds: KINDS,
  writePatch: encodePatch,
});

/** {@link askPermission}, as a client answers it. */
export const answerPermission: Answering<Calls["askPermission"]> = /* @__PURE__ */ answerAboutToolCall(toolCallPatch);

function encodePatch(patch: ToolCallPatch, title: string, lost: Lost): object {
  const { capabilities, _meta, ...members } = patch;
  const { toolCallId, name, content } = members;
  // A question shows what is known now and is not sent again when a terminal goes on.
  const told = { lost, terminals: noTerminals(), clientTerminals: true };
  noteValues(patch, lost);
  if (Object.values(members).includes(null)) lost("tool-call-clear", toolCallId);
  return writeToolCall(
    { ...patch, title: patch.title ?? (name == null ? title : undefined) },
    content == null ? undefined : encodeContent(content, toolCallId, undefined, told),
  );
}
