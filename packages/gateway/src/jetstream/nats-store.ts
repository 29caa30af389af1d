import type { JetStreamManager, StreamConfig } from "@nats-io/jetstream";
import { DiscardPolicy, jetstream, jetstreamManager, RetentionPolicy, StorageType } from "@nats-io/jetstream";
import { type KV, Kvm } from "@nats-io/kv";
import type { NatsConnection } from "@nats-io/transport-node";
import { isPassing } from "./nats-failures.js";
import { natsSubjects } from "./nats-subjects.js";
import { natsValues } from "./nats-values.js";
import { pause, pauseAfter } from "./retries.js";
import { checkServerVersion } from "./server-version.js";
import type { Clock, Store, Values } from "./store.js";

/** Settings of the streams and buckets on a server. */
export type NatsSettings = {
  readonly name: string;
  readonly streams: number;
  /** Absent to use the number of the storage, and 1 for a new storage. */
  readonly replicas: number | undefined;
  readonly ttlMs: number;
  readonly maxAgeMs: number | undefined;
  readonly maxStreamBytes: number | undefined;
  readonly clock: Clock;
  readonly isOver: () => boolean;
};

/** Longest time for one request, in milliseconds. */
const REQUEST_MS = 5_000;

/** Time after which the server removes ownerships that no process has ended, in milliseconds. */
const FORGET_MS = 24 * 60 * 60 * 1000;

/** Time for which the opening of streams and buckets is tried again, in milliseconds. */
const OPEN_MS = 15_000;

const NANOSECONDS = 1_000_000;

/**
 * Opens the streams and buckets of an engine, and makes those that are missing. Servers that just started may have no
 * leader yet, so failed attempts are repeated for 15 s.
 */
export async function openNatsStore(connection: NatsConnection, settings: NatsSettings): Promise<Store> {
  const { clock } = settings;
  const until = clock.now() + OPEN_MS;
  for (let failures = 1; ; failures += 1) {
    try {
      return await openOnce(connection, settings);
    } catch (error) {
      if (!isPassing(error) || clock.now() >= until || settings.isOver()) throw error;
    }
    await pause(clock, pauseAfter(failures));
  }
}

async function openOnce(connection: NatsConnection, settings: NatsSettings): Promise<Store> {
  const { name, ttlMs, maxAgeMs, clock, isOver } = settings;
  let replicas = settings.replicas ?? 1;
  checkServerVersion(connection.info?.version, replicas);
  const timeout = Math.min(REQUEST_MS, Math.max(500, ttlMs / 3));
  const manager = await jetstreamManager(connection, { timeout });
  const client = jetstream(connection, { timeout });
  // A new stream with several copies waits for its leader.
  const opening = await jetstreamManager(connection, { timeout: REQUEST_MS });
  const openingKvm = new Kvm(jetstream(connection, { timeout: REQUEST_MS }));
  const kvm = new Kvm(client);
  const bucket = async (bucketName: string, ttl: number | undefined): Promise<KV> => {
    const options = { replicas, history: 1, allow_direct: false, ...(ttl !== undefined && { ttl }) };
    const made = await (await openingKvm.create(bucketName, options)).status();
    checkReplicas(made.streamInfo.config, settings.replicas);
    replicas = made.replicas;
    return kvm.create(bucketName, options);
  };
  const values = async (kind: string, ttl: number | undefined): Promise<Values> => {
    const bucketName = `${name}-${kind}`;
    const parts = { manager, bucketName, bucket: await bucket(bucketName, ttl), clock, timeoutMs: timeout, isOver };
    return natsValues(parts);
  };
  await checkLayout(await bucket(`${name}-layout`, undefined), settings.streams);
  checkServerVersion(connection.info?.version, replicas);
  for (let number = 0; number < settings.streams; number += 1) {
    checkReplicas(await openStream(opening, { ...settings, replicas }, number), settings.replicas);
  }
  const maxBytes = connection.info?.max_payload ?? 1024 * 1024;
  const streamOf = (subject: string): string => `${name}-${subject.split(".")[2]}`;
  const subjects = natsSubjects({ client, manager, maxBytes, streamOf });
  const owners = await values("owners", Math.max(FORGET_MS, 10 * ttlMs));
  return { subjects, owners, manifests: await values("sessions", maxAgeMs) };
}

/**
 * Stores the number of streams, because the stream of a session depends on it.
 *
 * @throws Error if the storage was made with another number
 */
async function checkLayout(layout: KV, streams: number): Promise<void> {
  const wanted = JSON.stringify({ format: "turnkit-jetstream/1", streams });
  const found = await layout.get("layout");
  const stored = found === null ? await makeLayout(layout, wanted) : found.string();
  if (stored === wanted) return;
  const made = countOf(stored);
  if (made !== undefined && made !== streams)
    throw new Error(`the storage was made with ${made} streams, and cannot be used with ${streams}`);
  throw new Error(`the storage was made with ${stored}, and cannot be used with ${wanted}`);
}

/** Stores a layout, and returns the stored one: another process may be faster. */
async function makeLayout(layout: KV, wanted: string): Promise<string> {
  try {
    await layout.create("layout", wanted);
    return wanted;
  } catch (error) {
    const found = await layout.get("layout");
    if (found === null) throw error;
    return found.string();
  }
}

/** Returns the number of streams of a stored layout. Returns `undefined` for a layout of another version. */
function countOf(stored: string): number | undefined {
  const [, count] = /^\{"format":"turnkit-jetstream\/1","streams":(\d+)\}$/.exec(stored) ?? [];
  return count === undefined ? undefined : Number(count);
}

/**
 * Compares the number of copies of a stream or bucket with the requested number. The first start, or an administrator,
 * has set the existing number.
 *
 * @throws Error if the numbers differ
 */
function checkReplicas({ name, num_replicas: found }: StreamConfig, asked: number | undefined): void {
  if (asked === undefined || asked === found) return;
  throw new Error(`the stream ${name} has ${found} ${found === 1 ? "replica" : "replicas"}, not ${asked}`);
}

async function openStream(manager: JetStreamManager, settings: NatsSettings, number: number): Promise<StreamConfig> {
  const { name, replicas, maxAgeMs, maxStreamBytes } = settings;
  const config = {
    name: `${name}-${number}`,
    subjects: [`${name}.*.${number}.>`],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    // A full stream refuses new events, and keeps the old events.
    discard: DiscardPolicy.New,
    num_replicas: replicas ?? 1,
    max_age: (maxAgeMs ?? 0) * NANOSECONDS,
    max_bytes: maxStreamBytes ?? -1,
  } satisfies Partial<StreamConfig>;
  try {
    return (await manager.streams.add(config)).config;
  } catch (error) {
    // The stream exists with other settings, perhaps of an administrator.
    const { config: found } = await manager.streams.info(config.name).catch(() => {
      throw error;
    });
    if (!found.subjects?.includes(config.subjects[0] as string)) throw error;
    return found;
  }
}
