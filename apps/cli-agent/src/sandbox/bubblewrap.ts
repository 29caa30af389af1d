import { lstatSync } from "node:fs";
import { realpath } from "node:fs/promises";
import type { PathCheck, PathRules } from "@turnkit/session/paths";
import { withinGrace } from "@turnkit/transport";
import { isInside } from "@turnkit/transport/node";
import { createPrivateFolder, removePrivateFolder } from "../config/private-folders.js";
import { messageOf } from "../errors.js";
import type { CoveredPathSearch } from "./covered-paths.js";
import { edit } from "./edit-names.js";
import { explainLinux, explainUnseen } from "./explain.js";
import { type Bubblewrap, PROC } from "./isolation.js";
import type { KeptPlans } from "./kept-plans.js";
import { type Readable, searchReadables } from "./readable-folders.js";
import { type CommandWords, type Sandbox, type SandboxCommand, SandboxError } from "./sandbox.js";
import { type Mount, planMounts, type SessionMounts } from "./session-mounts.js";
import { createSocketSearch, type SocketSearch, socketsShown } from "./sockets.js";
import { takeBack } from "./take-back.js";

/** Command that has not finished yet. `drop` removes its plan from the disk. */
type Entered = { readonly session: SessionMounts; readonly drop: () => Promise<void> };

export type BubblewrapOptions = {
  readonly roots: readonly string[];
  readonly home: string;
  readonly env: { readonly PATH?: string };
  readonly check: PathCheck;
  readonly search: CoveredPathSearch;
  /** Stored plans of running commands. The next start reads them if the agent was killed. */
  readonly plans: KeptPlans;
  readonly paths: Partial<PathRules>;
  /** Rules for a search in the folders of tools. The search finds only secrets. */
  readonly searchTools: CoveredPathSearch;
  /** By default, the search of this machine. */
  readonly sockets?: SocketSearch;
  /** Aborts at the end of the session, and so ends the search for readable paths. */
  readonly signal?: AbortSignal;
};

/** Variables whose values are sockets or files outside of the sandbox. */
const HIDDEN_VARIABLES = (
  "SSH_AUTH_SOCK SSH_AGENT_PID GPG_AGENT_INFO GPG_TTY DBUS_SESSION_BUS_ADDRESS DBUS_SYSTEM_BUS_ADDRESS DISPLAY " +
  "WAYLAND_DISPLAY XAUTHORITY XDG_RUNTIME_DIR DOCKER_HOST PULSE_SERVER TMUX STY VSCODE_IPC_HOOK_CLI VSCODE_GIT_IPC_HANDLE " +
  "VSCODE_GIT_ASKPASS_NODE VSCODE_GIT_ASKPASS_MAIN GIT_ASKPASS SSH_ASKPASS NOTIFY_SOCKET INVOCATION_ID"
).split(" ");

/** Maximum length of an argument. It is a little less than the limit of Linux. */
const MAX_ARGUMENT = 120_000;

/**
 * Creates the sandbox of a session with bubblewrap. A command gets its own root folder, which contains only the files
 * that it needs.
 */
