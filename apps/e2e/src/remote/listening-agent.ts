import { createFolder } from "../interop/folder.js";
import { turnkitAgent } from "../interop/programs.js";
import { type RunningProgram, startProgram } from "../interop/running-program.js";

/** Our agent behind an address, until the end of the test. */
export type ListeningAgent = RunningProgram & { readonly url: string; readonly http: string };

/** Token of agents that get one. */
export const token = "a-token-of-the-tests-0123456789";

/** Starts our agent on a free port. Without other settings, it keeps no sessions, and wants {@link token}. */
export async function startListeningAgent(
  args: readonly string[] = [],
  {
    agent = turnkitAgent,
    env = { TURNKIT_TOKEN: token },
  }: { readonly agent?: readonly string[]; readonly env?: Record<string, string> } = {},
): Promise<ListeningAgent> {
  const program = startProgram([...agent, "--listen", "127.0.0.1:0", ...args], { cwd: await createFolder(), env });
  await program.printed("\n");
  const url = program.output.stdout.trim();
  return { ...program, url, http: url.replace("ws", "http") };
}
