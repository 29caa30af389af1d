import type { Answering, Asking, Calls } from "../call.js";
import type { PermissionOption, PermissionSubject } from "../permission.js";
import type { ToolCallPatch } from "../tool-call.js";
import { type DialectName, type Lost, lostIn } from "./losses.js";
import { compact, list, meta, part, required, text, type Wire } from "./read.js";
import { record } from "./shape.js";

type Question = Calls["askPermission"]["params"];

/** Reader of an option with all its required members. */
const readOption = /* @__PURE__ */ record<PermissionOption>({
  required: { optionId: text, name: text, kind: text },
});

/** Reads an outcome. Everything except a selected option counts as cancelled, and never as an approval. */
// V1-PERM-07, V2-PERM-09
export function readOutcome(wire: object): Calls["askPermission"]["result"] {
  const outcome = part((wire ?? {}) as Wire, "outcome");
  return outcome.outcome === "selected" && typeof outcome.optionId === "string"
    ? { outcome: compact({ outcome: "selected", optionId: outcome.optionId, _meta: meta(outcome._meta) }) }
    : { outcome: compact({ outcome: "cancelled", _meta: meta(outcome._meta) }) };
}

type Asked = { readonly title?: string; readonly description?: string | null; readonly subject?: PermissionSubject };

/**
 * Returns the call `session/request_permission` for a client. `read` reads the members that differ between the
 * dialects.
 */
/* @__NO_SIDE_EFFECTS__ */
export const answerPermission = (read: (wire: Wire) => Asked): Answering<Calls["askPermission"]> => ({
  method: "session/request_permission",
  decodeParams: (wire) => {
    const { sessionId, options, _meta } = wire as Wire;
    const { title, description, subject } = read(wire as Wire);
    const about = subject?.type === "tool_call" ? subject.toolCall : undefined;
    return compact({
      sessionId: required(sessionId),
      title: title ?? about?.title ?? about?.name ?? "The agent asks for permission",
      description,
      subject,
      options: list(options, readOption),
      _meta: meta(_meta),
    });
  },
  encodeResult: ({ outcome }) => {
    const { _meta } = outcome;
    if (outcome.outcome !== "selected") return { outcome: compact({ outcome: "cancelled", _meta }) };
    return { outcome: compact({ outcome: "selected", optionId: outcome.optionId, _meta }) };
  },
});

/** Differences between the dialects in which every permission question is about a tool call. */
type Writing = {
  readonly dialect: DialectName;
  writePatch(patch: ToolCallPatch, title: string, lost: Lost): object;
  /** Kinds of options that exist in the dialect. Options of other kinds are left out. */
  readonly kinds?: readonly string[];
};

/** Returns the call `session/request_permission` about a tool call, for an agent. */
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

/** Returns `true` if a question contains information that its tool call cannot express. */
const saysMore = ({ title, description }: Question, { title: own, name }: ToolCallPatch): boolean =>
  description != null || title !== (own ?? name);

/** Returns the options that exist in the dialect. A single unknown kind would make the whole question unreadable. */
function offered({ options }: Question, kinds: readonly string[] | undefined, lost: Lost): readonly PermissionOption[] {
  const isKnown = ({ kind }: PermissionOption): boolean => kinds?.includes(kind) ?? true;
  for (const option of options) if (!isKnown(option)) lost("unknown", option.optionId);
  return options.filter(isKnown);
}

/**
 * Returns an invented tool call for a question without a tool call. A real tool call would get the title of the
 * question.
 */
// V2-BRG-07
function standIn({ title, description, subject, options, _meta }: Question, lost: Lost): object {
  const command = subject?.type === "command" ? subject : undefined;
  const texts = [description, command && `${command.command}\n(in ${command.cwd})`].filter((one) => one != null);
  // The id is computed from the question, because the codec has no clock, random numbers or memory. Equal questions may
  // have the same id.
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
