import { type Evidence, failureOf, resultOf, seconds, updatesAfterTheEnd, wantsLogin } from "./evidence.js";
import { type Check, counted, type Finding, messageChecks } from "./message-checks.js";
import { previewChecks } from "./preview-checks.js";

/**
 * Milliseconds after a cancel in which the end of a turn proves nothing, because both messages may have been on the
 * way.
 */
const CROSSING = 1000;
/**
 * Milliseconds that an agent may take to exit after its stdin has ended. Clients send a signal after about this time.
 */
const EXIT_GRACE = 2000;

/** Checks in the order of the report: messages, then sessions, turns, restores, child sessions and the end of the agent. */
export const checks: readonly Check[] = [
  ...messageChecks,
  {
    id: "login",
    title: "offers a login method if it requires a login",
    advice: "List the login methods as authMethods in the answer to initialize.",
    tested: ({ newSession }) => newSession !== undefined,
    seen: ({ start, newSession }) => {
      if (!wantsLogin(newSession) || (resultOf(start)?.authMethods.length ?? 0) > 0) return undefined;
      return "it refuses a session without a login (-32000), but offers no login method";
    },
  },
  {
    id: "new-session",
    title: "opens a session",
    advice:
      "session/new with a cwd and an empty mcpServers has to work in any folder. A missing login is the error -32000.",
    tested: ({ newSession }) => newSession !== undefined && !wantsLogin(newSession),
    seen: ({ newSession }) => failureOf(newSession),
  },
  {
    id: "session-list",
    title: "lists its sessions if it offers session/list",
    advice: "Answer with the list of sessions, which may be empty, or do not announce the capability.",
    // Before a login, the agent does not list sessions.
    tested: ({ list }) => list !== undefined && !wantsLogin(list),
    seen: ({ list }) => brokenPromise("session/list", failureOf(list)),
  },
  {
    id: "prompt",
    title: "answers a prompt with text and a link to a file",
    advice:
      "Text and resource links are the content that every agent has to take. See the agent's stderr and its settings.",
    tested: ({ turn }) => turn !== undefined,
    seen: ({ turn }) => {
      const end = resultOf(turn);
      const failure = failureOf(turn) ?? (end?.error && `${end.error.message} (code ${end.error.code})`);
      if (failure !== undefined || (turn?.updates ?? 0) > 0) return failure;
      const advice = "Send at least one message. Otherwise people see an empty answer.";
      return { severity: "hint", seen: "a turn without a single update", advice };
    },
  },
  {
    id: "known-updates",
    title: "sends updates that clients know",
    advice: "Clients drop unknown updates. Put extensions into _meta, or into your own notifications (_name).",
    tested: hasSession,
    seen: ({ unknownUpdates }) => counted(unknownUpdates, "unknown update"),
  },
  {
    id: "coherent-updates",
    title: "sends updates that do not contradict each other",
    severity: "hint",
    advice: "Announce tool calls and messages before you change them, and end each only once.",
    tested: hasSession,
    seen: ({ anomalies }) => counted(anomalies, "oddity", "oddities"),
  },
  {
    id: "update-order",
    title: "sends all updates of a turn before its end",
    advice:
      "Wait until all updates of a turn are written before you answer session/prompt, because clients ignore later updates.",
    tested: ({ turn }) => turn !== undefined,
    seen: (evidence) =>
      counted(
        updatesAfterTheEnd(evidence),
        "update after the answer that ended its turn",
        "updates after the answer that ended their turn",
      ),
  },
  {
    id: "finished-tool-calls",
    title: "finishes its tool calls",
    severity: "hint",
    advice:
      "Send completed or failed for every call before the turn ends. Otherwise clients show the call as running forever.",
    tested: ({ turn }) => turn?.status === "done",
    seen: ({ turn }) =>
      counted(
        turn?.unfinished ?? [],
        "tool call without a final status at the end of its turn",
        "tool calls without a final status at the end of their turn",
      ),
  },
  {
    id: "cancel",
    title: "stops after session/cancel",
    advice: "After session/cancel, stop the model and the tools, and end the turn with the stop reason cancelled.",
    tested: ({ cancel }) => {
      if (cancel?.afterCancelMs === undefined) return false;
      const end = resultOf(cancel);
      const isProof = end === undefined || end.error !== undefined || end.stopReason === "cancelled";
      return isProof || cancel.afterCancelMs >= CROSSING;
    },
    seen: ({ cancel }) => {
      const failure = failureOf(cancel);
      if (failure !== undefined) return `after session/cancel: ${failure}`;
      const end = resultOf(cancel);
      if (end?.error !== undefined) return `the cancelled turn ended with an error: ${end.error.message}`;
      if (end?.stopReason === "cancelled") return undefined;
      const when = seconds(cancel?.afterCancelMs ?? 0);
      return `the turn continued for ${when} after session/cancel and ended as ${String(end?.stopReason)}`;
    },
  },
  ...previewChecks,
  {
    id: "restore-unknown",
    title: "refuses to restore sessions that never existed",
    advice:
      "Answer with the error -32002. Otherwise a person continues in an empty session, and believes that it is the old session.",
    tested: ({ restoreUnknown }) => restoreUnknown !== undefined,
    seen: ({ restoreUnknown }) => {
      if (resultOf(restoreUnknown) === false) return undefined;
      return failureOf(restoreUnknown) ?? "a session with an invented id was brought back";
    },
  },
  {
    id: "session-close",
    title: "closes a session if it offers session/close",
    advice: "End the session's work and answer, or do not announce the capability.",
    tested: ({ close }) => close !== undefined,
    seen: ({ close }) => brokenPromise("session/close", failureOf(close)),
  },
  {
    id: "own-reports",
    title: "names no mistakes of its own on stderr",
    severity: "hint",
    advice: "turnkit inside the agent wrote these lines. Each describes a wrong use of its API.",
    tested: ({ start, isRemote }) => resultOf(start) !== undefined && isRemote !== true,
    seen: ({ diagnostics }) =>
      diagnostics
        .filter(({ code }) => code === "agent_report")
        .map(({ message }) => message)
        .join("\n") || undefined,
  },
  {
    id: "exit",
    title: "ends when its stdin ends",
    advice:
      "The end of stdin is the end of the connection. Stop all work, and exit. Otherwise the process stays when the editor ends.",
    tested: ({ exit }) => exit !== undefined,
    seen: exitFault,
  },
];

function hasSession({ newSession }: Evidence): boolean {
  return newSession?.status === "done";
}

function brokenPromise(method: string, failure: string | undefined): string | undefined {
  return failure === undefined ? undefined : `${method} is offered, but fails: ${failure}`;
}

function exitFault({ exit }: Evidence): string | (Partial<Finding> & { readonly seen: string }) | undefined {
  if (exit?.status !== "done") return `it still ran after ${seconds(exit?.ms ?? 0)}`;
  const { kind, signal, exitCode, message, stderr } = exit.value;
  if (kind === "exit") {
    const seen = `it ended by itself: ${[message, stderr].filter(Boolean).join("\n")}`;
    return { seen, advice: "Do not exit before stdin ends, even after an error in a turn." };
  }
  if (signal != null || exit.ms >= EXIT_GRACE) return `no exit within ${seconds(EXIT_GRACE)} after the end of stdin`;
  if (exitCode === 0 || exitCode == null) return undefined;
  const seen = `exit code ${exitCode} after the end of stdin`;
  return { severity: "hint", seen, advice: "Exit with code 0 after the end of stdin." };
}
