import {
  type CloseReason,
  type Diagnostic,
  isRpcError,
  type Peer,
  type RestoreOutcome,
  rpcErrorCode,
  type TurnEnd,
} from "@turnkit/client";
import { textOf } from "@turnkit/transport";
import { membersOf } from "../output/foreign-value.js";

/**
 * Result of one step of the examination, with its duration in milliseconds. `late` means that no answer came in time.
 */
export type Outcome<T = unknown> =
  | { readonly status: "done"; readonly ms: number; readonly value: T }
  | { readonly status: "failed"; readonly ms: number; readonly error: unknown }
  | { readonly status: "late"; readonly ms: number };

/** Limits of one step: its milliseconds (`Infinity` for no limit), and a signal that ends the wait. */
export type AttemptLimits = { readonly limit: number; readonly signal: AbortSignal };

/** Error of a step that measured its own time and took too long. */
export class Late extends Error {
  readonly ms: number;

  constructor(ms: number) {
    super("It took too long.");
    this.ms = ms;
  }
}

/**
 * Runs and times one step. The promise never rejects. Returns `undefined` if the signal aborts first, because an
 * aborted step proves nothing about the agent. If the work exceeds its limit, the work continues and its result is
 * dropped.
 */
export function attempt<T>(work: () => Promise<T>, { limit, signal }: AttemptLimits): Promise<Outcome<T> | undefined> {
  const began = performance.now();
  const passed = () => performance.now() - began;
  if (signal.aborted) return Promise.resolve(undefined);
  let timer: NodeJS.Timeout | undefined;
  let stop = () => {};
  const late = new Promise<Outcome<T> | undefined>((resolve) => {
    stop = () => resolve(undefined);
    if (Number.isFinite(limit)) timer = setTimeout(() => resolve({ status: "late", ms: passed() }), limit);
    signal.addEventListener("abort", stop, { once: true });
  });
  const done = work().then(
    (value): Outcome<T> => ({ status: "done", ms: passed(), value }),
    (error: unknown): Outcome<T> =>
      error instanceof Late ? { status: "late", ms: error.ms } : { status: "failed", ms: passed(), error },
  );
  return Promise.race([done, late]).finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  });
}

/** Returns the value of a step that succeeded. */
export function resultOf<T>(outcome: Outcome<T> | undefined): T | undefined {
  return outcome?.status === "done" ? outcome.value : undefined;
}

/** Returns a sentence with the reason why a step failed or was late; `undefined` for other steps. */
export function failureOf(outcome: Outcome | undefined): string | undefined {
  if (outcome?.status === "late") return `nothing came within ${seconds(outcome.ms)}`;
  if (outcome?.status !== "failed") return undefined;
  const { error } = outcome;
  const { code } = (error ?? {}) as { readonly code?: unknown };
  const message = textOf(error);
  return typeof code === "number" ? `${message} (code ${code})` : message;
}

/** Returns `true` if the agent refused a step because it needs a login. */
export function wantsLogin(outcome: Outcome | undefined): boolean {
  return outcome?.status === "failed" && isRpcError(outcome.error, rpcErrorCode.authRequired);
}

export function seconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** Message on the wire with its time, in milliseconds since the start of the agent. */
export type Frame = { readonly ms: number; readonly way: "sent" | "received"; readonly message: unknown };

export type TurnReport = Outcome<TurnEnd> & {
  readonly updates: number;
  /** Ids of tool calls without a final status when the turn ended. */
  readonly unfinished: readonly string[];
};

