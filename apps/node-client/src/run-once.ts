import { unlessAborted } from "./interrupts.js";
import type { RunInvocation } from "./invocation.js";
import { createRemarks } from "./output/remarks.js";
import { readPermissions } from "./permission-judges.js";
import type { ProgramStreams } from "./program.js";
import { readPrompt } from "./prompt/read-prompt.js";
import { startEarly } from "./setup/early-agent.js";
import { hereOf, readSetup } from "./setup/setup.js";

/**
 * Runs one prompt and returns the exit code. The process of the agent starts first. The client and its output are
 * loaded at the same time.
 *
 * A fault of the prompt or of an option is found before the agent starts. A fault in the file of MCP servers is found
 * later.
 *
 * @throws UsageError, or Interrupted after Ctrl-C before the prompt is sent
 */
export async function runOnce(invocation: RunInvocation, streams: ProgramStreams): Promise<number> {
  const { interrupts, env, stdin } = streams;
  const { note } = createRemarks(streams);
  const prepare = async () => {
    const judge = await readPermissions(invocation.permissions);
    const setup = await readSetup(invocation, env);
    const place = { here: process.cwd(), directory: hereOf(setup) };
    const mayBeEmpty = invocation.session !== undefined;
    return { judge, setup, prompt: await readPrompt({ ...invocation, ...place, stdin, note, mayBeEmpty }) };
  };
  const prepared = await unlessAborted(prepare(), interrupts.cancel);
  const spawn = startEarly(prepared.setup);
  const { runPrepared } = await import("./run-prepared.js");
  return runPrepared({ ...streams, ...prepared, invocation, spawn });
}
