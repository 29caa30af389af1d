import type { Answering, Asking, Calls } from "../../call.js";
import type { ToolCallPatch } from "../../tool-call.js";
import { encodeContent } from "../fallback/content.js";
import { answerAboutToolCall, askAboutToolCall } from "../fallback/permission.js";
import { noTerminals } from "../fallback/sending.js";
import type { Lost } from "../losses.js";
import { toolCallPatch } from "./decode.js";
import { noteValues, writeToolCall } from "./encode-tool-call.js";

const KINDS: readonly string[] = ["allow_once", "allow_always", "reject_once", "reject_always"];

/** `session/request_permission` of version 1, as an agent makes it. */
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
  // A question shows the current output and is not sent again with later output.
  const told = { lost, terminals: noTerminals(), clientTerminals: true };
  noteValues(patch, lost);
  if (Object.values(members).includes(null)) lost("tool-call-clear", toolCallId);
  return writeToolCall(
    { ...patch, title: patch.title ?? (name == null ? title : undefined) },
    content == null ? undefined : encodeContent(content, toolCallId, undefined, told),
  );
}
