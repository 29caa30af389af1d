import { resolve } from "node:path";
import { listAgents } from "./agents/list-agents.js";
import { exitCode } from "./exit-code.js";
import { unlessAborted } from "./interrupts.js";
import type { Invocation } from "./invocation.js";
import { managePermissions } from "./manage-permissions.js";
import { manageMcp } from "./mcp/manage-mcp.js";
import type { ProgramStreams } from "./program.js";
import { showTrace } from "./trace/show-trace.js";

/** Command that only reads and changes files of this program. */
export type LocalInvocation = Extract<
  Invocation,
  { readonly kind: "agents" | "trace show" | `permissions ${string}` | `mcp ${string}` }
>;

/** Runs a command that starts no agent, and returns the exit code. */
export async function runLocalCommand(invocation: LocalInvocation, streams: ProgramStreams): Promise<number> {
  const { stdout, env, interrupts } = streams;
  switch (invocation.kind) {
    case "agents":
      await unlessAborted(listAgents(invocation.json, env, stdout), interrupts.cancel);
      return exitCode.ended;
    case "permissions list":
    case "permissions revoke":
    case "permissions clear":
      return unlessAborted(managePermissions(invocation, streams), interrupts.cancel);
    case "trace show":
      await unlessAborted(
        showTrace(resolve(invocation.file), { ...streams, full: invocation.full }),
        interrupts.cancel,
      );
      return exitCode.ended;
    default:
      return unlessAborted(manageMcp(invocation, streams), interrupts.cancel);
  }
}
