import { type ChildProcess, spawn } from "node:child_process";
import { endGroupsNow } from "./group-end.js";

/**
 * Shell script that ends process groups after this process was killed. This process writes the groups to a pipe: `+
 * 123` for a new group, and `- 123` for a group that has ended. The pipe ends when this process ends. The script then
 * waits `$1` seconds, because the groups may end by themselves with their stdin. After the wait, the script ends the
 * groups, and those that their members made for their commands.
 */
const script = `
live=" "
while read -r sign group; do
  case $sign in
    +) live="$live$group " ;;
    -) case $live in *" $group "*) live="\${live%% $group *} \${live#* $group }" ;; esac ;;
  esac
done
[ "$live" = " " ] && exit 0
end() {
  # Shells differ in how they take a negative number.
  for group in $live; do kill -s "$1" -- "-$group" || kill "-$1" "-$group"; done
}
# Pid, parent and group of every process; the name between them, in brackets, may hold anything.
processes() {
  if [ -r /proc/self/stat ]; then cat /proc/[0-9]*/stat | sed 's/ (.*) [A-Za-z] / /'
  else ps -A -o pid= -o ppid= -o pgid=; fi
}
below() {
  processes | awk -v live="$live" '
    { parent[$1] = $2; group[$1] = $3 }
    END {
      split(live, groups)
      for (n in groups) found[groups[n]]
      do {
        more = 0
        for (pid in group) if (!(pid in member) && (group[pid] in found || parent[pid] in member)) {
          found[group[pid]]; member[pid]; more = 1
        }
      } while (more)
      for (one in found) printf " %s ", one
    }'
}
look() {
  found=$(below)
  [ -z "$found" ] || live=$found
}
# At once, because a process is not found later if its parent has ended in the meantime.
look
sleep "$1"
look
end TERM
sleep "$1"
end KILL
`;

const graceSeconds = "2";
let shell: ChildProcess | undefined;
const guarded = new Set<number>();

const onWindows = process.platform === "win32";

/**
 * Makes sure that a process group does not outlive this process:
 *
 * - If this process exits normally, it ends the group (on Windows: the process tree).
 * - If this process is killed, a watchdog ends the group. Windows has no watchdog. The children then only get the end of
 *   their stdin.
 *
 * The watchdog exits when its last group has ended.
 *
 * @returns a function to call when the group has ended. Call it before another group can get the same number.
 */
export function guardGroup(group: number): () => void {
  if (guarded.size === 0) process.on("exit", endAll);
  guarded.add(group);
  if (shell === undefined) watch();
  else send("+", group);
  return () => {
    if (!guarded.delete(group)) return;
    send("-", group);
    if (guarded.size > 0) return;
    process.off("exit", endAll);
    shell?.stdin?.end();
    shell = undefined;
  };
}

/** Starts a watchdog, and sends it all groups. */
function watch(): void {
  if (onWindows || guarded.size === 0) return;
  shell = startShell();
  for (const group of guarded) send("+", group);
}

/** Ends all groups while this process exits, within the times of {@link endGroupsNow}. */
function endAll(): void {
  endGroupsNow([...guarded]);
}

function startShell(): ChildProcess {
  // The watchdog has its own session, so that Ctrl-C in the terminal does not end it.
  const started = spawn("/bin/sh", ["-c", script, "turnkit-watchdog", graceSeconds], {
    cwd: "/",
    detached: true,
    env: { PATH: process.env.PATH ?? "/usr/bin:/bin" },
    stdio: ["pipe", "ignore", "ignore"],
  });
  const gone = (_?: unknown, signal?: NodeJS.Signals | null) => {
    if (shell !== started) return;
    shell = undefined;
    if (signal) watch();
  };
  // Without a shell there is no watchdog, but the exit handler still works. A watchdog that was killed is replaced with
  // the next group.
  started.on("error", () => gone());
  started.on("exit", gone);
  // The exit event follows this error.
  started.stdin?.on("error", () => {});
  started.unref();
  (started.stdin as unknown as { unref?(): void } | null)?.unref?.();
  return started;
}

function send(sign: "+" | "-", group: number): void {
  shell?.stdin?.write(`${sign} ${group}\n`);
}
