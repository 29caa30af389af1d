import { existsSync, statSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { checkOptions } from "@turnkit/transport";
import { ByteRing, startProcess } from "@turnkit/transport/node";
import type { ClientPipe, OpenClient } from "../client/client-pipe.js";
import { createStandIn } from "./agent-stand-in.js";
import { createClientFolder } from "./client-folder.js";
import { endProgram, outputEnded } from "./end-program.js";
import { joinWords, splitWords } from "./words.js";

/** Options of {@link commandClient}. */
export type CommandClientOptions = {
  /** Absolute path of an empty folder, in which each client gets a folder of its own. The caller removes it. */
  readonly folder: string;
  /** Command line that restores the session `{session}` before its prompt. Without it, restores are not checked. */
  readonly restore?: string;
  /** Complete environment of the client. @defaultValue the environment of this process */
  readonly env?: Readonly<Record<string, string | undefined>>;
};

const OUTPUT_BYTES = 32 * 1024 * 1024;
const STDERR_BYTES = 16 * 1024;

/**
 * Returns a function that starts a client by its command line, without a shell, as a process of its own for each scene. In the
 * line, `{agent}` stands for the command of the agent: as a word of its own, it becomes several words.
 *
 * The client starts in a folder of its own. A word with a dot or a slash that names a file in the current folder, such
 * as `client.mjs`, becomes its absolute path.
 *
 * The returned function rejects with a `SpawnError` if the program cannot be started.
 *
 * @throws Error for a line without `{agent}`, or with a quote that does not end
 */
export function commandClient(line: string, options: CommandClientOptions): OpenClient {
  checkOptions("commandClient", options, { folder: "string", restore: "string", env: "any" });
  const { folder: parent, restore, env = process.env } = options;
  const words = { run: wordsOf(line), restore: restore === undefined ? undefined : wordsOf(restore) };
  return async ({ session }): Promise<ClientPipe | undefined> => {
    const template = session === undefined ? words.run : words.restore;
    if (template === undefined) return undefined;
    const root = await mkdtemp(join(parent, "client-"));
    const [folder, standIn] = await Promise.all([createClientFolder(root), createStandIn()]);
    const program = join(root, "agent.cjs");
    await writeFile(program, standIn.source);
    const [file = "", ...args] = filled(template, [process.execPath, program], session ?? "");
    const group = await startProcess([file, ...args], { cwd: folder.cwd, env, stdin: false }).catch(
      (error: unknown) => {
        standIn.close();
        throw error;
      },
    );
    const { stdout, stderr } = group.child;
    const [printed, complained] = [new ByteRing(OUTPUT_BYTES), new ByteRing(STDERR_BYTES)];
    stdout?.on("data", (bytes: Uint8Array) => printed.append(bytes));
    stderr?.on("data", (bytes: Uint8Array) => complained.append(bytes));
    const exited = group.exited.then(async ({ exitCode }) => {
      await outputEnded(group.child);
      return { code: exitCode };
    });
    return {
      ...{ readable: standIn.readable, writable: standIn.writable, agent: standIn, folder, exited },
      stdout: () => printed.text(),
      stderr: () => complained.text(),
      interrupt: () => void group.child.kill("SIGINT"),
      async kill() {
        await endProgram(group);
        standIn.close();
      },
    };
  };
}

function wordsOf(line: string): readonly string[] {
  if (!line.includes("{agent}")) throw new Error(`The command has no {agent}: ${line}`);
  return splitWords(line).map(absolutePath);
}

/**
 * Returns the absolute path for a word such as `client.mjs` that names a file in the current folder, because the client
 * starts in another folder.
 */
function absolutePath(word: string): string {
  const isFile = /[./\\]/.test(word) && existsSync(word) && statSync(word).isFile();
  return isFile ? resolve(word) : word;
}

function filled(words: readonly string[], agent: readonly string[], session: string): readonly string[] {
  return words.flatMap((word) =>
    word === "{agent}" ? agent : [word.replaceAll("{agent}", joinWords(agent)).replaceAll("{session}", session)],
  );
}
