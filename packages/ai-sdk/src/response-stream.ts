import { isAcpError, type Session, type TurnEnd } from "@turnkit/client";
import type { SessionState } from "@turnkit/session";
import type { AcpChunk } from "./acp-message.js";
import type { Response } from "./response.js";

/** Parts of the stream of a response. */
export type StreamParts = {
  readonly session: Session;
  readonly response: Response;
  /** Chunks before the first change. */
  readonly first: readonly AcpChunk[];
  /** End of the turn. Without it, the stream ends when nothing works. */
  readonly ended: Promise<TurnEnd> | undefined;
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
export function isLive({ activity, pendingPermissions, pendingElicitations, closed }: SessionState): boolean {
  return !closed && (activity.state !== "idle" || pendingPermissions.length > 0 || pendingElicitations.length > 0);
}

/**
 * Streams the chunks of a response. The state is read when the reader asks for the next chunk, so a slow reader neither
 * slows the agent nor fills a queue. Cancelling the stream does not cancel the turn.
 */
export function streamResponse({
  session,
  response,
  first,
  ended,
  endsAtQuestions,
}: StreamParts): ReadableStream<AcpChunk> {
  let end: (() => readonly AcpChunk[]) | undefined;
  let changed = (): void => undefined;
  const unsubscribe = session.subscribe(() => changed());
  const over = (last: typeof end): void => {
    end = last;
    changed();
  };
  ended?.then(
    (turn) => over(() => lastChunks(turn)),
    (error) =>
      over(() => {
        throw failureOf(error);
      }),
  );
  const isAsked = () => endsAtQuestions && session.state.pendingPermissions.length > 0;
  const isOver = () => end !== undefined || isAsked() || !(ended || isLive(session.state));
  const last = () => end?.() ?? (isAsked() ? ASKED : lastChunks({ ...session.state.lastTurn }));
  return new ReadableStream<AcpChunk>(
    {
      start(controller) {
        for (const chunk of first) controller.enqueue(chunk);
      },
      async pull(controller) {
        for (;;) {
          // A policy that decides at once leaves no question for a person.
          if (isAsked()) await new Promise((resolve) => setTimeout(resolve));
          const chunks = response.chunks(session.state);
          const isLast = chunks.length === 0 && isOver();
          if (isLast) unsubscribe();
          for (const chunk of isLast ? [...response.end(), ...last()] : chunks) controller.enqueue(chunk);
          if (isLast) controller.close();
          if (isLast || chunks.length > 0) return;
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

const ASKED: readonly AcpChunk[] = [{ type: "finish", finishReason: "tool-calls" }];

function lastChunks({ stopReason, usage, error }: Partial<TurnEnd>): readonly AcpChunk[] {
  const finish: AcpChunk = { type: "finish", finishReason: finishReasons[`${stopReason}`] ?? "other" };
  const messageMetadata = { ...(stopReason && { stopReason }), ...(error && { error }), ...(usage && { usage }) };
  return [
    { type: "message-metadata", messageMetadata },
    ...(stopReason === "cancelled" ? [{ type: "abort" } as const] : []),
    ...(error ? [{ type: "error", errorText: error.message } as const] : []),
    finish,
  ];
}

/** Returns the error of a lost turn. A chat recognises a lost connection by the type and the words of the error. */
function failureOf(error: unknown): unknown {
  if (!isAcpError(error, "connection_closed")) return error;
  return new TypeError(`The network connection was lost. ${error.message}`, { cause: error });
}
