import type { PermissionDecision, PermissionRequest } from "@turnkit/client";
import {
  createSessionState,
  type ElicitationAnswer,
  reduceAll,
  type SessionEvent,
  type SessionState,
} from "@turnkit/session";
import type { WireEntry } from "@turnkit/transport/trace";
import { foreignKey, idKey, isObject, type Members, membersOf } from "../output/foreign-value.js";

/** Final state of a recorded terminal, with its last event. */
export type ShownTerminal = { readonly event: SessionEvent; readonly state: SessionState };

type Answered = { readonly method: string; readonly params: Members; result: unknown };
type Recorded = { command?: string; cwd?: string; output?: string; exitStatus?: Members };

/**
 * Creates handlers that answer the agent's questions in the same way as the recorded client. Recorded answers of one
 * kind are used in the order in which the questions were asked. A question without a recorded answer is dismissed.
 */
export function createRecordedAnswers(entries: readonly WireEntry[]) {
  const questions = answersIn(entries);
  const answersTo = (wanted: string) => questions.filter(({ method }) => method === wanted).map(({ result }) => result);
  const permissions = answersTo("session/request_permission");
  const elicitations = answersTo("elicitation/create");
  return {
    permission({ options }: PermissionRequest): PermissionDecision {
      const { outcome } = membersOf(permissions.shift());
      const chosen = options.find(({ optionId }) => optionId === membersOf(outcome).optionId);
      return chosen === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId: chosen.optionId };
    },
    elicitation(): ElicitationAnswer {
      const { action, content } = membersOf(elicitations.shift());
      if (action === "accept") return { action, ...(isObject(content) && { content }) } as ElicitationAnswer;
      return { action: action === "decline" ? "decline" : "cancel" };
    },
  };
}

/**
 * Returns the terminals of a recorded client by id. The log contains their output only in the answers to `terminal/*`.
 * The working folder of a command is `directory` unless the log contains another one.
 */
export function readRecordedTerminals(
  entries: readonly WireEntry[],
  directory: string,
): ReadonlyMap<string, ShownTerminal> {
  const terminals = new Map<string, Recorded>();
  for (const { method, params, result } of answersIn(entries)) {
    if (method.startsWith("terminal/") && isObject(result)) learn(terminals, { method, params }, result);
  }
  return new Map(
    [...terminals].map(([terminalId, recorded]) => [terminalId, shown(terminalId, { cwd: directory, ...recorded })]),
  );
}

/** Returns the agent's requests with the results that the client sent, in the order of the requests. */
function answersIn(entries: readonly WireEntry[]): readonly Answered[] {
  const open = new Map<string, Answered>();
  const asked: Answered[] = [];
  for (const entry of entries) {
    if ("received" in entry) {
      const { id, method, params } = membersOf(entry.received);
      if (typeof method !== "string" || id === undefined) continue;
      const question: Answered = { method, params: membersOf(params), result: undefined };
      asked.push(question);
      open.set(idKey(id), question);
    } else if ("sent" in entry) {
      const { id, method, result } = membersOf(entry.sent);
      const question = method === undefined ? open.get(idKey(id)) : undefined;
      if (question === undefined) continue;
      question.result = result;
      open.delete(idKey(id));
    }
  }
  return asked;
}

function learn(terminals: Map<string, Recorded>, { method, params }: Omit<Answered, "result">, result: Members): void {
  const terminalId = foreignKey(params.terminalId ?? result.terminalId);
  const terminal = terminals.get(terminalId) ?? {};
  terminals.set(terminalId, terminal);
  if (method === "terminal/create") {
    terminal.command = [params.command, ...(Array.isArray(params.args) ? params.args : [])].map(foreignKey).join(" ");
    if (typeof params.cwd === "string") terminal.cwd = params.cwd;
  }
  if (typeof result.output === "string") terminal.output = result.output;
  const exitStatus = method === "terminal/wait_for_exit" ? result : result.exitStatus;
  if (isObject(exitStatus)) terminal.exitStatus = exitStatus;
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
