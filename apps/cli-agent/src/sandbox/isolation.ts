/** Folders with the programs and libraries of the system. */
export const PROGRAM_FOLDERS = "/usr /bin /sbin /lib /lib32 /lib64 /libx32 /nix /gnu /snap".split(" ");

/** Absolute paths of the programs for the sandbox, and flags that the installed version supports. */
export type Bubblewrap = { readonly bwrap: string; readonly stat: string; readonly flags: readonly string[] };

/**
 * Flags that need no path. They create a namespace of each kind, without capabilities and without the agent's terminal.
 * The first flag fails on machines that cannot forbid further user namespaces.
 */
export const ISOLATION = [
  "--disable-userns",
  ...["--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try"],
  ...["--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "sandbox"],
] as const;

/** `/proc` is read-only. Otherwise the system's own user could change settings of the kernel there. */
export const PROC = ["--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", "--remount-ro", "/proc"] as const;
