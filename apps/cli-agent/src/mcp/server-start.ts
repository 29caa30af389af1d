import { resolve } from "node:path";
import type { McpServer } from "@turnkit/agent";
import { isPackageRunner } from "@turnkit/session/command";
import { findProgram, isDataVariable, safeEnvironment } from "@turnkit/transport/node";
import { createPrivateFolder, removePrivateFolder } from "../config/private-folders.js";
import { namesProject } from "./project-text.js";

type StdioServer = Extract<McpServer, { type: "stdio" }>;

/** Variables of this process that a server needs to start. All other variables of the server come from the client. */
const PASSED_ON =
  /^(?:PATH|PATHEXT|HOME|USER|LOGNAME|SHELL|TERM|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|SYSTEMROOT|SYSTEMDRIVE|COMSPEC|APPDATA|LOCALAPPDATA|USERPROFILE|USERNAME|HOMEDRIVE|HOMEPATH|PROGRAMFILES|PROCESSOR_ARCHITECTURE)$/i;

/**
 * Returns `true` if a server could run files of a project of the session. The server then needs the user's trust. A server
 * over stdio starts without trust only under these conditions:
 *
 * - The command is a package runner with a package of a registry, as in `npx -y some-server@1`. Other programs start in
 *   the session's folder, in which many programs look for modules and settings.
 * - No argument and no variable names the project of a root of the session, or a file in it.
 * - Each variable certainly holds data, as `API_KEY` does. Other variables could load code.
 */
export async function needsTrust(server: McpServer, { cwd, roots }: ServerPlace): Promise<boolean> {
  if (server.type !== "stdio") return false;
  const { command, args = [], env = [] } = server;
  if (!isPlainRunner(command, args)) return true;
  if (env.some(({ name, value }) => !isDataVariable(name, value))) return true;
  const texts = [command, ...args, ...env.map(({ value }) => value)];
  for (const folder of new Set([cwd, ...roots])) {
    for (const text of texts) if (await namesProject(text, folder)) return true;
  }
  return false;
}

/** Working folder of a server, and all roots of its session. */
export type ServerPlace = { readonly cwd: string; readonly roots: readonly string[] };

/** Program of a server, the folder in which it starts, and its environment. */
export type ServerStart = {
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Removes the private folder of a package runner. */
  readonly leave: () => Promise<void>;
};

/**
 * Returns the program, folder and environment of a server. Package runners start in a private empty folder, because
 * they prefer packages and settings of their current folder. A program without a path is searched outside of all
 * projects of the session.
 */
export async function startOf(server: StdioServer, { cwd: directory, roots }: ServerPlace): Promise<ServerStart> {
  const { command, args = [], env: granted = [] } = server;
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED_ON.test(name)));
  const env = safeEnvironment(
    { ...own, ...Object.fromEntries(granted.map(({ name, value }) => [name, value])) },
    roots,
  );
  const isPath = /[\\/]/.test(command);
  const program = isPath
    ? resolve(directory, command)
    : await findProgram(command, { env, distrusted: roots, isChosen: true });
  // If the program does not exist, its start fails with a reason.
  const started = [program ?? command, ...args] as const;
  if (!isPackageRunner([command, ...args])) return { command: started, cwd: directory, env, leave: async () => {} };
  const cwd = await createPrivateFolder("runners");
  return { command: started, cwd, env, leave: () => removePrivateFolder(cwd) };
}

/** Words with which a package runner begins. The words after them are options and the package. */
const RUNNERS = "npx,pnpx,bunx,uvx,pnpm dlx,yarn dlx,bun x,uv tool run,pipx run"
  .split(",")
  .map((one) => one.split(" "));

/** Options of package runners that change neither the package nor its source. */
const HARMLESS = /^(?:-y|--yes|-q|--quiet|-s|--silent|--prefer-online|--prefer-offline|--offline|--isolated)$/;

/** Name of a package in a registry, with an optional version or tag. */
const NPM_PACKAGE = /^(?:@[a-z\d~][\w.~-]*\/)?[a-z\d~][\w.~-]*(?:@[\w.^~+*-]+)?$/i;
const PYTHON_PACKAGE = /^[a-z\d][\w.-]*(?:\[[\w,.-]+\])?(?:@[\w.+-]+|(?:[=~!<>]=|[<>])[\w.*+-]+)?$/i;
const ARCHIVE = /\.(?:tgz|tar|tar\.\w+|zip|whl)$/i;

/** Arguments that choose another program or another source, at any position. */
const CHOOSING =
  /^(?:-c|--call|--package|--shell|--script-shell|--prefix|--with.*|--editable)(?:=|$)|(?:file|link|portal|workspace|git\+\w+|git|ssh):/i;

/**
 * Returns `true` for a command that only starts a package of a registry by its name, such as `npx -y some-server@1
 * --port 80`. All other commands, such as shells, interpreters and runners with other options, return `false`.
 */
function isPlainRunner(command: string, args: readonly string[]): boolean {
  const name = command
    .replace(/^.*[\\/]/, "")
    .replace(/\.(?:exe|cmd)$/i, "")
    .toLowerCase();
  const runner = RUNNERS.find(
    ([program, ...words]) => program === name && words.every((word, at) => args[at] === word),
  );
  if (runner === undefined) return false;
  const isPython = /^(?:uvx|uv|pipx)$/.test(name);
  const isPackage = (word: string | undefined) =>
    word !== undefined && (isPython ? PYTHON_PACKAGE : NPM_PACKAGE).test(word) && !ARCHIVE.test(word);
  const rest = args.slice(runner.length - 1);
  if (rest.some((word) => CHOOSING.test(word))) return false;
  let at = 0;
  while (at < rest.length) {
    const [option = "", value] = (rest[at] ?? "").split(/=(.*)/s);
    if (isPython && option === "--from") {
      if (!isPackage(value ?? rest[at + 1])) return false;
      at += value === undefined ? 2 : 1;
    } else if (HARMLESS.test(rest[at] ?? "")) at += 1;
    else break;
  }
  return isPackage(rest[at]);
}
