import type { Engine, Figures } from "@turnkit/gateway";
import { createFileLog } from "@turnkit/gateway/node";
import type { NatsChoice } from "../invocation.js";
import { agentIdentity, type Setup } from "../setup/setup.js";
import { statePath } from "../setup/user-folders.js";
import { sha256 } from "../sha256.js";
import { natsFailure } from "./nats-failure.js";
import { readNatsFiles } from "./nats-files.js";
import { type NatsServers, natsVariables } from "./nats-servers.js";
import type { NatsStorage, NatsStorageParts } from "./nats-storage.js";

export type Storage = {
  readonly log: () => Engine | ReturnType<typeof createFileLog>;
  /** Settles when the storage can never be used again, with the error for a person. Never settles for files. */
  readonly ended: Promise<Error>;
  /** Settles when the storage has answered. Rejects with an Error if there is no answer. */
  reach(): Promise<void>;
  close(): Promise<void>;
};

/** Loads the modules that only `--nats` needs. */
const loadNats = async (): Promise<(parts: NatsStorageParts) => Promise<NatsStorage>> =>
  (await import("./nats-storage.js")).openNatsStorage;

export type StorageParts = {
  readonly setup: Setup;
  /** Servers of `--nats`, and its options. If absent, sessions are files. */
  readonly nats: { readonly choice: NatsChoice; readonly servers: NatsServers } | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly figures: Figures;
  readonly note: (text: string) => void;
  readonly load?: typeof loadNats;
};

/**
 * Opens the storage for sessions: files, or the servers of `--nats`. Each command of an agent has its own sessions,
 * because another agent could not restore them.
 *
 * @throws UsageError and Error, each with the failure, its servers and a remedy
 */
export async function openStorage(parts: StorageParts): Promise<Storage> {
  const { setup, env, nats } = parts;
  const name = nameOfAgent(setup);
  if (nats !== undefined) return openNats(nats, name, parts);
  const folder = statePath(env, "served", name);
  const done = async () => undefined;
  return { log: () => createFileLog(folder), ended: new Promise(() => undefined), reach: done, close: done };
}

/** Returns the name under which the sessions of an agent's command are stored. */
export function nameOfAgent(setup: Setup): string {
  return sha256(JSON.stringify(agentIdentity(setup))).slice(0, 16);
}

const VISIBLE_LOGIN =
  `Other people of this machine can read the login of --nats in the list of processes. Pass --nats-creds FILE, ` +
  `or set ${natsVariables.user} and ${natsVariables.pass}, or ${natsVariables.token}.`;

async function openNats(
  { choice, servers }: NonNullable<StorageParts["nats"]>,
  tenant: string,
  { note, figures, load = loadNats }: StorageParts,
): Promise<Storage> {
  const { streamCount, replicas, takeoverMs } = choice;
  const { addresses, login } = servers;
  const failed = { addresses, replicas: replicas ?? 1, credsFile: choice.credsFile };
  const files = await readNatsFiles(choice, servers);
  const hasLogin = login !== undefined || files.creds !== undefined;
  if (hasLogin && files.tls === undefined && !servers.isLoopback)
    note("The connection to NATS may be without encryption. With tls://host:4222, it is always encrypted.");
  const engine = { tenant, streamCount, replicas, ttlMs: takeoverMs };
  try {
    const open = await load();
    const { log, ended, reach, close } = await open({ addresses, login, ...files, engine, figures, note });
    if (servers.isLoginVisible) note(VISIBLE_LOGIN);
    return {
      log: () => log,
      ended: ended.then((error) => natsFailure(error ?? new Error("the connection was closed"), failed)),
      reach,
      close,
    };
  } catch (error) {
    throw natsFailure(error, failed);
  }
}
