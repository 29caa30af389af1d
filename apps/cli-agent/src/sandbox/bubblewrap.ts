import { mkdir, realpath } from "node:fs/promises";
import type { PathCheck } from "@turnkit/session/paths";
import { messageOf } from "../errors.js";
import { isWithin } from "../is-within.js";
import type { CoverSearch } from "./covered-paths.js";
import { explainLinux } from "./explain.js";
import { type Readable, readableFolders } from "./readable-folders.js";
import { type CommandWords, type Sandbox, type SandboxCommand, SandboxError } from "./sandbox.js";
import { type Mount, planMounts, type SessionMounts } from "./session-mounts.js";
import { takeBack } from "./take-back.js";

/** Programs of the sandbox by their absolute paths, and flags that this version knows. */
export type Bubblewrap = { readonly bwrap: string; readonly stat: string; readonly flags: readonly string[] };

export type BubblewrapOptions = {
  readonly roots: readonly string[];
  readonly home: string;
  readonly env: { readonly PATH?: string };
  readonly check: PathCheck;
  readonly search: CoverSearch;
  /** Folder for files that are taken back. */
  readonly asideFolder: string;
};

/**
 * Flags that need no path: a namespace of each kind, no capabilities, no terminal of the agent. The first one fails
 * where further user namespaces cannot be forbidden.
 */
export const ISOLATION = [
  "--disable-userns",
  ...["--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try"],
  ...["--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "sandbox"],
] as const;

/** `/proc` is read-only: the system's own user could change the kernel's settings there. */
export const PROC = ["--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", "--remount-ro", "/proc"] as const;

/** Variables that name sockets and files outside of the sandbox. */
const HIDDEN_VARIABLES = (
  "SSH_AUTH_SOCK SSH_AGENT_PID GPG_AGENT_INFO GPG_TTY DBUS_SESSION_BUS_ADDRESS DBUS_SYSTEM_BUS_ADDRESS DISPLAY " +
  "WAYLAND_DISPLAY XAUTHORITY XDG_RUNTIME_DIR DOCKER_HOST PULSE_SERVER TMUX STY VSCODE_IPC_HOOK_CLI VSCODE_GIT_IPC_HANDLE " +
  "VSCODE_GIT_ASKPASS_NODE VSCODE_GIT_ASKPASS_MAIN GIT_ASKPASS SSH_ASKPASS NOTIFY_SOCKET INVOCATION_ID"
).split(" ");

/** Longest argument of a program on Linux, less a reserve. */
const MAX_ARGUMENT = 120_000;

/** Creates the sandbox of a session by bubblewrap. A command sees a root of its own, with what it needs and no more. */
export function createBubblewrap(programs: Bubblewrap, options: BubblewrapOptions): Sandbox {
  const { roots, home, env, check, search, asideFolder } = options;
  let readable: Promise<readonly Readable[]> | undefined;
  return {
    name: "bubblewrap",
    async wrap(command) {
      // Without this folder, files that the command creates could not be taken back.
      await mkdir(asideFolder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
        throw new SandboxError(`${asideFolder} cannot be created (${messageOf(error)})`);
      });
      readable ??= readableFolders(env, home, check);
      const [session, readables] = await Promise.all([planMounts(roots, { search, check, home }), readable]);
      const argv = bubblewrapArguments(programs, { command: await placed(command), session, readables, roots, home });
      return { argv, finish: () => takeBack(session, { search, asideFolder }) };
    },
    explain: explainLinux,
  };
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
  /** Roots as the session names them. */
  readonly roots: readonly string[];
  readonly home: string;
};

/** Returns the whole command line. */
function bubblewrapArguments({ bwrap, stat, flags }: Bubblewrap, plan: Plan): CommandWords {
  const { command, session, readables, roots, home } = plan;
  const network = command.network ? resolverMounts() : ["--unshare-net"];
  return [
    bwrap,
    ...flags,
    ...readables.filter(({ path }) => !isWithin(home, path)).flatMap(readableMount),
    ...PROC,
    ...["--dev", "/dev", "--perms", "1777", "--tmpfs", "/tmp", "--perms", "1777", "--tmpfs", "/var/tmp"],
    ...(home === "/" || readables.some(({ kind, path }) => kind === "folder" && isWithin(path, home))
      ? []
      : ["--tmpfs", home]),
    ...readables.filter(({ path }) => isWithin(home, path)).flatMap(readableMount),
    ...network,
    ...session.mounts.flatMap(sessionMount),
    ...roots.flatMap((root, index) => rootLink(root, session.roots[index] ?? root, plan)),
    ...["--remount-ro", "/", "--chdir", command.cwd],
    ...HIDDEN_VARIABLES.flatMap((name) => ["--unsetenv", name]),
    ...["--setenv", "TMPDIR", "/tmp", "--"],
    ...checked(command.argv, session.mounts, stat),
  ];
}

function readableMount(readable: Readable): readonly string[] {
  const { kind, path } = readable;
  if (kind === "link") return ["--symlink", readable.target, path];
  if (kind === "hidden") return hide(path, readable.isFolder);
  return ["--ro-bind", path, path];
}

function sessionMount({ path, access, isFolder }: Mount): readonly string[] {
  if (access === "none") return hide(path, isFolder);
  if (access === "scratch") return ["--tmpfs", path];
  return [access === "write" ? "--bind" : "--ro-bind", path, path];
}

/** A device on a mount without devices cannot be opened, which needs no file of ours. */
function hide(path: string, isFolder: boolean): readonly string[] {
  return isFolder ? ["--perms", "0000", "--tmpfs", path, "--remount-ro", path] : ["--ro-bind", "/dev/null", path];
}

/** Makes the session's name of a root valid, if a link leads to it. */
function rootLink(root: string, real: string, { readables, session }: Plan): readonly string[] {
  const places = [...readables.filter(({ kind }) => kind === "folder"), ...session.mounts];
  return root === real || places.some(({ path }) => isWithin(path, root)) ? [] : ["--symlink", real, root];
}

/** Files that the names of hosts need. They are often links into `/run`. */
function resolverMounts(): readonly string[] {
  return ["/run/systemd/resolve", "/run/resolvconf", "/mnt/wsl/resolv.conf"].flatMap((path) => [
    "--ro-bind-try",
    path,
    path,
  ]);
}

/**
 * Puts a check before a command. Another process could have replaced a folder by a link before the mount, so the shell
 * compares what is mounted with what was planned.
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
