import { isAcpError, isRpcError } from "@turnkit/client";
import { messageText, type SessionState } from "@turnkit/session";
import type { RunResult } from "../view.js";

/**
 * Result of a run as one JSON document. Members that do not apply to a run are absent. Later versions may add members,
 * but never remove one.
 */
export type ResultDocument = {
  readonly exitCode: number;
  readonly stopReason?: string;
  /** Text of the agent's answer without thoughts. Empty lines separate the messages. */
  readonly text: string;
  readonly toolCalls: readonly {
    readonly toolCallId: string;
    readonly kind: string;
    readonly status: string;
    readonly name?: string;
    readonly title?: string;
    readonly locations?: readonly { readonly path: string; readonly line?: number | null }[];
  }[];
  /** Numbers of tokens that the turn used. */
  readonly usage?: object;
  /** Fill and size of the model's context in tokens, and the cost of the session. */
  readonly context?: object;
  /** Numbers of permission questions by their outcome, if there was a question. */
  readonly permissions?: { readonly allowed: number; readonly denied: number };
  readonly sessionId?: string;
  readonly restored?: "replayed" | "resumed";
  readonly agent?: { readonly name: string; readonly version: string };
  /** Dialect: `v1`, `v2` or `seed`. */
  readonly protocol?: string;
  /**
   * Error of the run. `code` is a number if the agent sent the error, and a word if the error comes from this program.
   */
  readonly error?: { readonly message: string; readonly code?: number | string };
};

/** Creates the document of a run. Texts come from the session state, so they have the bounds of the state. */
export function resultDocument(result: RunResult): ResultDocument {
  const { exitCode, stopReason, session, peer, restored, promptId, permissions, error } = result;
  const { allowed = 0, denied = 0 } = permissions ?? {};
  const state = session?.state;
  const { usage } = state?.lastTurn ?? {};
  return {
    ...{ exitCode, stopReason: stopReason && String(stopReason) },
    ...(state === undefined || promptId === undefined ? { text: "", toolCalls: [] } : answerTo(promptId, state)),
    ...{ usage: promptId === undefined ? undefined : usage, context: state?.usage },
    permissions: allowed + denied > 0 ? { allowed, denied } : undefined,
    ...{ sessionId: session?.id, restored },
    agent: peer && { name: peer.info.name, version: peer.info.version },
    protocol: peer?.dialect,
    error: error === undefined ? undefined : errorDocument(error),
  };
}

/** Returns the messages and tool calls of the agent since the prompt. */
function answerTo(promptId: string, state: SessionState): Pick<ResultDocument, "text" | "toolCalls"> {
  const entries = [...state.timeline];
  // If the state has dropped the prompt to save memory, all remaining entries belong to the answer.
  const at = entries.findIndex((entry) => entry.type === "message" && entry.prompt?.promptId === promptId);
  const texts: string[] = [];
  const toolCalls: ResultDocument["toolCalls"][number][] = [];
  for (const entry of entries.slice(at + 1)) {
    if (entry.type === "message" && entry.role === "agent") texts.push(messageText(entry));
    if (entry.type !== "tool_call") continue;
    const { toolCallId, kind, status, name, title, locations } = entry;
    toolCalls.push({
      ...{ toolCallId, kind: String(kind), status: String(status), name, title },
      locations:
        locations.length > 0 ? locations.map(({ path, line }) => ({ path, line: line ?? undefined })) : undefined,
    });
  }
  return {
    text: texts
      .map((text) => text.trim())
      .filter(Boolean)
      .join("\n\n"),
    toolCalls,
  };
}

function errorDocument(error: unknown): NonNullable<ResultDocument["error"]> {
  const { message } = error instanceof Error ? error : (error as { message?: string });
  const code = isAcpError(error) || isRpcError(error) ? error.code : (error as { code?: unknown } | null)?.code;
  const hasCode = typeof code === "number" || typeof code === "string";
  return { message: message ?? String(error), code: hasCode ? code : undefined };
}