export function createBubblewrap(programs: Bubblewrap, options: BubblewrapOptions): Sandbox {
  const { roots, env, check, search, signal, sockets = createSocketSearch() } = options;
  /** Commands whose new protected files could not all be found and renamed. */
  const unfinished = new Set<Entered>();
  /** Sentences for the result of the next command, because no result contains them yet. */
  const unsaid: string[] = [];
  /** Folders of tools that the last command did not see. */
  let unseen: readonly string[] = [];
  /** Cleanups of all commands, one after the other. */
  let finishing: Promise<unknown> = Promise.resolve();
  let temporary: Promise<string | undefined> | undefined;
  const realHome = realpath(options.home).catch(() => options.home);
  const begun = realHome.then((real) => {
    const homes = [...new Set([options.home, real])];
    return { homes, known: searchReadables(env, homes, { check, search: options.searchTools, signal }) };
  });
  const finish = async (entered: Entered): Promise<string | undefined> => {
    // If `takeBack` throws, the command stays unfinished.
    unfinished.add(entered);
    const { session, drop } = entered;
    const { sentences, problem } = await takeBack(session, { search, edit: (changes) => edit(programs, changes) });
    unsaid.push(...sentences);
    if (problem !== undefined) return problem;
    unfinished.delete(entered);
    await drop();
    return undefined;
  };
  return {
    async wrap(command) {
      await finishing;
      for (const entered of unfinished) {
        const problem = await finish(entered);
        if (problem !== undefined) throw new SandboxError(problem, { asksEachTime: true });
      }
      const { homes, known } = await begun;
      const { readables: found, unsearched } = await known();
      unseen = unsearched;
      const shown = (await socketsShown(await sockets.known(), found)).filter((path) => isShown(found, homes, path));
      const readables = [...found, ...shown.map((path) => ({ kind: "hidden", path, isFolder: false }) as const)];
      const isVisible = (path: string) => isShown(readables, homes, path);
      await options.plans.prepare().catch(unstored);
      const session = await planMounts(roots, { search, sockets, check, home: options.home, isVisible });
      const since = Date.now();
      const plan = { command: await placed(command), session, readables, roots, homes };
      if (!hasMountsInTmp(plan)) temporary ??= createPrivateFolder("tmp").catch(() => undefined);
      const tmp = hasMountsInTmp(plan) ? undefined : await temporary;
      const argv = bubblewrapArguments(programs, { ...plan, tmp });
      const drop = await options.plans.keep({ ...session, paths: options.paths, since }).catch(unstored);
      return {
        argv,
        async finish(graceMs) {
          const cleanup = finishing.then(async () => {
            const problem = await finish({ session, drop });
            if (problem === undefined) return;
            unsaid.push(
              `After the command, ${problem}. Until that is repaired, no command of this session is sandboxed.`,
            );
          });
          finishing = cleanup.catch(() => undefined);
          if (graceMs === undefined) await cleanup;
          else await withinGrace(finishing, graceMs);
          return unsaid.splice(0);
        },
      };
    },
    explain: (output) => explainUnseen(output, unseen) ?? explainLinux(output),
    async close() {
      const folder = await temporary;
      temporary = undefined;
      if (folder !== undefined) await removePrivateFolder(folder);
    },
  };
}

function unstored(error: unknown): never {
  throw new SandboxError(`the plan of a command cannot be stored (${messageOf(error)})`);
}

/** Returns `true` if commands can see the path outside of the session's folders. */
function isShown(readables: readonly Readable[], homes: readonly string[], path: string): boolean {
  const around = readables.filter((one) => isInside(path, [one.path]));
  const isHidden = around.some(
    (one) => one.kind === "hidden" || (one.kind === "emptied" && !isInside(path, [one.kept])),
  );
  // The mount of the home folder covers every mount above it.
  const isSeen = (one: Readable) => one.kind === "folder" && (isInside(one.path, homes) || !isInside(path, homes));
  return !isHidden && around.some(isSeen);
}

async function placed(command: SandboxCommand): Promise<SandboxCommand> {
  const cwd = await realpath(command.cwd).catch(() => {
    throw new SandboxError(`${command.cwd} is not on this machine`);
  });
  return { ...command, cwd };
}

type Plan = {
  readonly command: SandboxCommand;
  readonly session: SessionMounts;
  readonly readables: readonly Readable[];
  /** Roots by the names of the session. */
  readonly roots: readonly string[];
  /** Name and real path of the home folder. */
  readonly homes: readonly string[];
  /** Folder that all commands of the session see as `/tmp`. If absent, each command has an empty `/tmp`. */
  readonly tmp?: string | undefined;
};

/**
 * Returns `true` if something is mounted inside of `/tmp`. A command could then replace a folder above the mount with a
 * link, and the mount of the next command would create folders at the target of the link.
 */
function hasMountsInTmp({ session, readables, roots, homes }: Plan): boolean {
  const mounted = [...session.mounts, ...readables].map(({ path }) => path);
  return [...mounted, ...roots, ...homes].some((path) => isInside(path, ["/tmp"]));
}