/** Results of an examination. If a member is absent, its step was not tried. */
export type Evidence = {
  /** `true` if a signal ended the examination early. */
  readonly interrupted?: boolean;
  /** `true` if more than 64 MiB arrived, which ended the examination. */
  readonly flooded?: boolean;
  /** The first messages: 20 000 or 16 MiB at most. */
  readonly frames: readonly Frame[];
  /** Number of messages after those of `frames`. */
  readonly leftOut?: number;
  /** First 100 lines on stdout that are not JSON. */
  readonly noise: readonly string[];
  /** `true` for an agent behind an address, whose stdin and stderr are not here. */
  readonly isRemote?: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** Start of the agent, until both sides agreed on a version. */
  readonly start?: Outcome<Peer>;
  /** Request with a method that no agent has. */
  readonly unknownMethod?: Outcome;
  /** Number of sessions in the agent's list, counted up to 1. */
  readonly list?: Outcome<number>;
  readonly newSession?: Outcome;
  readonly turn?: TurnReport;
  /** Second attempt to send the prompt of `turn`, with the same key. Absent if the agent takes no keys. */
  readonly repeated?: Outcome;
  /** Turn that was cancelled after its first update. `afterCancelMs` is absent if the turn ended before the cancel. */
  readonly cancel?: TurnReport & { readonly afterCancelMs?: number };
  /** Restore of the session, after its turns. */
  readonly restored?: Outcome<Exclude<RestoreOutcome, { readonly status: "unavailable" }>>;
  /** Attempt to restore a session that does not exist. The value is `true` if the agent restored it. */
  readonly restoreUnknown?: Outcome<boolean>;
  readonly close?: Outcome;
  /** First 100 updates whose type is unknown or that cannot be read. */
  readonly unknownUpdates: readonly string[];
  /** Contradictory updates, as recorded in the session state. */
  readonly anomalies: readonly string[];
  /** End of the process after its stdin was closed. */
  readonly exit?: Outcome<CloseReason>;
};

/** Members of a JSON-RPC message, before validation. */
export type Wire = {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: unknown;
};

/** Returns the message of a frame, or `{}` if the message is not an object. Params that are not an object are `{}`. */
export function wireOf({ message }: Frame): Wire {
  const members = membersOf(message);
  return { ...members, params: membersOf(members.params) };
}

/** Returns the messages that came from the agent. */
export function received({ frames }: Evidence): readonly Frame[] {
  return frames.filter(({ way }) => way === "received");
}

/** Returns the agent's answer to the first request of `method`. */
export function answerTo(method: string, { frames }: Evidence): Frame | undefined {
  const asked = frames.find((frame) => frame.way === "sent" && wireOf(frame).method === method);
  if (asked === undefined) return undefined;
  const { id } = wireOf(asked);
  return frames.find(
    (frame) => frame.way === "received" && wireOf(frame).method === undefined && wireOf(frame).id === id,
  );
}

/** Returns the kinds of updates that arrived between the answer to a prompt and the next prompt of that session. */
export function updatesAfterTheEnd({ frames }: Evidence): readonly string[] {
  const asked = new Map<unknown, unknown>();
  const ended = new Set<unknown>();
  const late: string[] = [];
  for (const frame of frames) {
    const { id, method, params, result } = wireOf(frame);
    if (frame.way === "sent" && method === "session/prompt") {
      asked.set(id, params.sessionId);
      ended.delete(params.sessionId);
    }
    // A replay repeats the updates of earlier turns.
    if (frame.way === "sent" && (method === "session/load" || method === "session/resume"))
      ended.delete(params.sessionId);
    if (frame.way !== "received") continue;
    const hasEnded = method === undefined && membersOf(result).stopReason !== undefined;
    if (hasEnded && asked.has(id)) ended.add(asked.get(id));
    const kind = membersOf(params.update).sessionUpdate;
    if (method === "session/update" && ended.has(params.sessionId) && typeof kind === "string" && turnUpdates.has(kind))
      late.push(kind);
  }
  return late;
}

/** Updates that belong to a turn. Settings, titles and usage do not belong to a turn and may change at any time. */
const turnUpdates = new Set(["agent_message_chunk", "agent_thought_chunk", "tool_call", "tool_call_update", "plan"]);
