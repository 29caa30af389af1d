import type { PermissionQuestion, WireEvent } from "@turnkit/session";
import type { Room } from "@turnkit/transport";
import { type AgentTerminal, type AgentTerminalStart, openAgentTerminal } from "./agent-terminal.js";
import { openToolCall, type ToolCallOwner } from "./live-tool-call.js";
import { type AskingSession, askPermission, type PermissionAnswer } from "./questions.js";
import type { SessionOutput } from "./session-output.js";
import type { ToolCall, ToolCallStart } from "./tool-call.js";

/** Session whose tool calls and terminals belong to no turn. */
type CallingSession = AskingSession &
  ToolCallOwner["session"] & {
    readonly output: SessionOutput;
    emitChecked(event: WireEvent): Room;
  };

/** Opens a tool call that belongs to no turn. */
export function openSessionCall(session: CallingSession, start: ToolCallStart): ToolCall {
  const { isClosed: isOver, signal, work } = session.output;
  const requestPermission = async (question: PermissionQuestion): Promise<PermissionAnswer> =>
    signal.aborted ? { allowed: false } : askPermission(session, question, signal);
  const emit = (event: WireEvent): Room => session.emitChecked(event);
  const call = openToolCall({ session, signal, emit, requestPermission, isOver }, start);
  work.add("tool_call", call.id);
  return call;
}

/** Opens a terminal that belongs to no turn. */
export function openSessionTerminal(session: CallingSession, start: AgentTerminalStart): AgentTerminal {
  const terminal = openAgentTerminal(session, start);
  session.output.work.add("terminal", terminal.terminalId);
  return terminal;
}
