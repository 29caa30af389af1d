import { startDeadline, unlessAborted } from "./interrupts.js";
import type { RunInvocation } from "./invocation.js";
import { withOwnServers } from "./mcp/own-servers.js";
import { createJsonView, createNdjsonView } from "./output/json-view.js";
import { createQuietView } from "./output/quiet-view.js";
import { openPermissionStore } from "./permission-store.js";
import { createPermissionPolicy } from "./permissions.js";
import type { Judge } from "./policy-file.js";
import type { ProgramStreams } from "./program.js";
import type { PromptDraft } from "./prompt/prompt-draft.js";
import { runPrompt } from "./run.js";
import type { Spawn } from "./setup/early-agent.js";
import { agentIdentity, type Setup } from "./setup/setup.js";
import { createTerminalView } from "./terminal-view.js";

export type PreparedRun = ProgramStreams & {
  readonly invocation: RunInvocation;
  readonly setup: Setup;
  readonly judge: Judge;
  /** Prompt to send. If absent, the session is only shown. */
  readonly prompt: PromptDraft | undefined;
  /** Process of the agent, which has been started. Absent for a remote agent. */
  readonly spawn: Spawn | undefined;
};

/**
 * Connects to the agent, sends the prompt, shows the answer, and returns the exit code.
 *
 * @throws UsageError if the user's file of MCP servers is not valid, or Interrupted after Ctrl-C
 */
export async function runPrepared(run: PreparedRun): Promise<number> {
  const { invocation, setup, judge, prompt, spawn, interrupts, env, stdout } = run;
  const { session: wish, timeoutMs, settings } = invocation;
  const store = await openPermissionStore(env, setup.directory);
  const views = { text: createTerminalView, quiet: createQuietView, json: createJsonView, ndjson: createNdjsonView };
  // Without a prompt, the session is only shown, so there is no answer.
  const usual = stdout.isTTY === true || prompt === undefined ? "text" : "quiet";
  const view = views[invocation.output ?? usual](run, setup.directory);
  const complete = await unlessAborted(withOwnServers(setup, { view, env, interrupts }), interrupts.cancel);
  const deadline = startDeadline(timeoutMs, interrupts);
  const { exitCode } = await runPrompt({
    ...{ setup: complete, view, interrupts, deadline, settings, spawn, prompt, wish },
    permissions: createPermissionPolicy(judge, view, store.of(agentIdentity(setup))),
  });
  deadline.release();
  return exitCode;
}
