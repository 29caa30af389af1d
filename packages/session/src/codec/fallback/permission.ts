import type { Answering, Asking, Calls } from "../../call.js";
import type { PermissionOption, PermissionSubject } from "../../permission.js";
import type { ToolCallPatch } from "../../tool-call.js";
import type { DialectName } from "../losses.js";
import { type Lost, lostIn } from "../losses.js";
import { readOption, readOutcome, UNTITLED, writeOutcome } from "../permission.js";
import { compact, list, meta, required, type Wire } from "../read.js";

type Question = Calls["askPermission"]["params"];

/** Differences between the dialects whose permission questions are always about a tool call, as they are written. */
type Writing = {
  readonly dialect: DialectName;
  writePatch(patch: ToolCallPatch, title: string, lost: Lost): object;
  /** Kinds of options that the dialect has. Options of other kinds are left out. */
  readonly kinds?: readonly string[];
};

/** Returns `session/request_permission` about a tool call, as an agent makes it. */
/* @__NO_SIDE_EFFECTS__ */
export const askAboutToolCall = (shapes: Writing): Asking<Calls["askPermission"]> => ({
  method: "session/request_permission",
  encodeParams: (question, onLoss) => {
    const { sessionId, subject, _meta } = question;
    const lost = lostIn(shapes.dialect, "askPermission", onLoss);
    const toolCall =
      subject?.type === "tool_call"
        ? shapes.writePatch(subject.toolCall, question.title, lost)
        : standIn(question, lost);
    if (subject?.type === "tool_call" && saysMore(question, subject.toolCall)) {
      lost("permission", subject.toolCall.toolCallId);
    }
    return compact({ sessionId, toolCall, options: offered(question, shapes.kinds, lost), _meta });
  },
  decodeResult: readOutcome,
});

/** Returns `session/request_permission` about a tool call, as a client answers it. */
/* @__NO_SIDE_EFFECTS__ */
export const answerAboutToolCall = (
  readPatch: (wire: unknown) => ToolCallPatch | undefined,
): Answering<Calls["askPermission"]> => ({
  method: "session/request_permission",
  decodeParams: (wire) => {
    const { sessionId, options, _meta } = wire as Wire;
    const toolCall = readPatch((wire as Wire).toolCall);
    const subject: PermissionSubject | undefined = toolCall && { type: "tool_call", toolCall };
    return compact({
      sessionId: required(sessionId),
      title: toolCall?.title ?? toolCall?.name ?? UNTITLED,
      subject,
      options: list(options, readOption),
      _meta: meta(_meta),
    });
  },
  encodeResult: writeOutcome,
});

/** Returns true if a question says more than its tool call can. */
const saysMore = ({ title, description }: Question, { title: own, name }: ToolCallPatch): boolean =>
  description != null || title !== (own ?? name);

/** Returns the options that the dialect can offer. An unknown kind would make the whole question unreadable. */
function offered({ options }: Question, kinds: readonly string[] | undefined, lost: Lost): readonly PermissionOption[] {
  const isKnown = ({ kind }: PermissionOption): boolean => kinds?.includes(kind) ?? true;
  for (const option of options) if (!isKnown(option)) lost("unknown", option.optionId);
  return options.filter(isKnown);
}

/** Returns a made-up tool call for a question about none, so that no real call changes its title. */
// V2-BRG-07
function standIn({ title, description, subject, options, _meta }: Question, lost: Lost): object {
  const command = subject?.type === "command" ? subject : undefined;
  const texts = [description, command && `${command.command}\n(in ${command.cwd})`].filter((one) => one != null);
  // Made of what is asked: the codec has no clock, no random and no memory, and equal questions may share it.
  const toolCallId = `permission:${fingerprint(JSON.stringify([title, texts, options, _meta]))}`;
  lost("permission", toolCallId);
  return {
    toolCallId,
    title,
    kind: command === undefined ? "other" : "execute",
    status: "pending",
    content: texts.map((one) => ({ type: "content", content: { type: "text", text: one } })),
  };
}

function fingerprint(value: string): string {
  let hash = 0;
  for (let index = 0; index < value.length; index++) hash = (Math.imul(hash, 31) + value.charCodeAt(index)) | 0;
  return (hash >>> 0).toString(36);
}
