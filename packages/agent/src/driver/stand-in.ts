import type { PermissionOption, PermissionOutcome, PermissionQuestion } from "@turnkit/session";
import type { Connection } from "@turnkit/transport";

/** Params of a question in a dialect whose questions are about tool calls. */
type Asked = { readonly toolCall?: { readonly toolCallId: string; readonly title: string } };

/**
 * Asks for permission. In version 1 and seed, every question is about a tool call, and clients show the call. If the
 * question has none, its params contain an invented call, which has a new id here and ends with the answer.
 */
export async function askWithStandIn(
  { connection, sessionId, question, signal }: Parts,
  params: object,
  ask: (params: object) => Promise<PermissionOutcome>,
): Promise<PermissionOutcome> {
  const { toolCall }: Asked = params;
  if (question.subject?.type === "tool_call" || toolCall === undefined) return ask(params);
  // Otherwise an equal question would open a finished call again.
  const toolCallId = `${toolCall.toolCallId}-${crypto.randomUUID().slice(0, 8)}`;
  let isOpen = true;
  const end = (status: "completed" | "failed"): void => {
    if (!isOpen) return;
    isOpen = false;
    // A client that has loaded the session again does not know the call, so the update contains the title.
    const update = { sessionUpdate: "tool_call_update", toolCallId, title: toolCall.title, status };
    connection.notify("session/update", { sessionId, update });
  };
  // The update must be sent before the answer to the prompt.
  const fail = (): void => end("failed");
  signal.addEventListener("abort", fail, { once: true });
  try {
    const outcome = await ask({ ...params, toolCall: { ...toolCall, toolCallId } });
    if (allows(question.options, outcome)) end("completed");
    return outcome;
  } finally {
    signal.removeEventListener("abort", fail);
    end("failed");
  }
}

/** Parts of a question. */
type Parts = {
  readonly connection: Connection;
  readonly sessionId: string;
  readonly question: PermissionQuestion;
  readonly signal: AbortSignal;
};

const allows = (options: readonly PermissionOption[], outcome: PermissionOutcome): boolean =>
  outcome.outcome === "selected" &&
  options.some(({ optionId, kind }) => optionId === outcome.optionId && kind.startsWith("allow_"));
