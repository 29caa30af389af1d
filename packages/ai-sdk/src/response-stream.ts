import { isAcpError, type Session, type Turn, type TurnEnd } from "@turnkit/client";
import type { SessionState } from "@turnkit/session";
import type { AcpChunk } from "./acp-message.js";
import type { Response } from "./response.js";

/** Parts of the stream of a response. */
export type StreamParts = {
  readonly session: Session;
  readonly response: Response;
  /** Chunks before the first change. */
  readonly first: readonly AcpChunk[];
  /** Turn whose end is the end of the stream. Without it, the stream ends when nothing works. */
  readonly turn?: Turn | undefined;
  /** True if a permission question ends the stream. */
  readonly endsAtQuestions: boolean;
};

const finishReasons: { readonly [reason: string]: "stop" | "length" | "content-filter" | "error" } = {
  end_turn: "stop",
  max_tokens: "length",
  refusal: "content-filter",
  error: "error",
};

/** Returns true while something works or waits for an answer. */
export function isInProgress({ activity, pendingPermissions, pendingElicitations, closed }: SessionState): boolean {
  return !closed && (activity.state !== "idle" || pendingPermissions.length + pendingElicitations.length > 0);
}

/**
 * Streams the chunks of a response. The state is read when the reader asks for the next chunk, so a slow reader neither
 * slows the agent nor fills a queue. Cancelling the stream does not cancel the turn.
 */
export function streamResponse({
  session,
  response,
  first,
  turn,
  endsAtQuestions,
}: StreamParts): ReadableStream<AcpChunk> {
  let changed = (): void => undefined;
  /** State at the end of the turn. Later changes belong to the next turn. */
  let last: SessionState | undefined;
  const unsubscribe = session.subscribe(() => changed());
  const over = (): void => {
    last = session.state;
    changed();
  };
  turn?.ended.then(over, over);
  const isAsked = () => !last && endsAtQuestions && session.state.pendingPermissions.length > 0;
  const isOver = () => last || isAsked() || !(turn || isInProgress(session.state));
  const lastChunks = async (): Promise<readonly AcpChunk[]> =>
    isAsked()
      ? [{ type: "finish", finishReason: "tool-calls" }]
      : chunksOf((last ? await turn?.ended.catch(fail) : session.state.lastTurn) ?? {});
  return new ReadableStream<AcpChunk>(
    {
      start(controller) {
        for (const chunk of first) controller.enqueue(chunk);
      },
      async pull(controller) {
        for (;;) {
          // A policy that decides immediately leaves no question for a person.
          if (isAsked()) await new Promise((resolve) => setTimeout(resolve));
          const chunks = response.chunks(last ?? session.state);
          const isLast = chunks.length === 0 && isOver();
          if (isLast) {
            unsubscribe();
            chunks.push(...response.end(), ...(await lastChunks()));
          }
          for (const chunk of chunks) controller.enqueue(chunk);
          if (isLast) controller.close();
          if (chunks.length > 0) return;
          await new Promise<void>((resolve) => {
            changed = resolve;
          });
        }
      },
      cancel: unsubscribe,
    },
    { highWaterMark: 0 },
  );
}

function chunksOf({ stopReason, usage, error }: Partial<TurnEnd>): readonly AcpChunk[] {
  const finishReason = finishReasons[`${stopReason}`] ?? "other";
  return [
    { type: "message-metadata", messageMetadata: { stopReason, error, usage } },
    ...(stopReason === "cancelled" ? [{ type: "abort" } as const] : []),
    ...(error ? [{ type: "error", errorText: error.message } as const] : []),
    { type: "finish", finishReason },
  ];
}

/** Fails with the error of a lost turn. A chat recognises a lost connection by the type and the words of the error. */
function fail(error: unknown): never {
  if (!isAcpError(error, "connection_closed")) throw error;
  throw new TypeError(`The network connection was lost. ${error.message}`, { cause: error });
}
