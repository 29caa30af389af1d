import { createSessionState, reduceAll, type SessionEvent, type SessionState } from "@turnkit/session";
import type { WireEntry } from "@turnkit/transport/trace";

/** A terminal as it was at its end, for a view. */
export type ShownTerminal = { readonly event: SessionEvent; readonly state: SessionState };

type Members = Readonly<Record<string, unknown>>;
type Message = {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: Members;
  readonly result?: Members;
};
type Recorded = { command?: string; cwd?: string; output?: string; exitStatus?: Members };

/**
 * What commands of the recorded client printed, by the id of their terminal, as far as it told its agent: a log holds the
 * answers to `terminal/*` and nothing else of them. They ran in `directory` unless the log says otherwise.
 */
export function readRecordedTerminals(
  entries: readonly WireEntry[],
  directory: string,
): ReadonlyMap<string, ShownTerminal> {
  const asked = new Map<unknown, { readonly method: string; readonly params: Members }>();
  const terminals = new Map<string, Recorded>();
  for (const entry of entries) {
    if ("received" in entry) {
      const { id, method, params = {} } = (entry.received ?? {}) as Message;
      if (typeof method === "string" && method.startsWith("terminal/")) asked.set(id, { method, params });
    } else if ("sent" in entry) {
      const { id, method, result } = (entry.sent ?? {}) as Message;
      const question = method === undefined ? asked.get(id) : undefined;
      asked.delete(id);
      if (question !== undefined && typeof result === "object") learn(terminals, question, result);
    }
  }
  return new Map(
    [...terminals].map(([terminalId, recorded]) => [terminalId, shown(terminalId, { cwd: directory, ...recorded })]),
  );
}

function learn(
  terminals: Map<string, Recorded>,
  { method, params }: { readonly method: string; readonly params: Members },
  result: Members,
): void {
  const terminalId = String(params.terminalId ?? result.terminalId);
  const terminal = terminals.get(terminalId) ?? {};
  terminals.set(terminalId, terminal);
  if (method === "terminal/create") {
    terminal.command = [params.command, ...(Array.isArray(params.args) ? params.args : [])].join(" ");
    if (typeof params.cwd === "string") terminal.cwd = params.cwd;
  }
  if (typeof result.output === "string") terminal.output = result.output;
  const exitStatus = method === "terminal/wait_for_exit" ? result : result.exitStatus;
  if (typeof exitStatus === "object" && exitStatus !== null) terminal.exitStatus = exitStatus as Members;
}

function shown(terminalId: string, { command, cwd, output = "", exitStatus }: Recorded): ShownTerminal {
  const event = {
    ...{ type: "terminal_update", terminalId, output: { data: Buffer.from(output).toString("base64") } },
    ...(command !== undefined && { command }),
    ...(cwd !== undefined && { cwd }),
    ...(exitStatus && { exitStatus }),
  } as SessionEvent;
  return { event, state: reduceAll(createSessionState(), [event]) };
}
