import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createFolder } from "../interop/folder.js";
import { turnkit } from "../interop/programs.js";
import { type ProgramEnd, runProgram } from "../interop/running-program.js";
import { runSource } from "../process/source.js";

/** A step of the dictated agent: a request to the client, an update, the end of a request, or a wait for a file. */
export type DictatedStep =
  | { readonly method: string; readonly params: object; readonly goesOn?: boolean }
  | { readonly update: object }
  | { readonly withdraw: number }
  | { readonly waitFor: string };

/** Everything that the dictated agent does. With login methods it refuses every session. */
export type Dictation = { readonly steps: readonly DictatedStep[]; readonly authMethods?: readonly object[] };

export type Dictated = {
  /** Command of the agent. */
  readonly agent: readonly string[];
  /** Folder of the session; the agent's own files are elsewhere. */
  readonly cwd: string;
  /** Returns the client's answers so far, by the index of their step. */
  answers(): Promise<ReadonlyMap<number, Readonly<Record<string, any>>>>;
};

/** Writes down what the agent shall do. */
export async function dictate(dictation: Dictation, files: Readonly<Record<string, string>> = {}): Promise<Dictated> {
  const file = join(await createFolder(), "dictation.json");
  await writeFile(file, JSON.stringify(dictation));
  return {
    agent: [...runSource(new URL("./dictated-agent-main.ts", import.meta.url)), file],
    cwd: await createFolder(files),
    async answers() {
      const lines = (await readFile(`${file}.answers`, "utf8").catch(() => "")).split("\n").filter(Boolean);
      return new Map(lines.map((line) => JSON.parse(line)));
    },
  };
}

/** Runs `turnkit` without a terminal for one prompt of a dictated agent. */
export function runDictated({ agent, cwd }: Dictated, args: readonly string[] = []): Promise<ProgramEnd> {
  return runProgram([...turnkit, "--output", "text", ...args, "-p", "Go", "--", ...agent], {
    cwd,
    env: { XDG_CONFIG_HOME: cwd },
  });
}

const options = [
  { optionId: "yes", name: "Allow", kind: "allow_once" },
  { optionId: "no", name: "Reject", kind: "reject_once" },
];

/** A question of the agent about a tool call. */
export const question = (toolCall: object, asked: readonly object[] = options): DictatedStep => ({
  method: "session/request_permission",
  params: { toolCall: { toolCallId: "c", title: "Work", ...toolCall }, options: asked },
});