function bubblewrapArguments({ bwrap, stat, flags }: Bubblewrap, plan: Plan): CommandWords {
  const { command, session, readables, roots, homes, tmp } = plan;
  const isHome = ({ path }: Readable) => isInside(path, homes);
  const system = readables.filter((one) => !isHome(one));
  const network = command.network ? resolverMounts() : ["--unshare-net"];
  return [
    bwrap,
    ...flags,
    ...(tmp === undefined ? ["--perms", "1777", "--tmpfs", "/tmp"] : ["--bind", tmp, "/tmp"]),
    ...["--perms", "1777", "--tmpfs", "/var/tmp"],
    ...system.flatMap(readableMount),
    ...PROC,
    ...["--dev", "/dev"],
    ...homes.flatMap((home) => (isMountable(home, system) ? ["--tmpfs", home] : [])),
    ...readables.filter(isHome).flatMap(readableMount),
    ...network,
    ...session.mounts.flatMap(sessionMount),
    ...roots.flatMap((root, index) => rootLink(root, session.roots[index] ?? root, plan)),
    ...["--remount-ro", "/", "--chdir", command.cwd],
    ...HIDDEN_VARIABLES.flatMap((name) => ["--unsetenv", name]),
    ...["--setenv", "TMPDIR", "/tmp", "--"],
    ...checked(command.argv, session.mounts, stat),
  ];
}

/**
 * Returns `true` if an empty folder can be mounted on the home folder. A missing home folder is created first, which is
 * impossible inside a read-only mount.
 */
function isMountable(home: string, system: readonly Readable[]): boolean {
  const isVisible = system.some(({ kind, path }) => kind === "folder" && isInside(home, [path]));
  const found = lstatSync(home, { throwIfNoEntry: false });
  return home !== "/" && (isVisible ? found?.isDirectory() === true : !found?.isSymbolicLink());
}

function readableMount(readable: Readable): readonly string[] {
  const { kind, path } = readable;
  if (kind === "link") return ["--symlink", readable.target, path];
  if (kind === "hidden") return hide(path, readable.isFolder);
  if (kind === "emptied") return ["--tmpfs", path, "--ro-bind-try", readable.kept, readable.kept, "--remount-ro", path];
  return ["--ro-bind", path, path];
}

function sessionMount({ path, access, isFolder }: Mount): readonly string[] {
  if (access === "none") return hide(path, isFolder);
  if (access === "scratch") return ["--tmpfs", path];
  return [access === "write" ? "--bind" : "--ro-bind", path, path];
}

/**
 * Returns the arguments that hide a path. A file becomes a device that cannot be opened, so no empty file is needed.
 */
function hide(path: string, isFolder: boolean): readonly string[] {
  return isFolder ? ["--perms", "0000", "--tmpfs", path, "--remount-ro", path] : ["--ro-bind", "/dev/null", path];
}

/** Returns arguments that create a link for a root, if the session's name of the root is a link. */
function rootLink(root: string, real: string, { readables, session }: Plan): readonly string[] {
  const places = [...readables.filter(({ kind }) => kind === "folder"), ...session.mounts];
  return root === real || places.some(({ path }) => isInside(root, [path])) ? [] : ["--symlink", real, root];
}

/** Returns mounts for the files that are needed to resolve host names. These files are often links into `/run`. */
function resolverMounts(): readonly string[] {
  return ["/run/systemd/resolve", "/run/resolvconf", "/mnt/wsl/resolv.conf"].flatMap((path) => [
    "--ro-bind-try",
    path,
    path,
  ]);
}

/**
 * Adds a check that runs before a command. Another process could have replaced a folder with a link before the mount.
 * The shell therefore compares the actual mounts with the planned mounts.
 */
function checked(argv: CommandWords, mounts: readonly Mount[], stat: string): CommandWords {
  const known = mounts.filter(({ access, isFolder }) => access !== "scratch" && (access !== "none" || !isFolder));
  const paths = known.map(({ path }) => quoted(path)).join(" ");
  const ids = known.map(({ id }) => id).join("\n");
  const script =
    `[ "$(${quoted(stat)} -c %d:%i -- ${paths} 2>&1)" = '${ids}' ] || ` +
    `{ echo "turnkit-agent: a folder changed while the sandbox was set up" >&2; exit 126; }; exec "$@"`;
  if (script.length > MAX_ARGUMENT) throw new SandboxError("the session's folders hold too many protected paths");
  return ["/bin/sh", "-c", script, "sh", ...argv];
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
