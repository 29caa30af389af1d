import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile } from "@turnkit/node-client/replace-file";
import type { PathRules } from "@turnkit/session/paths";
import { readOwnFile } from "../config/own-file.js";
import { hasEnded, processMark } from "../config/process-mark.js";
import { messageOf } from "../errors.js";
import type { Covered } from "./covered-paths.js";
import type { Mount, SessionMounts } from "./session-mounts.js";

/** Time between two updates of the file time of a plan, in milliseconds. The updates show that the plan is in use. */
const BEAT_MS = 5_000;

/**
 * Longest time from the last update of the file time to the end of the command, in milliseconds. A busy machine can delay
 * the updates.
 */
const SLACK_MS = 30_000;

/** State of a session's folders before a command, as stored on the disk. */
export type KeptPlan = Pick<SessionMounts, "roots" | "covered" | "mounts"> & {
  /** Additional rules for protected and secret files, with which the folders were searched. */
  readonly paths: Partial<PathRules>;
  /** Time before the command, in milliseconds since 1970. */
  readonly since: number;
};

/** Plan of an agent that ended during a command. */
export type Leftover = KeptPlan & {
  /** Time at which the command had certainly ended, in milliseconds since 1970. */
  readonly until: number;
  drop(): Promise<void>;
};

/** Path whose exact bytes are written in hexadecimal digits. */
type StoredPath = Omit<Covered, "bytes"> & { readonly bytes?: string };

export type KeptPlans = ReturnType<typeof createKeptPlans>;

/** Creates the store in a folder outside of every project. */
export function createKeptPlans(folder: string) {
  return {
    /**
     * Stores a plan before its command starts, and marks it as in use until it is dropped.
     *
     * @returns the function that removes the plan
     */
    async keep({ roots, mounts, covered, paths, since }: KeptPlan): Promise<() => Promise<void>> {
      const path = join(folder, `${await processMark()}-${randomUUID()}.json`);
      const own = mounts.filter((mount) => roots.includes(mount.path));
      const exact = covered.map((one) => ({ ...one, bytes: one.bytes?.toString("hex") }));
      await replaceFile(path, JSON.stringify({ roots, mounts: own, covered: exact, paths, since }));
      // The time of the file matters only if this process is killed.
      const beat = () => void utimes(path, new Date(), new Date()).catch(() => undefined);
      const timer = setInterval(beat, BEAT_MS).unref();
      return async () => {
        clearInterval(timer);
        await rm(path, { force: true });
      };
    },
    /** Creates the folder, so that it exists and is protected before a command runs in a folder above it. */
    async prepare(): Promise<void> {
      await mkdir(folder, { recursive: true, mode: 0o700 });
    },
    /** Returns the plans of agents that have ended. A plan that cannot be read is removed, and is a problem. */
    async leftovers(): Promise<{ readonly plans: readonly Leftover[]; readonly problems: readonly string[] }> {
      const plans: Leftover[] = [];
      const problems: string[] = [];
      for (const name of await readdir(folder).catch(() => [])) {
        const [, mark = ""] = /^(.*?)-[0-9a-f-]{36}\.json$/.exec(name) ?? [];
        if (!(await hasEnded(mark))) continue;
        const path = join(folder, name);
        const drop = () => rm(path, { force: true });
        try {
          const seen = (await stat(path).catch(() => undefined))?.mtimeMs;
          const text = await readOwnFile(path);
          // Another agent has already dropped the plan.
          if (seen === undefined || text === undefined) continue;
          plans.push({ ...planOf(JSON.parse(text)), until: seen + SLACK_MS, drop });
        } catch (error) {
          problems.push(messageOf(error));
          await drop().catch(() => undefined);
        }
      }
      return { plans, problems };
    },
  };
}

const isText = (value: unknown): boolean => typeof value === "string";

function isListOf<T>(is: (item: T) => boolean, value: unknown): boolean {
  return Array.isArray(value) && value.every((item: T) => is(item));
}

/** @throws Error for a value that is not a plan */
function planOf(value: Omit<KeptPlan, "covered"> & { readonly covered: readonly StoredPath[] }): KeptPlan {
  const { roots, mounts, covered, paths, since } = value ?? {};
  const isPlan =
    isListOf(isText, roots) &&
    isListOf((mount: Partial<Mount> | null) => isText(mount?.path) && isText(mount?.id), mounts) &&
    isListOf(
      (one: StoredPath | null) => isText(one?.path) && (one?.bytes === undefined || isText(one.bytes)),
      covered,
    ) &&
    typeof since === "number" &&
    [paths?.protected ?? [], paths?.secret ?? []].every((rules) => isListOf(isText, rules));
  if (!isPlan) throw new Error("it is not a plan of a command");
  return {
    ...value,
    covered: covered.map(({ bytes, ...one }) =>
      bytes === undefined ? one : { ...one, bytes: Buffer.from(bytes, "hex") },
    ),
  };
}
