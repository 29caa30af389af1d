import type { Answering, Asking, Calls } from "../../call.js";
import type { PermissionSubject } from "../../permission.js";
import { lostIn } from "../losses.js";
import { readOption, readOutcome, UNTITLED, writeOutcome } from "../permission.js";
import { compact, isObject, list, meta, required, text, textOrNull, type Wire, withMeta } from "../read.js";
import { encodePatch } from "./diff.js";
import { toolCallPatch } from "./tool-call.js";

/** `session/request_permission` of version 2, as an agent makes it. */
export const askPermission: Asking<Calls["askPermission"]> = {
  method: "session/request_permission",
  encodeParams: ({ sessionId, title, description, subject, options, _meta }, onLoss) => {
    const lost = lostIn("v2", "askPermission", onLoss);
    const about =
      subject?.type === "tool_call" ? { ...subject, toolCall: encodePatch(subject.toolCall, lost) } : subject;
    return compact({ sessionId, title, description, subject: about, options, _meta });
  },
  decodeResult: readOutcome,
};

/** {@link askPermission}, as a client answers it. It reads the question of seed too. */
// V2-SEED-06
export const answerPermission: Answering<Calls["askPermission"]> = {
  method: "session/request_permission",
  decodeParams: (wire) => {
    const { sessionId, title, description, toolCall, options, _meta } = wire as Wire;
    const { subject = { type: "tool_call", toolCall } } = wire as Wire;
    const read = readSubject(subject);
    const own = read?.type === "tool_call" ? (read.toolCall.title ?? read.toolCall.name) : undefined;
    return compact({
      sessionId: required(sessionId),
      title: text(title) ?? own ?? UNTITLED,
      description: textOrNull(description),
      subject: read,
      options: list(options, readOption),
      _meta: meta(_meta),
    });
  },
  encodeResult: writeOutcome,
};

function readSubject(value: unknown): PermissionSubject | undefined {
  if (!isObject(value) || typeof value.type !== "string") return undefined;
  if (value.type === "tool_call") {
    const toolCall = toolCallPatch(value.toolCall);
    return toolCall && withMeta<PermissionSubject>({ type: "tool_call", toolCall }, value);
  }
  if (value.type !== "command") return value as unknown as PermissionSubject;
  const { command: line, cwd, toolCallId, terminalId, _meta } = value;
  if (typeof line !== "string" || typeof cwd !== "string") return undefined;
  return compact<PermissionSubject>({
    type: "command",
    command: line,
    cwd,
    toolCallId: textOrNull(toolCallId),
    terminalId: textOrNull(terminalId),
    _meta: meta(_meta),
  });
}
