import type { CallCodec, Calls } from "../../call.js";
import type { PermissionOption, PermissionSubject, StopReason, TokenUsage } from "../../event.js";
import type { ToolCallPatch } from "../../tool-call.js";
import { contentBlock } from "./content.js";
import { toolCallPatch } from "./decode.js";
import { encodeContent, statusOf, titleOf } from "./encode-tool-call.js";
import { compact, isObject, list, meta, part, text, type Wire } from "./read.js";

const STOP_REASONS: readonly string[] = ["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"];
const KINDS: readonly string[] = ["allow_once", "allow_always", "reject_once", "reject_always"];
const silent = { lost: (): void => {} };

/** `authenticate` of version 1. */
export const login: CallCodec<Calls["login"]> = {
  method: "authenticate",
  encodeParams: ({ methodId }) => ({ methodId }),
  decodeParams: (wire) => ({ methodId: String((wire as Wire).methodId) }),
  encodeResult: (result) => result,
  decodeResult: (wire) => wire ?? {},
};

/** `session/prompt` of version 1: its answer is the end of the turn. */
export const prompt: CallCodec<Calls["prompt"]> = {
  method: "session/prompt",
  encodeParams: ({ sessionId, prompt, _meta }) => compact({ sessionId, prompt, _meta }),
  decodeParams: (wire) => {
    const { sessionId, prompt, _meta } = wire as Wire;
    return compact({ sessionId: String(sessionId), prompt: list(prompt, contentBlock), _meta: meta(_meta) });
  },
  encodeResult: ({ stopReason = "end_turn", usage, _meta }) =>
    STOP_REASONS.includes(stopReason)
      ? compact({ stopReason, usage: usage ?? undefined, _meta })
      : compact({
          stopReason: "end_turn",
          usage: usage ?? undefined,
          _meta: { ..._meta, "turnkit.stopReason": stopReason },
        }),
  decodeResult: (wire) => {
    const { stopReason, usage, _meta } = wire as Wire;
    return compact({
      stopReason: text(stopReason) as StopReason | undefined,
      usage: tokenUsage(usage),
      _meta: meta(_meta),
    });
  },
};

function tokenUsage(value: unknown): TokenUsage | undefined {
  if (!isObject(value)) return undefined;
  const counts = [value.totalTokens, value.inputTokens, value.outputTokens];
  return counts.every((count) => typeof count === "number") ? (value as TokenUsage) : undefined;
}

/** `session/request_permission` of version 1, which always asks about a tool call. */
export const askPermission: CallCodec<Calls["askPermission"]> = {
  method: "session/request_permission",
  encodeParams: (question) => {
    const { sessionId, options, subject, _meta } = question;
    const toolCall = subject?.type === "tool_call" ? encodePatch(subject.toolCall, question.title) : standIn(question);
    return compact({ sessionId, toolCall, options: options.filter(isKnown), _meta });
  },
  decodeParams: (wire) => {
    const { sessionId, options, _meta } = wire as Wire;
    const toolCall = toolCallPatch(part(wire as Wire, "toolCall"));
    const subject: PermissionSubject | undefined =
      typeof toolCall === "string" ? undefined : { type: "tool_call", toolCall };
    const { title, name } = typeof toolCall === "string" ? ({} as Partial<ToolCallPatch>) : toolCall;
    return compact({
      sessionId: String(sessionId),
      title: title ?? name ?? "The agent asks for permission",
      subject,
      options: list(options, option),
      _meta: meta(_meta),
    });
  },
  encodeResult: ({ outcome }) =>
    outcome.outcome === "selected"
      ? { outcome: compact({ outcome: "selected", optionId: outcome.optionId, _meta: outcome._meta }) }
      : { outcome: compact({ outcome: "cancelled", _meta: outcome._meta }) },
  decodeResult: (wire) => {
    const outcome = part(wire as Wire, "outcome");
    // Whatever is not a choice is not an approval (V1-PERM-07).
    return outcome.outcome === "selected" && typeof outcome.optionId === "string"
      ? { outcome: compact({ outcome: "selected", optionId: outcome.optionId, _meta: meta(outcome._meta) }) }
      : { outcome: compact({ outcome: "cancelled", _meta: meta(outcome._meta) }) };
  },
};

type Question = Calls["askPermission"]["params"];

function encodePatch(patch: ToolCallPatch, title: string): object {
  const { toolCallId, name, kind, status, content, locations, rawInput, rawOutput, _meta } = patch;
  return compact({
    toolCallId,
    title: patch.title ?? (name == null ? title : undefined),
    name: name ?? undefined,
    kind: kind ?? undefined,
    status: status == null ? undefined : statusOf({ status }),
    content: content == null ? undefined : encodeContent(content, undefined, silent, toolCallId),
    locations: locations ?? undefined,
    rawInput: rawInput ?? undefined,
    rawOutput: rawOutput ?? undefined,
    _meta: _meta ?? undefined,
  });
}

/** A question about no tool call gets one of its own, so that no real call changes its title (V2-BRG-07). */
function standIn({ title, description, subject, options, _meta }: Question): object {
  const command = subject?.type === "command" ? subject : undefined;
  const texts = [description, command && `${command.command}\n(in ${command.cwd})`].filter((one) => one != null);
  // Made of what is asked: the codec has no clock, no random and no memory, and equal questions may share it.
  const toolCallId = `permission:${fingerprint(JSON.stringify([title, texts, options, _meta]))}`;
  return {
    toolCallId,
    title: titleOf({ title }),
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

function option(value: unknown): PermissionOption | undefined {
  if (!isObject(value)) return undefined;
  const { optionId, name, kind } = value;
  const sound = typeof optionId === "string" && typeof name === "string" && typeof kind === "string";
  return sound ? (value as PermissionOption) : undefined;
}

/** Version 1 refuses a whole question for one kind that it does not know, and no other kind would be a safe guess. */
const isKnown = (one: PermissionOption): boolean => KINDS.includes(one.kind);
