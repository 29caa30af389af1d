import { setTimeout } from "node:timers/promises";
import { connect, credsAuthenticator, type NatsConnection } from "@nats-io/transport-node";
import type { Figures } from "@turnkit/gateway";
import { createJetStreamEngine, type Engine, type JetStreamEngineOptions } from "@turnkit/gateway/jetstream";
import type { NatsLogin } from "./nats-servers.js";
import { NatsState } from "./nats-state.js";

/** Longest time for a connection to be made, in milliseconds. */
const CONNECT_MS = 5_000;

/** Time between the pings of a connection, in milliseconds. The connection ends after two pings without an answer. */
const PING_MS = 5_000;

/** Time between requests to a storage that does not answer, in milliseconds. */
const ASK_MS = 2_000;

export interface NatsStorage {
  readonly log: Engine;
  /** Settles when the connection has ended for good, with its error. Never rejects. */
  readonly ended: Promise<Error | undefined>;
  /** Settles when the servers have stored a value. Rejects with an Error if they cannot store it. */
  reach(): Promise<void>;
  close(): Promise<void>;
}

export type NatsStorageParts = {
  /** Addresses `host:port`. */
  readonly addresses: readonly string[];
  readonly login: NatsLogin | undefined;
  readonly creds: string | undefined;
  /** Contents of the certificate files. If present, the connection is encrypted. */
  readonly tls: NatsTls | undefined;
  readonly engine: Pick<JetStreamEngineOptions, "tenant" | "streamCount" | "replicas" | "ttlMs">;
  readonly figures: Figures;
  readonly note: (text: string) => void;
};

export type NatsTls = { readonly ca?: string; readonly cert?: string; readonly key?: string };

/**
 * Connects to the first server that answers, and opens the streams and buckets. A connection that is lost later is
 * opened again.
 *
 * @throws Error of the client library
 */
export async function openNatsStorage(parts: NatsStorageParts): Promise<NatsStorage> {
  const { addresses, login, creds, tls, figures } = parts;
  const connection = await connect({
    servers: [...addresses],
    name: "turnkit serve",
    ...login,
    ...(creds !== undefined && { authenticator: credsAuthenticator(new TextEncoder().encode(creds)) }),
    ...(tls !== undefined && { tls }),
    ...{ timeout: CONNECT_MS, pingInterval: PING_MS, maxPingOut: 2, maxReconnectAttempts: -1, noAsyncTraces: true },
  });
  let state: NatsState | undefined;
  const engine = createJetStreamEngine(connection, {
    ...{ ...parts.engine, figures, onAnswers: (answers) => state?.answers(answers) },
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
  const pause = () => setTimeout(ASK_MS, undefined, { ref: false });
  const opened = new NatsState({ figures, note: parts.note, reach: () => engine.reach(), pause });
  state = opened;
  void reportChanges(connection, opened);
  const ended = connection.closed().then((error) => {
    opened.ended();
    return error ?? undefined;
  });
  return { log: engine, ended, reach: () => engine.reach(), close };
}

async function reportChanges(connection: NatsConnection, state: NatsState): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === "disconnect") state.disconnected(status.server);
    if (status.type === "reconnect") void state.reconnected(status.server);
  }
}
