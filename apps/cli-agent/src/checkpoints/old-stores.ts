import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/**
 * Bounds of the stores of all folders. First, stores that were not used for a month are removed, then the oldest
 * stores.
 */
const MAX_STORES = 50;
const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000;

/** Age in milliseconds above which a copy of an index is a leftover of a killed agent. */
const MAX_COPY_AGE_MS = 24 * 60 * 60 * 1000;

/** Removes stores above the bounds of age and number, and leftover files in the other stores. */
export async function removeOldStores(stores: string, now = Date.now()): Promise<void> {
  const names = await readdir(stores).catch(() => []);
  const ages = await Promise.all(
    names.map(async (name) => ({ name, age: now - (await changedAt(join(stores, name))) })),
  );
  ages.sort((a, b) => a.age - b.age);
  for (const [at, { name, age }] of ages.entries()) {
    const store = join(stores, name);
    if (at >= MAX_STORES || age > MAX_AGE_MS) await rm(store, { recursive: true, force: true }).catch(() => undefined);
    else await removeCopies(store, now);
  }
}

async function removeCopies(store: string, now: number): Promise<void> {
  for (const name of await readdir(store).catch(() => [])) {
    const copy = join(store, name);
    if (name.startsWith("index.") && now - (await changedAt(copy)) > MAX_COPY_AGE_MS) await rm(copy, { force: true });
  }
}

/** Returns the time of the last change of a file or folder. The folder of a store changes with each snapshot. */
async function changedAt(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}
