import type {
  ElicitationAnswer,
  ElicitationQuestion,
  Meta,
  PermissionOption,
  PermissionOutcome,
  PermissionQuestion,
  SessionEvent,
} from "@turnkit/session";
import { jsonCopy } from "@turnkit/session/codec";
import type { Driver } from "./driver/driver.js";
import { type Elicitations, faultOf, isFault, sentenceOf } from "./elicitations.js";
import { mustFit } from "./update-size.js";

/** Answer to a permission question, given by the user or by a policy of the client. */
export type PermissionAnswer = {
  /** True if the selected option was offered and is of an allowing kind. */
  readonly allowed: boolean;
  /** Selected option. Absent if the question was cancelled, was dismissed, or failed. */
  readonly option?: PermissionOption;
  /** Metadata of the client's answer. */
  readonly _meta?: Meta;
};

/** Permission question of an agent. Without options, the question has the {@link defaultPermissionOptions}. */
export type AskedQuestion = Omit<PermissionQuestion, "options"> & Partial<Pick<PermissionQuestion, "options">>;

/** Default options of a permission question: allow once, allow always, reject once, reject always. */
export const defaultPermissionOptions: readonly PermissionOption[] = /* @__PURE__ */ Object.freeze([
  { optionId: "allow_once", name: "Allow once", kind: "allow_once" },
  { optionId: "allow_always", name: "Always allow", kind: "allow_always" },
  { optionId: "reject_once", name: "Reject", kind: "reject_once" },
  { optionId: "reject_always", name: "Always reject", kind: "reject_always" },
] as const);

/** Members of a session that its questions use. */
export type AskingSession = {
  readonly id: string;
  readonly driver: Driver;
  readonly elicitations: Elicitations;
  readonly output: {
    newId(what: string): string;
    record(event: SessionEvent): void;
    readonly outbox: { makeWay(signal: AbortSignal): Promise<void> | undefined };
    onFault(message: string, error: unknown, code?: "invalid_message"): void;
  };
};

/** Asks for permission. Never rejects: a failed question counts as not allowed and is reported. */
export async function askPermission(
  { id, driver, output }: AskingSession,
  asked: AskedQuestion,
  signal: AbortSignal,
): Promise<PermissionAnswer> {
  const failed = (error: unknown) =>
    output.onFault(
      `A permission question failed, and counts as cancelled: ${sentenceOf(error)}`,
      error,
      faultOf(error),
    );
  const copy = fitting(asked, failed);
  if (copy === undefined) return { allowed: false };
  const question = { ...copy, options: copy.options ?? defaultPermissionOptions };
  const requestId = output.newId("ask");
  output.record({ type: "permission_asked", requestId, ...question });
  const sent = output.outbox.makeWay(signal);
  if (sent !== undefined) await sent;
  let outcome: PermissionOutcome = { outcome: "cancelled" };
  try {
    outcome = await driver.askPermission(id, question, signal);
  } catch (error) {
    // A failed question must not count as permission (V1-PERM-07, V2-PERM-09).
    if (isFault(error, signal)) failed(error);
  }
  output.record({ type: "permission_answered", requestId, outcome });
  const { _meta } = outcome;
  const answer = { ...readAnswer(question, outcome), ...(_meta && { _meta }) };
  if (outcome.outcome === "selected" && answer.option === undefined) {
    const message =
      "The client answered a permission question with an option that was not offered. It counts as refused.";
    output.onFault(message, undefined, "invalid_message");
  }
  return answer;
}

/** Asks a person in a session. Never rejects: a failed question counts as a cancel and is reported. */
export async function elicit(
  { id: sessionId, elicitations, output }: AskingSession,
  asked: ElicitationQuestion,
  { signal, toolCallId }: { readonly signal: AbortSignal; readonly toolCallId?: string },
): Promise<ElicitationAnswer> {
  const question = fitting(asked, elicitations.failed);
  if (question === undefined) return { action: "cancel" };
  const requestId = output.newId("ask");
  const about = toolCallId === undefined ? {} : { toolCallId };
  output.record({ type: "elicitation_asked", requestId, ...about, ...question });
  const sent = output.outbox.makeWay(signal);
  if (sent !== undefined) await sent;
  const answer = await elicitations.ask(question, { sessionId, ...about }, signal);
  output.record({ type: "elicitation_answered", requestId, answer });
  return answer;
}

/**
 * Returns a copy of a question that can be sent. Reports a question that is too large or cannot be read, and returns
 * `undefined`.
 */
function fitting<Q extends object>(asked: Q, failed: (error: unknown) => void): Q | undefined {
  try {
    const question = jsonCopy(asked);
    mustFit(question);
    return question;
  } catch (error) {
    failed(error);
    return undefined;
  }
}

// V1-PERM-07
/** Returns the answer for an outcome. An unknown outcome, and an option that was not offered, do not allow the call. */
function readAnswer(question: PermissionQuestion, outcome: PermissionOutcome): PermissionAnswer {
  if (outcome.outcome !== "selected") return { allowed: false };
  const option = question.options.find(({ optionId }) => optionId === outcome.optionId);
  if (option === undefined) return { allowed: false };
  return { allowed: option.kind === "allow_once" || option.kind === "allow_always", option };
}
