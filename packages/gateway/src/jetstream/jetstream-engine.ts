import type { NatsConnection } from "@nats-io/transport-node";
import { checkArgument, checkOptions, type OptionTypes, refuseOption } from "@turnkit/transport";
import type { Engine } from "../engine.js";
import { checkFigures, type Figures } from "../figures.js";
import { Answers } from "./answers.js";
import { countedSubjects } from "./counted-subjects.js";
import { natsMessenger } from "./nats-messenger.js";
import { openNatsStore } from "./nats-store.js";
import { sha256, tenantOf } from "./session-names.js";
import type { Clock } from "./store.js";
import { type OpenStore, StoredEngine } from "./stored-engine.js";

/** Options of {@link createJetStreamEngine}. Engines on the same storage need the same `name` and `streamCount`. */
export type JetStreamEngineOptions = {
  /**
   * Name that separates the sessions of this engine from others, such as the group of the gateway. Engines with different
   * tenants see different sessions.
   *
   * @defaultValue `default`
   */
  readonly tenant?: string;
  /** Beginning of the names of subjects, streams and buckets: letters, digits, `-` and `_`. @defaultValue `acp` */
  readonly name?: string;
  /** Number of streams among which the sessions are spread. It cannot change later. @defaultValue 4 */
  readonly streamCount?: number;
  /**
   * Number of servers that store each stream and bucket: 1, 3 or 5. More than one server requires nats-server 2.11 or
   * newer. An existing storage with another number is refused.
   *
   * @defaultValue the number of the storage, and 1 for a new storage
   */
  readonly replicas?: number;
  /** Time after which an owner that has not renewed its ownership loses it, in milliseconds. @defaultValue 15 000 */
  readonly ttlMs?: number;
  /** Number of sessions on each page of a list. @defaultValue 100 */
  readonly pageSize?: number;
  /**
   * Number of events after which a commit stores a snapshot, and removes the events that an older snapshot replaces.
   * @defaultValue 5 000
   */
  readonly snapshotEvents?: number;
  /**
   * Age at which the server drops events and sessions, in milliseconds. A session that is used for longer loses its beginning.
   *
   * @defaultValue no bound
   */
  readonly maxAgeMs?: number;
  /** Largest size of each stream, in bytes. A full stream refuses new events. @defaultValue no bound */
  readonly maxStreamBytes?: number;
  /** Figures to which the engine adds its messages and their times. The gateway can use the same figures. */
  readonly figures?: Figures;
  /**
   * Called with false when the servers have given no answers for a third of `ttlMs`, and with true when they answer
   * again. The connection may stay open during the silence. The engine gives up sessions whose ownership is not renewed
   * within `ttlMs`.
   */
  readonly onAnswers?: (answers: boolean) => void;
};

/** {@link Engine} on NATS JetStream. Disposing stops the watch of owners. The connection stays open. */
export interface JetStreamEngine extends Engine, Disposable {
  /**
   * Settles when the streams and buckets are open. The engine opens them when it is created. After a failure, `ready` and
   * every other call try again.
   *
   * @throws Error if the server has no JetStream, refuses the streams or buckets, has another number of streams or of
   *   copies, or is too old for several copies
   */
  ready(): Promise<void>;
  /**
   * Settles when the servers have stored a value. This needs a majority of the servers that store the owners. A failed
   * request is not repeated, so the call takes at most 15 s.
   *
   * @throws Error if the servers do not answer
   */
  reach(): Promise<void>;
}

const OPTIONS: OptionTypes<JetStreamEngineOptions> = {
  tenant: "string",
  name: "string",
  streamCount: "number",
  replicas: "number",
  ttlMs: "number",
  pageSize: "count",
  snapshotEvents: "number",
  maxAgeMs: "number",
  maxStreamBytes: "number",
  figures: "any",
  onAnswers: "function",
};

/**
 * Creates an engine on NATS JetStream, for gateways on several machines. Each session is a subject of a stream. Makes the streams
 * and buckets that are missing.
 *
 * @throws TypeError for an unknown option, or one of another type
 *
 * @example
 * const connection = await connect({ servers: "nats://localhost:4222", maxReconnectAttempts: -1, noAsyncTraces: true });
 * const gateway = createGateway({ agent, log: (tenant) => createJetStreamEngine(connection, { tenant }) });
 */
export function createJetStreamEngine(
  connection: NatsConnection,
  options: JetStreamEngineOptions = {},
): JetStreamEngine {
  checkEngine(connection, options);
  const { tenant = "default", name = "acp", streamCount: streams = 4, replicas, ttlMs = 15_000 } = options;
  const { pageSize = 100, snapshotEvents = 5_000, maxAgeMs, maxStreamBytes, figures, onAnswers } = options;
  let isDisposed = false;
  const isOver = (): boolean => isDisposed || connection.isClosed();
  const changed = (answers: boolean): void => {
    if (!isOver()) onAnswers?.(answers);
  };
  const answers = new Answers({ clock, patienceMs: ttlMs / 3, changed });
  const open = async (): Promise<OpenStore> => {
    const settings = { name, streams, replicas, ttlMs, maxAgeMs, maxStreamBytes, clock, isOver };
    const layout = { name, streams, hash: sha256, tenant: await tenantOf(tenant, sha256) };
    const { subjects, ...values } = answers.watch(await openNatsStore(connection, settings));
    const counted = figures === undefined ? subjects : countedSubjects(subjects, figures, clock);
    return { ...values, subjects: counted, layout, messenger: natsMessenger(connection) };
  };
  let opening: Promise<OpenStore> | undefined;
  const store = (): Promise<OpenStore> => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const mayBeCut = maxAgeMs !== undefined;
  const newName = () => crypto.randomUUID();
  const engine = new StoredEngine(store, { ttlMs, pageSize, snapshotEvents, mayBeCut, clock, newName });
  // After a failure, the next call opens the storage again, and reports its failure.
  engine.begin().catch(() => undefined);
  return Object.assign(engine, {
    ready: () => engine.begin(),
    [Symbol.dispose]() {
      isDisposed = true;
    },
  });
}

const clock: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

function checkEngine(connection: NatsConnection, options: JetStreamEngineOptions): void {
  const remedy = "pass the connection that `connect` of @nats-io/transport-node returns";
  checkArgument(typeof connection?.request === "function", "createJetStreamEngine", { got: connection, remedy });
  checkOptions("createJetStreamEngine", options, OPTIONS, { unknown: refuseOption });
  checkFigures("createJetStreamEngine", options.figures);
  const { name = "acp" } = options;
  const named = { got: name, remedy: 'pass letters, digits, "-" and "_", such as "acp"' };
  checkArgument(/^[A-Za-z0-9_-]{1,32}$/.test(name), "createJetStreamEngine name", named);
}
