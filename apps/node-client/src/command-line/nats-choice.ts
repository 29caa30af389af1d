import { UsageError } from "../exit-code.js";
import { type NatsChoice, readDuration } from "../invocation.js";
import type { Options } from "./options.js";

/** Options that need `--nats`, as users type them. */
const OPTIONS = {
  ...{ natsCreds: "--nats-creds", natsCa: "--nats-ca", natsCert: "--nats-cert", natsKey: "--nats-key" },
  ...{ streamCount: "--stream-count", replicas: "--replicas", takeover: "--takeover" },
} as const;

/** Shortest and longest time of `--takeover`, in milliseconds, and their words. */
const TAKEOVER = { least: 1_000, most: 60 * 60 * 1_000, range: "from 1s to 1h" };

/**
 * Returns the servers of `--nats` and their options. Returns `undefined` without `--nats`.
 *
 * @throws UsageError for an option without `--nats`, and for a number that is not possible
 */
export function natsChoiceOf(options: Options): NatsChoice | undefined {
  const { nats, natsCreds, natsCa, natsCert, natsKey, streamCount, replicas, takeover } = options;
  if (nats === undefined) {
    const lonely = (Object.keys(OPTIONS) as (keyof typeof OPTIONS)[]).find((name) => options[name] !== undefined);
    if (lonely !== undefined)
      throw new UsageError(`${OPTIONS[lonely]} is for the servers of --nats, which is missing.`);
    return undefined;
  }
  if ((natsCert === undefined) !== (natsKey === undefined))
    throw new UsageError("--nats-cert and --nats-key belong together. Give both, or none.");
  return {
    ...{ servers: nats, credsFile: natsCreds, caFile: natsCa, certFile: natsCert, keyFile: natsKey },
    streamCount: countOf("--stream-count", streamCount, { most: 1_024 }),
    replicas: countOf("--replicas", replicas, { most: 5, isOdd: true }),
    takeoverMs: takeover === undefined ? undefined : readDuration("--takeover", takeover, TAKEOVER),
  };
}

type Bound = { readonly most: number; readonly isOdd?: boolean };

function countOf(option: string, text: string | undefined, { most, isOdd = false }: Bound): number | undefined {
  if (text === undefined) return undefined;
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1 && count <= most && (!isOdd || count % 2 === 1)) return count;
  throw new UsageError(`${option} is ${isOdd ? "1, 3 or 5" : `a number from 1 to ${most}`}, not "${text}".`);
}
