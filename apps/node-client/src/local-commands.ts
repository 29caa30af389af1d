import { resolve } from "node:path";
import { listAgents } from "./agents/list-agents.js";
import type { ExitCode } from "./exit-code.js";
import { unlessAborted } from "./interrupts.js";
import type { Invocation } from "./invocation.js";
import { managePermissions } from "./manage-permissions.js";
import { manageMcp } from "./mcp/manage-mcp.js";
import type { ProgramStreams } from "./program.js";
import { showTrace } from "./trace/show-trace.js";

/** Command that only reads and changes files of this program. */
type LocalInvocation = Extract<
  Invocation,
  { readonly kind: "agents" | "trace show" | `permissions ${string}` | `mcp ${string}` }
>;

/** Runs a command that starts no agent, and returns the exit code. */
export function runLocalCommand(invocation: LocalInvocation, streams: ProgramStreams): Promise<ExitCode> {
  return unlessAborted(run(invocation, streams), streams.interrupts.cancel);
}

function run(invocation: LocalInvocation, streams: ProgramStreams): Promise<ExitCode> {
  switch (invocation.kind) {
    case "agents":
      return listAgents(invocation.json, streams);
    case "permissions list":
    case "permissions revoke":
    case "permissions clear":
      return managePermissions(invocation, streams);
    case "trace show":
      return showTrace(resolve(invocation.file), invocation.full, streams);
    default:
      return manageMcp(invocation, streams);
  }
}
