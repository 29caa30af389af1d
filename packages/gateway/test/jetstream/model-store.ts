import type { Store, Values } from "../../src/jetstream/store.js";
import type { ModelBucket, ModelServer } from "./model-server.js";
import type { Process, World } from "./model-world.js";

/** Probabilities of the faults of each request. */
export type Faults = {
  readonly lostRequest: number;
  readonly lostAnswer: number;
  /** The request or its answer takes up to `slowMs`. */
  readonly slow: number;
  readonly slowMs: number;
};

/** Time after which a request without an answer fails, in milliseconds. */
const TIMEOUT_MS = 300;

/** Largest message: small, so that events are cut into parts. */
const MAX_BYTES = 1024 + 160;

export type StoreParts = {
  readonly world: World;
  readonly server: ModelServer;
  readonly process: Process;
  readonly number: number;
  /** Returns the faults of now. */
  readonly faults: () => Faults;
};

/** Returns the storage as one process sees it, over a network with faults. */
export function modelStore(parts: StoreParts): Store {
  const { server, number } = parts;
  const request = <T>(work: () => T): Promise<T> => sent(parts, work);
  return {
    subjects: {
      maxBytes: MAX_BYTES,
      append: (subject, data, place) => request(() => server.append(subject, data, { ...place, by: number })),
      last: (subject) => request(() => server.last(subject)),
      next: (subject, from) => request(() => server.next(subject, from)),
      purge: (subject, before) => request(() => server.purge(subject, before)),
    },
    owners: values(parts, server.values.owners),
    manifests: values(parts, server.values.manifests),
  };
}

function values(parts: StoreParts, bucket: ModelBucket): Values {
  const { process, world } = parts;
  return {
    get: (key) => sent(parts, () => bucket.get(key)),
    put: (key, text, revision) => sent(parts, () => bucket.put(key, text, revision)),
    remove: (key, revision) => sent(parts, () => void bucket.put(key, undefined, revision)),
    async *all(prefix) {
      yield* await sent(parts, () => bucket.all(prefix));
    },
    watch(_prefix, seen) {
      // Deliveries may be late, and out of order.
      bucket.watchers.add((key, revision) =>
        process.later(delay(parts) + world.random.below(5), () => seen(key, revision)),
      );
    },
  };
}

function delay({ world, faults }: StoreParts): number {
  const { slow, slowMs } = faults();
  return world.random.chance(slow) ? world.random.below(slowMs) : 1 + world.random.below(4);
}

/** Sends a request. It may be carried out although its answer never comes, and also long after it has failed. */
function sent<T>(parts: StoreParts, work: () => T): Promise<T> {
  const { world, process } = parts;
  const { lostRequest, lostAnswer } = parts.faults();
  return new Promise((resolve, reject) => {
    const isLost = world.random.chance(lostAnswer);
    if (!world.random.chance(lostRequest)) {
      world.after(delay(parts), () => {
        let answer: () => void;
        try {
          const result = work();
          answer = () => resolve(result);
        } catch (error) {
          answer = () => reject(error);
        }
        if (!isLost) process.later(delay(parts), answer);
      });
    }
    process.later(TIMEOUT_MS, () => reject(new Error("timeout")));
  });
}
