import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { AcpError, checkArgument } from "@turnkit/transport";
import type { DecisionStore, StoredDecision } from "../broker/decision-store.js";

type Decisions = { readonly [key: string]: StoredDecision };

const maxDecisions = 1_000;

/**
 * Makes a store of decisions in a JSON file, for `remember.store` of a permission broker. People can read and edit the
 * file.
 *
 * - Each change replaces the file in one step.
 * - Only the owner of the file can read it.
 * - The file contains up to 1 000 decisions. A further decision removes the oldest. Each change removes expired decisions.
 * - If two programs change the file at the same moment, one of their decisions may be lost.
 *
 * The methods throw an `AcpError` `state` if the file contains anything else. Such a file is not changed.
 */
export function createDecisionFile(path: string): DecisionStore {
  checkArgument(typeof path === "string", "createDecisionFile", { got: path, remedy: "pass the path of the file" });
  let last: Promise<unknown> = Promise.resolve();
  /** Runs a change after all earlier changes. */
  const change = async (edit: (decisions: Map<string, StoredDecision>) => void): Promise<void> => {
    const done = last.then(async () => {
      const decisions = new Map(Object.entries(await read(path)));
      edit(decisions);
      const kept = [...decisions].filter(([, { expiresAt }]) => Date.now() < expiresAt).slice(-maxDecisions);
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
  };
}

async function read(path: string): Promise<Decisions> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return {};
  try {
    const { decisions } = JSON.parse(text) as { decisions: Decisions };
    if (Object.values(decisions).every((one) => typeof one?.expiresAt === "number")) return decisions;
  } catch {
    // Reported below.
  }
  throw new AcpError("state", `${path} does not contain readable decisions. Repair or delete the file.`);
}

async function replace(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const next = `${path}.${randomUUID()}`;
  try {
    await writeFile(next, text, { mode: 0o600, flag: "wx" });
    await rename(next, path);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
}
