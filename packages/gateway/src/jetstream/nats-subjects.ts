import type { JetStreamClient, JetStreamManager, StoredMsg } from "@nats-io/jetstream";
import { requested } from "./nats-failures.js";
import type { StoredMessage, Subjects } from "./store.js";

/** Parts of the subjects on a server. */
export type NatsSubjectsParts = {
  readonly client: JetStreamClient;
  readonly manager: JetStreamManager;
  /** Largest message that the server takes, in bytes. */
  readonly maxBytes: number;
  /** Returns the stream of a subject. */
  readonly streamOf: (subject: string) => string;
};

/** Returns subjects in the streams of a server. */
export function natsSubjects({ client, manager, maxBytes, streamOf }: NatsSubjectsParts): Subjects {
  const { streams } = manager;
  const get = async (subject: string, query: object): Promise<StoredMessage | undefined> => {
    const found = await requested(streams.getMessage(streamOf(subject), query as { readonly last_by_subj: string }));
    return stored(found);
  };
  return {
    maxBytes,
    async append(subject, data, { id, after }) {
      const options = { msgID: id, expect: { lastSubjectSequence: after } };
      return (await requested(client.publish(subject, data, options))).seq;
    },
    last: (subject) => get(subject, { last_by_subj: subject }),
    next: (subject, from) => get(subject, { seq: from, next_by_subj: subject }),
    async purge(subject, before) {
      // The server reads 1 as "no bound", and would remove everything.
      if (before <= 1) return;
      await requested(streams.purge(streamOf(subject), { filter: subject, seq: before }));
    },
  };
}

const stored = (message: StoredMsg | null): StoredMessage | undefined =>
  message === null ? undefined : { sequence: message.seq, data: message.data };
