import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { findProgram } from "@turnkit/transport/node";
import { type Bubblewrap, ISOLATION, PROC } from "./isolation.js";

/** Time limit for the first start of bubblewrap, in milliseconds. */
const PROBE_MS = 10_000;

/** Function that runs a program. It returns `undefined` for success, otherwise the program's stderr. */
export type Probe = (argv: readonly string[]) => Promise<string | undefined>;

/** Parts of the machine that the search for bubblewrap reads. Tests replace this object. */
export type Machine = {
  readonly path: string;
  /** Roots of the session. Programs inside them are not used. */
  readonly roots: readonly string[];
  readonly probe: Probe;
  /** Returns the value of a setting of the kernel, or `undefined` if the setting does not exist. */
  readonly kernelSetting: (name: string) => Promise<string | undefined>;
};

export function thisMachine(path: string, roots: readonly string[]): Machine {
  return {
    path,
    roots,
    probe: (argv) =>
      new Promise((resolve) => {
        const [program = "", ...args] = argv;
        execFile(program, args, { timeout: PROBE_MS, env: { PATH: path } }, (error, _stdout, stderr) =>
          resolve(error === null ? undefined : stderr.trim() || error.message),
        );
      }),
    kernelSetting: (name) =>
      readFile(`/proc/sys/${name.replaceAll(".", "/")}`, "utf8").then(
        (text) => text.trim(),
        () => undefined,
      ),
  };
}

/** Finds bubblewrap and starts it once as a test. If that fails, returns the reason as a part of a sentence. */
export async function findBubblewrap(machine: Machine): Promise<Bubblewrap | { readonly reason: string }> {
  const place = { env: { PATH: machine.path }, distrusted: machine.roots, owned: true };
  const [bwrap, stat] = await Promise.all([findProgram("bwrap", place), findProgram("stat", place)]);
  if (bwrap === undefined) return { reason: "bubblewrap (bwrap) is not installed" };
  if (stat === undefined) return { reason: "the program stat is not installed" };
  const probe = (flags: readonly string[]) => machine.probe([bwrap, ...flags, ...TRIAL]);
  const failed = await probe(ISOLATION);
  if (failed === undefined) return { bwrap, stat, flags: ISOLATION };
  // Versions before 0.8 do not have the first flag, and some containers do not allow it.
  const fewer = ISOLATION.slice(1);
  const reason = await probe(fewer);
  return reason === undefined ? { bwrap, stat, flags: fewer } : { reason: await reasonOf(reason, machine) };
}

/** Mounts, and a command without effect. */
const TRIAL = ["--unshare-net", "--ro-bind", "/", "/", ...PROC, "--dev", "/dev", "--", "/bin/sh", "-c", ":"];

const SETTINGS = [
  ["user.max_user_namespaces", "0", "the system allows no user namespaces (user.max_user_namespaces=0)"],
  [
    "kernel.unprivileged_userns_clone",
    "0",
    "the system forbids user namespaces to its users (kernel.unprivileged_userns_clone=0)",
  ],
  [
    "kernel.apparmor_restrict_unprivileged_userns",
    "1",
    "AppArmor restricts user namespaces (kernel.apparmor_restrict_unprivileged_userns=1), and has no profile for bwrap",
  ],
] as const;

async function reasonOf(stderr: string, { kernelSetting }: Machine): Promise<string> {
  for (const [name, value, reason] of SETTINGS) if ((await kernelSetting(name)) === value) return reason;
  const [line = ""] = stderr.split("\n");
  if (/Can't mount proc|mount proc/i.test(line)) return "this container forbids a /proc of its own to bubblewrap";
  if (/namespace|Operation not permitted|uid map|No space left/i.test(line)) {
    return `this container or system forbids user namespaces (${line.slice(0, 200)})`;
  }
  return `bubblewrap does not start (${line.slice(0, 200)})`;
}
