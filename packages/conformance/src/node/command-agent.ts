import { Readable, Writable } from "node:stream";
import { checkOptions } from "@turnkit/transport";
import { ByteRing, startProcess } from "@turnkit/transport/node";
import type { AgentPipe, OpenAgent } from "../agent/agent-pipe.js";
import { endProgram } from "./end-program.js";

/** Options of {@link commandAgent}. */
export type CommandAgentOptions = {
  /** Folder in which the agent starts. @defaultValue the folder of this process */
  readonly cwd?: string;
  /** Complete environment of the agent. @defaultValue the environment of this process */
  readonly env?: Readonly<Record<string, string | undefined>>;
};

const STDERR_BYTES = 16 * 1024;

/**
 * Returns a function that starts an agent by its command, without a shell, as a process of its own for each conversation. The
 * process and its children are ended with the conversation.
 *
 * The returned function rejects with a `SpawnError` if the program cannot be started.
 */
export function commandAgent(command: readonly [string, ...string[]], options: CommandAgentOptions = {}): OpenAgent {
  checkOptions("commandAgent", options, { cwd: "string", env: "any" });
  const { cwd, env = process.env } = options;
  return async (): Promise<AgentPipe> => {
    const group = await startProcess(command, { ...(cwd !== undefined && { cwd }), env, stdin: true });
    const { stdin, stdout, stderr } = group.child;
    const lines = new ByteRing(STDERR_BYTES);
    stderr?.on("data", (bytes: Uint8Array) => lines.append(bytes));
    // The conversation notices the end of the agent by its stdout.
    stdin?.on("error", () => {});
    return {
      readable: Readable.toWeb(stdout as Readable) as ReadableStream<Uint8Array>,
      writable: Writable.toWeb(stdin as Writable) as WritableStream<Uint8Array>,
      stderr: () => lines.text(),
      exited: group.exited,
      kill: () => endProgram(group),
    };
  };
}
