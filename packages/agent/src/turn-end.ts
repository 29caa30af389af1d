import type { Meta, SessionEvent, StopReason, TokenUsage } from "@turnkit/session";
import { JSON_CHARACTER_BYTES, jsonBytes, jsonCopy } from "@turnkit/session/codec";
import {
  isAcpError,
  isRpcError,
  lostValue,
  RpcError,
  readThrown,
  rpcErrorCode,
  textOf,
  toRpcError,
  unknownOptions,
} from "@turnkit/transport";
import { shortened } from "./cut-text.js";
import { reportedErrors } from "./thrown-error.js";

/** End of a turn. */
export type TurnResult = {
  /**
   * Stop reason of the protocol, or of the agent itself. An own stop reason begins with `_`.
   *
   * - Any other stop reason is reported and sent as `end_turn`.
   * - A stop reason of more than 256 characters is reported and cut.
   *
   * @defaultValue "end_turn"
   */
  readonly stopReason?: StopReason;
  /** Tokens that this turn used. This member is unstable in the protocol, so clients may ignore it. */
  readonly usage?: TokenUsage;
  /** Metadata of the answer, or of the idle state in version 2. The session's log does not hold it. */
  readonly _meta?: Meta;
};

/** End of a prompt: either a stop reason, or the error that the client gets. */
export type TurnEnd =
  | { readonly stopReason: StopReason; readonly usage?: TokenUsage; readonly _meta?: Meta }
  | { readonly error: unknown };

type Report = (message: string, error: unknown, code?: "handler_failed") => void;

export type HandlerReport = (message: string, error: unknown, code: "handler_failed") => void;

/** Maximum size of the error or usage of an end, in bytes of JSON. */
const MAX_END_BYTES = 64 * 1024;

/** Maximum length of a stop reason, in characters. */
const MAX_STOP_REASON_LENGTH = 256;

/** Size of the stored event without the error or usage, in bytes. */
const AROUND_BYTES = 500;

/**
 * Returns a copy of an end that every dialect can send and the log can store. Never throws. These changes are passed to
 * `report`:
 *
 * - A `usage` that is not JSON is left out.
 * - An error whose `data` or message is not JSON is replaced by a general error.
 * - A `usage` that throws when it is read fails the turn, unless the turn was cancelled.
 * - A stop reason of more than 256 characters is cut.
 *
 * These changes are not reported:
 *
 * - An error that is too large is shortened.
 * - A `usage` that is too large is left out.
 */
export function sendableEnd(end: TurnEnd, maxEventBytes: number, report: Report): TurnEnd {
  const cut = withShortReason(end, report);
  try {
    return boundedEnd(jsonEnd(cut, report), Math.min(MAX_END_BYTES, maxEventBytes - AROUND_BYTES));
  } catch (error) {
    report("The end of a turn could not be read.", error);
    return bareEnd(cut);
  }
}

/** Returns an end without the usage or error text of the agent. Never throws. */
export function bareEnd(end: TurnEnd): TurnEnd {
  if (!("error" in end)) return { stopReason: end.stopReason };
  return { error: new RpcError(codeOf(end.error), "The turn failed with an error that cannot be sent") };
}

/** Stop reasons of the protocol. An agent's own stop reasons begin with `_`. */
const STOP_REASONS: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "end_turn",
  "max_tokens",
  "max_turn_requests",
  "refusal",
  "cancelled",
  "error",
]);

/** Members that usage needs. Clients drop other usage. */
const TOKENS = ["totalTokens", "inputTokens", "outputTokens"] as const;

const SAY = "Show it with turn.say, before the handler returns.";
const RESULT = {
  known: { stopReason: true, usage: true, _meta: true },
  remedies: { text: SAY, content: SAY, message: SAY },
};

/** Returns the end for the result of a handler. Reports a stop reason that no version of the protocol has. */
export function endOf(result: TurnResult | StopReason | undefined | void, report: HandlerReport): TurnEnd {
  if (typeof result === "string") return endOf({ stopReason: result }, report);
  // Only handlers in JavaScript return such results.
  const leftOut = (what: string, rest: TurnResult): TurnEnd => {
    report(`The handler of session/prompt returned ${what}. It was left out.`, undefined, "handler_failed");
    return endOf(rest, report);
  };
  if (result != null && !isObject(result)) return leftOut("a value that is neither a stop reason nor an object", {});
  if (Symbol.asyncIterator in (result ?? {})) return leftOut("a stream that nothing reads. Pass it to turn.say", {});
  for (const message of unknownOptions("the result of prompt", result ?? {}, RESULT)) {
    report(message, undefined, "handler_failed");
  }
  for (const name of ["usage", "_meta"] as const) {
    const isSound = result?.[name] == null || isObject(result[name]);
    if (!isSound) return leftOut(`${name} that is not an object`, { ...result, [name]: undefined });
  }
  const { stopReason: given = "end_turn", usage, _meta } = result ?? {};
  for (const message of lostValue("_meta of the result of prompt", _meta)) report(message, undefined, "handler_failed");
  const stopReason =
    typeof given === "string" ? knownReason(given, "The handler of session/prompt returned", report) : given;
  return { stopReason, ...(usage !== undefined && { usage }), ...(_meta !== undefined && { _meta }) };
}

