import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { mkdtemp, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { safeEnvironment } from "@turnkit/transport/node";

export type EditorPlace = {
  readonly env: NodeJS.ProcessEnv;
  readonly directory: string;
  /** Ends the editor when it aborts. */
  readonly signal: AbortSignal;
};

/** Maximum size of an edited text, in bytes. */
const MAX_EDITED = 1024 * 1024;

/**
 * Opens a text in the person's editor and returns the changed text. The editor is `$VISUAL`, `$EDITOR` or `vi`. The
 * text is in a file that only the user can read. The file is removed afterwards, even if this program ends first.
 *
 * @throws Error with a sentence for the person if the editor fails
 */
export async function editInEditor(text: string, { env, directory, signal }: EditorPlace): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "turnkit-prompt-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove);
  try {
    const file = join(folder, "prompt.md");
    await writeFile(file, text, { mode: 0o600, flag: "wx" });
    await run(env.VISUAL || env.EDITOR || "vi", file, { env, directory, signal });
    if ((await stat(file)).size > MAX_EDITED) throw new Error("The edited text is longer than 1 MiB.");
    const edited = await readFile(file, "utf8");
    return edited
      .replace(/\r\n?/g, "\n")
      .replace(/[^\P{Cc}\n\t]/gu, "")
      .trimEnd();
  } finally {
    process.off("exit", remove);
    remove();
  }
}

/** Runs an editor on a file. The setting may contain arguments, as in `code --wait`, so a shell reads it. */
async function run(editor: string, file: string, { env, directory, signal }: EditorPlace): Promise<void> {
  const isWindows = process.platform === "win32";
  const [program, args] = isWindows
    ? ([env.ComSpec || "cmd.exe", ["/d", "/s", "/c", `"${editor} "${file}""`]] as const)
    : (["/bin/sh", ["-c", `${editor} "$1"`, editor, file]] as const);
  const child = spawn(program, args, {
    ...{ stdio: "inherit", cwd: directory, env: safeEnvironment(env, [directory]), signal },
    windowsVerbatimArguments: isWindows,
  });
  const [code, killedBy] = await once(child, "exit");
  if (code !== 0) throw new Error(`The editor ${editor} ended with ${killedBy ?? `exit code ${code}`}.`);
}
