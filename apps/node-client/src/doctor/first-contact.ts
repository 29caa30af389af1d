import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, isRpcError, type Peer, rejectOnce, rpcErrorCode } from "@turnkit/client";
import { textOf } from "@turnkit/transport";
import { Interrupted, unlessAborted } from "../interrupts.js";
import type { Setup } from "../setup/setup.js";
import { startAgent } from "../setup/start-agent.js";

/**
 * Result of one step, with its duration in milliseconds. `late` means that no answer came in time.
 */
export type Outcome<T = unknown> =
  | { readonly status: "done"; readonly ms: number; readonly value: T }
  | { readonly status: "failed"; readonly ms: number; readonly error: unknown }
  | { readonly status: "late"; readonly ms: number };

/** Results of the first contact with an agent. If a member is absent, its step was not tried. */
export type Contact = {
  /** Start of the agent, until both sides agreed on a version. */
  readonly start?: Outcome<Peer>;
  readonly newSession?: Outcome;
  /** `false` for an agent behind an address, because this program cannot read its stderr. */
  readonly isLocal: boolean;
  /** Mistakes that turnkit inside the agent reported on stderr, at most 20. */
  readonly ownReports: readonly string[];
};

export type ContactOptions = {
  /** Ends the contact. The results of the finished steps are returned. */
  readonly signal: AbortSignal;
  /** Folder of the session. Default: a new folder in the temporary folder. */
  readonly directory?: string;
  /** Called with a sentence before each step. */
  readonly onStep?: (text: string) => void;
};

/** Longest wait for the session, in milliseconds. */
const SESSION_MS = 60_000;

/**
 * Starts an agent as a conversation would, opens a session, and ends the agent. The start has the time limit of the setup,
 * because a package runner may have to fetch the agent first. Never rejects, because failures are part of the result.
 */
export async function meetAgent(setup: Setup, options: ContactOptions): Promise<Contact> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "turnkit-doctor-")));
  const ownReports: string[] = [];
  const isLocal = setup.remote === undefined;
  const starting = startAgent(setup, {
    permissions: rejectOnce,
    onDiagnostic: ({ code, message }) => code === "agent_report" && ownReports.push(message),
  });
  let client: Client | undefined;
  try {
    const { signal, directory = folder, onStep = () => {} } = options;
    const mayFetch = setup.runnerFolder !== undefined;
    onStep(`Starting the agent …${mayFetch ? " Its package runner may have to download it first." : ""}`);
    const start = await attempt(starting, signal);
    if (start?.status !== "done") return { start, isLocal, ownReports };
    client = start.value;
    onStep("The agent has started. Opening a session …");
    const newSession = await attempt(openSession(client, directory), signal, AbortSignal.timeout(SESSION_MS));
    const { peer } = client;
    return { start: { ...start, value: peer }, newSession, isLocal, ownReports };
  } finally {
    void starting.then((late) => late.close()).catch(() => undefined);
    await client?.close();
    await setup.trace?.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Opens a session. If the agent can delete sessions, the session is deleted afterwards. */
async function openSession(client: Client, cwd: string): Promise<void> {
  const { id } = await client.newSession({ cwd });
  if (client.peer.capabilities.delete) await client.deleteSession(id).catch(() => undefined);
}

/**
 * Waits for a step and measures it. Returns `undefined` if `signal` aborts first, because an abort is not a fault of
 * the agent.
 */
async function attempt<T>(step: Promise<T>, signal: AbortSignal, limit?: AbortSignal): Promise<Outcome<T> | undefined> {
  const began = performance.now();
  const passed = () => performance.now() - began;
  try {
    const value = await unlessAborted(limit ? unlessAborted(step, limit) : step, signal);
    return { status: "done", ms: passed(), value };
  } catch (error) {
    if (!(error instanceof Interrupted)) return { status: "failed", ms: passed(), error };
    return signal.aborted ? undefined : { status: "late", ms: passed() };
  }
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
  return typeof code === "number" ? `${textOf(error)} (code ${code})` : textOf(error);
}

/** Returns `true` if the agent refused a step because it needs a login. */
export function wantsLogin(outcome: Outcome | undefined): boolean {
  return outcome?.status === "failed" && isRpcError(outcome.error, rpcErrorCode.authRequired);
}

export function seconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