/** Returns a stop reason of the protocol, or of the agent itself. Reports any other, which becomes `end_turn`. */
export function knownReason(given: StopReason, source: string, report: HandlerReport): StopReason {
  if (STOP_REASONS.has(given) || given.startsWith("_")) return given;
  const name = JSON.stringify(shortened(given, MAX_STOP_REASON_LENGTH - 1));
  const message = `${source} ${name}, which is not a stop reason of the protocol. The client gets end_turn.`;
  report(message, undefined, "handler_failed");
  return "end_turn";
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Returns the end for an error of a handler. These errors are not reported, because a handler may throw them as its answer:
 *
 * - an `RpcError`;
 * - an `AcpError`, unless its code is `state` or `capability`: then a call of the handler was wrong.
 */
export function failedEnd(thrown: unknown, report: HandlerReport): TurnEnd {
  const error = readThrown(thrown);
  const isMistake = isAcpError(error, "state") || isAcpError(error, "capability");
  if (isRpcError(error) || (isAcpError(error) && !isMistake)) return { error };
  const isReported = isMistake && reportedErrors.has(error);
  if (!isReported)
    report(`The handler of session/prompt failed: ${textOf(error)}${behind(error)}`, error, "handler_failed");
  return { error: isMistake ? error : RpcError.internalError(textOf(error)) };
}

/** Returns the cause of an error in brackets. The message of a failed `fetch` names no address, but its cause does. */
function behind(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof Error)) return "";
  // The cause has an empty message if several addresses of one host were tried.
  const text = textOf(cause) || String((cause as { readonly code?: unknown }).code ?? "");
  return text === "" ? "" : ` (${shortened(text, 500)})`;
}

/** Returns the end of a cancelled turn. The usage stays, because the turn has used these tokens. */
export function cancelledEnd(end: TurnEnd): TurnEnd {
  if ("error" in end) return { stopReason: "cancelled" };
  return { ...end, stopReason: "cancelled" };
}

/** Returns an end in the form that the session's state has. */
export function describeEnd(end: TurnEnd): Omit<SessionEvent & { readonly type: "turn_ended" }, "type" | "promptId"> {
  if ("stopReason" in end) {
    const { _meta, ...rest } = end;
    return rest;
  }
  const { code, message, data } = toRpcError(end.error);
  return { error: data === undefined ? { code, message } : { code, message, data } };
}

function withShortReason(end: TurnEnd, report: Report): TurnEnd {
  if ("error" in end || typeof end.stopReason !== "string") return end;
  const { stopReason } = end;
  if (stopReason.length <= MAX_STOP_REASON_LENGTH) return end;
  const bound = new RangeError(
    `The stop reason has ${stopReason.length} characters. The maximum is ${MAX_STOP_REASON_LENGTH}.`,
  );
  report("The stop reason of a turn was too long, and was cut.", bound);
  return { ...end, stopReason: shortened(stopReason, MAX_STOP_REASON_LENGTH - 1) as StopReason };
}

function jsonEnd(end: TurnEnd, report: Report): TurnEnd {
  if ("error" in end) return jsonError(end, report);
  if (typeof end.stopReason !== "string") return { error: RpcError.internalError("the stop reason is not a text") };
  if (end.usage === undefined && end._meta === undefined) return end;
  let copy: TurnEnd;
  try {
    copy = jsonCopy(end);
  } catch (error) {
    report("The usage of a turn could not be read.", error);
    return end.stopReason === "cancelled" ? bareEnd(end) : jsonError({ error }, report);
  }
  try {
    JSON.stringify(copy);
    return withReadableUsage(copy, report);
  } catch (error) {
    report("The usage of a turn is not JSON, and was left out.", error);
    return bareEnd(end);
  }
}

function withReadableUsage(end: TurnEnd, report: Report): TurnEnd {
  if ("error" in end || end.usage == null) return end;
  const { usage, ...rest } = end;
  if (TOKENS.every((name) => Number.isInteger(usage[name]))) return end;
  const advice = `Pass usage such as { ${TOKENS.join(", ")} }, in whole numbers.`;
  report(`The usage of a turn lacks a number of tokens, and was left out. ${advice}`, undefined, "handler_failed");
  return rest;
}

function jsonError(end: TurnEnd & { readonly error: unknown }, report: Report): TurnEnd {
  try {
    const { message, data } = toRpcError(end.error);
    JSON.stringify(data);
    if (typeof message !== "string") throw new TypeError("The message of the error is not a text.");
    return end;
  } catch (fault) {
    report("The error of a turn is not JSON, and was left out.", fault);
    return bareEnd(end);
  }
}

function codeOf(error: unknown): number {
  try {
    return toRpcError(error).code;
  } catch {
    // The getters of the error throw. `jsonError` has already reported that.
    return rpcErrorCode.internalError;
  }
}

/** Returns an end of at most `most` bytes. The client waits for the end, so the end must not be too large to send. */
function boundedEnd(end: TurnEnd, most: number): TurnEnd {
  if (!("error" in end)) return (end.usage ?? end._meta) === undefined || fits(end, most) ? end : bareEnd(end);
  const { code, message, data } = toRpcError(end.error);
  if (message.length <= most && fits([message, data], most)) return end;
  const length = Math.max(0, Math.floor(most / 2 / JSON_CHARACTER_BYTES));
  const { details } = (data ?? {}) as { readonly details?: unknown };
  const left = typeof details === "string" ? { details: shortened(details, length) } : undefined;
  return { error: new RpcError(code, shortened(message, length), left) };
}

function fits(value: unknown, most: number): boolean {
  try {
    return jsonBytes(value) <= most;
  } catch {
    // Sending refuses a value that is not JSON.
    return true;
  }
}
