import type { JetStreamManager } from "@nats-io/jetstream";
import type { KV } from "@nats-io/kv";
import { requested } from "./nats-failures.js";
import { pause } from "./retries.js";
import type { Clock, StoredValue, Values } from "./store.js";

/** Pause before a watch starts again, in milliseconds. */
const WATCH_PAUSE_MS = 1_000;

/** Number of values that are requested together for a list. */
const AT_ONCE = 100;

/** Key that the client of NATS can read. A key that another program has written is left out, so that it does not end a list. */
const KEY = /^[-/=\w]+(?:\.[-/=\w]+)*$/;

/** Parts of the values on a server. */
export type NatsValuesParts = {
  readonly manager: JetStreamManager;
  readonly bucketName: string;
  readonly bucket: KV;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Returns true after the end of the engine, or of its connection. */
  readonly isOver: () => boolean;
};

/** Returns the values of a bucket of a server. */
export function natsValues({ manager, bucketName, bucket, clock, timeoutMs, isOver }: NatsValuesParts): Values {
  const get = async (key: string): Promise<StoredValue | undefined> => {
    const entry = await requested(bucket.get(key));
    return entry?.operation === "PUT" ? { revision: entry.revision, text: entry.string() } : undefined;
  };
  return {
    get,
    put: (key, text, revision) =>
      requested(revision === 0 ? bucket.create(key, text) : bucket.update(key, text, revision, timeoutMs)),
    remove: (key, revision) => requested(bucket.delete(key, { previousSeq: revision })),
    async *all(prefix) {
      // A consumer of server 2.9 may wait for messages that were replaced. Requests for each key do not.
      const begin = `$KV.${bucketName}.`;
      const { state } = await requested(
        manager.streams.info(`KV_${bucketName}`, { subjects_filter: `${begin}${prefix}>` }),
      );
      const keys = Object.keys(state.subjects ?? {})
        .map((subject) => subject.slice(begin.length))
        .filter((key) => KEY.test(key));
      for (let from = 0; from < keys.length; from += AT_ONCE) {
        const values = await Promise.all(keys.slice(from, from + AT_ONCE).map(get));
        yield* values.filter((value) => value !== undefined);
      }
    },
    watch(prefix, seen) {
      const watch = async (): Promise<void> => {
        const entries = await bucket.watch({ key: `${prefix}>`, headers_only: true });
        for await (const { key, operation, revision } of entries) seen(key, operation === "PUT" ? revision : undefined);
      };
      const watchOn = async (): Promise<void> => {
        while (!isOver()) {
          // The next watch begins with the newest revisions, so nothing is missed.
          await watch().catch(() => undefined);
          await pause(clock, WATCH_PAUSE_MS);
        }
      };
      void watchOn();
    },
  };
}
