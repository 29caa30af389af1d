import { constants } from "node:fs";
import { mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { AcpError, checkArgument, checkPath } from "@turnkit/transport";
import type { DecisionStore, StoredDecision } from "../broker/decision-store.js";

type Decisions = { readonly [key: string]: StoredDecision };

/** Store of decisions in a file, with methods for the person who inspects it. */
export interface DecisionFile extends DecisionStore {
  /** Returns the decisions that have not expired, with their keys, the oldest first. */
  list(): Promise<readonly (readonly [key: string, decision: StoredDecision])[]>;
  /** Deletes several decisions in one change. */
  deleteAll(keys: readonly string[]): Promise<void>;
}

const maxDecisions = 1_000;
const maxBytes = 64 * 1024 * 1024;

/**
 * Makes a store of decisions in a JSON file, for `remember.store` of a permission broker. People can read and edit the
 * file.
 *
 * - Each change replaces the file in one step.
 * - Only the owner of the file can read it.
 * - The file contains up to 1 000 decisions. A further decision removes the oldest. Each change removes expired decisions.
 * - If two programs change the file at the same moment, one of their decisions may be lost.
 *
 * @throws TypeError for a path that is empty, begins with `~`, or has a part `undefined`, `null` or `NaN`
 *
 * The methods throw an `AcpError` `state` if the file contains anything else, or if the decisions may come from another
 * user. Such a file is a link, belongs to another user, or can be changed by other users. The file is then not changed.
 */
export function createDecisionFile(path: string): DecisionFile {
  const isPath = typeof path === "string" && path !== "";
  checkArgument(isPath, "createDecisionFile", { got: path, remedy: "pass the path of the file" });
  checkPath("createDecisionFile", path);
  let last: Promise<unknown> = Promise.resolve();
  /** Runs a change after all earlier changes. */
  const change = async (edit: (decisions: Map<string, StoredDecision>) => void): Promise<void> => {
    const done = last.then(async () => {
      const decisions = new Map(Object.entries(await read(path)));
      edit(decisions);
      const kept = [...decisions].filter(isValid).slice(-maxDecisions);
      await replace(path, `${JSON.stringify({ decisions: Object.fromEntries(kept) }, undefined, 2)}\n`);
    });
    last = done.catch(() => undefined);
    await done;
  };
  return {
    async get(key) {
      await last;
      const decisions = await read(path);
      return Object.hasOwn(decisions, key) ? decisions[key] : undefined;
    },
    set: (key, decision) =>
      change((decisions) => {
        decisions.delete(key);
        decisions.set(key, decision);
      }),
    delete: (key) => change((decisions) => void decisions.delete(key)),
    async list() {
      await last;
      return Object.entries(await read(path)).filter(isValid);
    },
    deleteAll: (keys) =>
      change((decisions) => {
        for (const key of keys) decisions.delete(key);
      }),
  };
}

function isValid([, { expiresAt }]: readonly [string, StoredDecision]): boolean {
  return Date.now() < expiresAt;
}

async function read(path: string): Promise<Decisions> {
  const text = await readOwn(path);
  if (text === undefined) return {};
  try {
    const { decisions } = JSON.parse(text) as { decisions: Decisions };
    if (Object.values(decisions).every((one) => typeof one?.expiresAt === "number")) return decisions;
  } catch {
    // Reported below.
  }
  throw new AcpError("state", `${path} does not contain readable decisions. Repair or delete the file.`);
}

/** Reads a file that only its owner can change. Returns `undefined` if there is no file. */
async function readOwn(path: string): Promise<string | undefined> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    if (error.code === "ELOOP") throw refused(path, "is a link");
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    const found = await file.stat();
    if (!found.isFile()) throw refused(path, "is not a regular file");
    const isOwn = process.getuid === undefined || found.uid === process.getuid();
    if (!isOwn) throw refused(path, "belongs to another user");
    if (process.getuid !== undefined && (found.mode & 0o022) !== 0)
      throw refused(path, "can be changed by other users");
    if (found.size > maxBytes) throw refused(path, "is too long");
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

function refused(path: string, fault: string): AcpError {
  return new AcpError("state", `${path} ${fault}, so its decisions are not used. Check the file, or delete it.`);
}

async function replace(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const next = `${path}.${crypto.randomUUID()}`;
  try {
    await writeFile(next, text, { mode: 0o600, flag: "wx" });
    await rename(next, path);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
}
