import { resolve } from "node:path";
import { setUpAgent } from "./agents/set-up-agent.js";
import { runDoctor } from "./doctor/run-doctor.js";
import type { Invocation } from "./invocation.js";
import type { ProgramStreams } from "./program.js";
import { manageSessions } from "./sessions/manage-sessions.js";
import { replayTrace } from "./trace/replay-trace.js";

type AgentInvocation = Extract<
  Invocation,
  { readonly kind: "setup" | "doctor" | "trace replay" | `sessions ${string}` }
>;

/** Runs a command that uses an agent or the record of an agent, and returns the exit code. */
export function runAgentCommand(invocation: AgentInvocation, streams: ProgramStreams): Promise<number> {
  switch (invocation.kind) {
    case "setup":
      return setUpAgent(invocation, streams);
    case "doctor":
      return runDoctor(invocation, streams);
    case "trace replay":
      return replayTrace(resolve(invocation.file), streams);
    default:
      return manageSessions(invocation, streams);
  }
}
