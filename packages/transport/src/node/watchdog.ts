import { type ChildProcess, spawn } from "node:child_process";
import { endGroupsNow } from "./group-end.js";

/**
 * What must happen when this process is killed and can do nothing itself: one small shell reads from a pipe which groups
 * live (`+ 123`) and which have ended (`- 123`). The pipe ends with this process, however it ends; then the shell gives
 * the groups time to notice (their stdin has ended too), and ends them, with the groups that their members made for what
 * they run. `$1` is that time in seconds.
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
# At once, since a process whose parent has ended meanwhile is not found later.
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
 * Sees to it that process group `group` does not outlive this process. The watchdog itself ends with the last group it
 * guards. On Windows there is none: a killed client leaves its children with the end of their stdin. A normal exit ends
 * the groups itself, on Windows the trees.
 *
 * Returns the function that must be called when the group has ended, before its number can be used again.
 */
export function guardGroup(group: number): () => void {
  if (guarded.size === 0) process.on("exit", endAll);
  guarded.add(group);
  if (shell === undefined) watch();
  else tell("+", group);
  return () => {
    if (!guarded.delete(group)) return;
    tell("-", group);
    if (guarded.size > 0) return;
    process.off("exit", endAll);
    shell?.stdin?.end();
    shell = undefined;
  };
}

/** Starts a watchdog that knows of all groups. */
function watch(): void {
  if (onWindows || guarded.size === 0) return;
  shell = startShell();
  for (const group of guarded) tell("+", group);
}

/** A normal exit waits for the end of the groups, within the bounds of {@link endGroupsNow}. */
function endAll(): void {
  endGroupsNow([...guarded]);
}

function startShell(): ChildProcess {
  // In a session of its own: a Ctrl-C in the user's terminal must not take the watchdog along.
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
  // A system without a shell has no watchdog: then only the exit handler is left. One that was killed gets a successor.
  started.on("error", () => gone());
  started.on("exit", gone);
  // Its exit follows.
  started.stdin?.on("error", () => {});
  started.unref();
  (started.stdin as unknown as { unref?(): void } | null)?.unref?.();
  return started;
}

function tell(sign: "+" | "-", group: number): void {
  shell?.stdin?.write(`${sign} ${group}\n`);
}
