import { readFile } from "node:fs/promises";
import { type ConnectionOptions, connect, credsAuthenticator, type NatsConnection } from "@nats-io/transport-node";
import { createJetStreamEngine, type Engine } from "@turnkit/gateway/jetstream";
import { UsageError } from "../exit-code.js";
import type { NatsChoice } from "../invocation.js";
import { readPrivately } from "../setup/access-token.js";
import type { NatsServers } from "./nats-servers.js";

/** Longest time for a connection to be made, in milliseconds. */
const CONNECT_MS = 5_000;

/** Time between signs of life of a connection, in milliseconds. Two that are missing end it. */
const PING_MS = 5_000;

/** Storage of sessions on servers of NATS. */
export interface NatsStorage {
  readonly log: Engine;
  /** Settles when the connection has ended for good, with its error. Never rejects. */
  readonly ended: Promise<Error | undefined>;
  close(): Promise<void>;
}

/** Parts of a storage. */
export type NatsStorageParts = {
  readonly choice: NatsChoice;
  readonly servers: NatsServers;
  readonly tenant: string;
  /** Tells a person about the connection. */
  readonly note: (text: string) => void;
};

/**
 * Connects to the first server that answers, and opens the streams and buckets. A connection that is lost later is made again.
 *
 * @throws Error of the client library
 */
export async function openNatsStorage({ choice, servers, tenant, note }: NatsStorageParts): Promise<NatsStorage> {
  const connection = await connect(await connectionOptions(choice, servers));
  const { streamCount, replicas, takeoverMs } = choice;
  const engine = createJetStreamEngine(connection, {
    tenant,
    ...(streamCount !== undefined && { streamCount }),
    ...(replicas !== undefined && { replicas }),
    ...(takeoverMs !== undefined && { ttlMs: takeoverMs }),
  });
  const close = async (): Promise<void> => {
    engine[Symbol.dispose]();
    await connection.close();
  };
  try {
    await engine.ready();
  } catch (error) {
    await close();
    throw error;
  }
  void tellChanges(connection, note);
  return { log: engine, ended: connection.closed().then((error) => error ?? undefined), close };
}

async function connectionOptions(choice: NatsChoice, servers: NatsServers): Promise<ConnectionOptions> {
  const { credsFile, caFile, certFile, keyFile } = choice;
  const creds = credsFile && (await readPrivately(credsFile, { option: "--nats-creds" }).catch(asUsage));
  const files = {
    ...(caFile !== undefined && { ca: await readOpenly(caFile, "--nats-ca") }),
    ...(certFile !== undefined && { cert: await readOpenly(certFile, "--nats-cert") }),
    ...(keyFile !== undefined && { key: await readPrivately(keyFile, { option: "--nats-key" }).catch(asUsage) }),
  };
  const isEncrypted = servers.isEncrypted || caFile !== undefined || certFile !== undefined;
  return {
    servers: [...servers.addresses],
    name: "turnkit serve",
    ...servers.login,
    ...(creds !== undefined && { authenticator: credsAuthenticator(new TextEncoder().encode(creds)) }),
    ...(isEncrypted && { tls: files }),
    ...{ timeout: CONNECT_MS, pingInterval: PING_MS, maxPingOut: 2, maxReconnectAttempts: -1, noAsyncTraces: true },
  };
}

const readOpenly = (path: string, option: string): Promise<string> =>
  readFile(path, "utf8").catch(({ message }: Error) =>
    asUsage({ message: `${option}: ${path} cannot be read: ${message}.` }),
  );

function asUsage({ message }: Pick<Error, "message">): never {
  throw new UsageError(message);
}

async function tellChanges(connection: NatsConnection, note: (text: string) => void): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === "disconnect")
      note(`The connection to NATS at ${status.server} is lost. Sessions wait until there is another.`);
    if (status.type === "reconnect") note(`NATS at ${status.server} is connected. Sessions go on.`);
  }
}
