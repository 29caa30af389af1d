import { realpath } from "node:fs/promises";
import type { DecisionStore, StoredDecision } from "@turnkit/client/broker";
import { createDecisionFile } from "@turnkit/client/node";
import { statePath } from "./setup/user-folders.js";
import { sha256 } from "./sha256.js";

export type RememberedDecision = StoredDecision & { readonly id: string };

/**
 * Opens the remembered decisions of a project. They are in a file of the state folder that only the user can read. The
 * name of the file is a hash of the real path of the project's folder.
 */
export async function openPermissionStore(env: NodeJS.ProcessEnv, directory: string) {
  const name = sha256(await realpath(directory).catch(() => directory)).slice(0, 32);
  const file = createDecisionFile(statePath(env, "permissions", `${name}.json`));
  return {
    /**
     * Returns the store for the broker of an agent. Decisions are valid only for the same command, because an agent can
     * claim any name.
     */
    of(command: readonly string[]): DecisionStore {
      const agent = sha256(JSON.stringify(command)).slice(0, 16);
      const keyOf = (key: string) => `${agent} ${key}`;
      return {
        get: (key) => file.get(keyOf(key)),
        set: (key, decision) => file.set(keyOf(key), decision),
        delete: (key) => file.delete(keyOf(key)),
      };
    },
    async list(): Promise<readonly RememberedDecision[]> {
      return (await file.list()).map(([key, decision]) => ({ id: idOf(key), ...decision }));
    },
    async revoke(ids: readonly string[]): Promise<void> {
      const keys = (await file.list()).map(([key]) => key);
      await file.deleteAll(keys.filter((key) => ids.includes(idOf(key))));
    },
  };
}

function idOf(key: string): string {
  return sha256(key).slice(0, 8);
}
