import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createFolder } from "../interop/folder.js";
import { turnkit } from "../interop/programs.js";
import { runSource } from "../process/source.js";
import { createGateServer } from "./gate-server.js";
import { keys, PseudoTerminal, type PseudoTerminalOptions } from "./pseudo-terminal.js";

const scriptedAgent = runSource(new URL("./scripted-agent-main.ts", import.meta.url));

/** Agent that repeats the prompts. Arguments: the folder of its sessions, and the number of its commands. */
export const dailyAgent = runSource(new URL("./daily-agent-main.ts", import.meta.url));

/** Settings of a client in a terminal. */
type Start = Partial<PseudoTerminalOptions> & {
  /** The name of the agent's script. */
  readonly script?: string;
  readonly agent?: readonly string[];
  /** True if the test kills the agent. */
  readonly isMortal?: boolean;
  /** Options of the client. */
  readonly args?: readonly string[];
};

/** The client in a terminal, ready to be typed into, with a scripted agent behind it, or the one of that command. */
export async function openInteractive({ script = "", agent, args = [], isMortal = false, ...options }: Start) {
  const gates = await createGateServer();
  const notes = await createFolder();
  const plain = agent ?? [...scriptedAgent, script, String(gates.port)];
  const command = isMortal ? ["sh", "-c", `echo $$ > ${notes}/pid; exec "$@"`, "sh", ...plain] : plain;
  const terminal = await PseudoTerminal.open({
    command: [...turnkit, ...args, "--", ...command],
    ...{ cwd: await createFolder(), ...options },
  });
  await terminal.until((screen) => /^❯/m.test(screen) && !/^● (?:Starting|Opening)/m.test(screen));
  return {
    terminal,
    gates,
    /** Types a prompt, and Enter when it stands there. */
    async ask(prompt: string) {
      terminal.type(prompt);
      await terminal.until((screen) => screen.includes(`❯ ${prompt}`));
      terminal.type(keys.enter);
    },
    /** Waits for the answer of the agent and for the end of its turn, before which the client refuses to open a session. */
    async heard(prompt: string) {
      await terminal.until((screen) => screen.includes(`Heard: ${prompt}`) && !screen.includes("Working"));
    },
    /** Kills the agent of a client with `isMortal`. */
    async killAgent() {
      process.kill(Number(await readFile(join(notes, "pid"), "utf8")), "SIGKILL");
    },
    async quit(): Promise<number> {
      terminal.type(keys.ctrlC);
      await terminal.until(/Ctrl-C again/);
      terminal.type(keys.ctrlC);
      return terminal.exited;
    },
    async [Symbol.asyncDispose]() {
      await terminal[Symbol.asyncDispose]();
      await gates[Symbol.asyncDispose]();
    },
  };
}
