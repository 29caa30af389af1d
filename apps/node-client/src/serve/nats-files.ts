import { readFile } from "node:fs/promises";
import { UsageError } from "../exit-code.js";
import type { NatsChoice } from "../invocation.js";
import { readPrivately } from "../setup/access-token.js";
import type { NatsServers } from "./nats-servers.js";
import type { NatsTls } from "./nats-storage.js";

export type NatsFiles = {
  readonly creds: string | undefined;
  /** Absent if the connection need not be encrypted. */
  readonly tls: NatsTls | undefined;
};

/**
 * Reads the files of `--nats`. Files with secrets must be private.
 *
 * @throws UsageError for an unreadable file, for a file that other users can read, and for two logins
 */
export async function readNatsFiles(choice: NatsChoice, { login, isEncrypted }: NatsServers): Promise<NatsFiles> {
  const { credsFile, caFile, certFile, keyFile } = choice;
  if (login !== undefined && credsFile !== undefined)
    throw new UsageError("--nats has a login and --nats-creds. Use one of them.");
  const creds = credsFile === undefined ? undefined : await readSecret(credsFile, "--nats-creds");
  const tls = {
    ...(caFile !== undefined && { ca: await readOpenly(caFile, "--nats-ca") }),
    ...(certFile !== undefined && { cert: await readOpenly(certFile, "--nats-cert") }),
    ...(keyFile !== undefined && { key: await readSecret(keyFile, "--nats-key") }),
  };
  return { creds, tls: isEncrypted || Object.keys(tls).length > 0 ? tls : undefined };
}

async function readSecret(path: string, option: string): Promise<string> {
  return readPrivately(path, { option }).catch(({ message }: Error) => {
    throw new UsageError(message);
  });
}

async function readOpenly(path: string, option: string): Promise<string> {
  return readFile(path, "utf8").catch(({ message }: Error) => {
    throw new UsageError(`${option}: ${path} cannot be read: ${message}.`);
  });
}
