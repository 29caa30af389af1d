import { compactEvents } from "@turnkit/agent";
import type { SessionEvent } from "@turnkit/session";
import { toBytes } from "./log-message.js";
import { eventsOf } from "./log-reader.js";
import { type End, endOf, LogWriter } from "./log-writer.js";
import type { Manifest, ManifestContent } from "./manifest.js";
import { patiently } from "./retries.js";
import type { SessionNames } from "./session-names.js";
import type { Clock, Subjects } from "./store.js";

/** Maximum size of one event, in bytes of JSON in UTF-8. */
export const MAX_EVENT_BYTES = 32 * 1024 * 1024;

/** Storage of the logs, and whether the server drops old messages. */
export type LogStore = { readonly subjects: Subjects; readonly clock: Clock; readonly mayBeCut: boolean };

/** Yields the events of a session up to a sequence: first the events of its snapshot, then the later events. */
// NATS-10
export async function* storedEvents(
  { subjects, clock, mayBeCut }: LogStore,
  { events, snapshots }: SessionNames,
  {
    manifest: { snapshot, start },
    to,
  }: { readonly manifest: Pick<ManifestContent, "snapshot" | "start">; readonly to: number },
): AsyncGenerator<SessionEvent> {
  if (snapshot !== undefined) {
    const range = { subject: snapshots, from: snapshot.from, to: snapshot.to, index: 0, mayBeCut };
    yield* eventsOf(subjects, clock, range) as AsyncGenerator<SessionEvent>;
  }
  const { after, index } = snapshot === undefined ? start : { after: snapshot.sequence, index: snapshot.index };
  const range = { subject: events, from: after + 1, to, index, mayBeCut };
  yield* eventsOf(subjects, clock, range) as AsyncGenerator<SessionEvent>;
}

/** Session whose log gets a snapshot. */
export type SnapshotParts = {
  readonly store: LogStore;
  readonly names: SessionNames;
  readonly epoch: number;
  readonly manifest: Manifest;
  readonly mayWrite: () => boolean;
};

/**
 * Stores a snapshot of everything up to `end`, and returns the number of its events. Then removes the messages that the
 * previous snapshot replaced. Other gateways may still read the messages that this snapshot replaces.
 */
export async function takeSnapshot(
  { store, names, epoch, manifest, mayWrite }: SnapshotParts,
  end: End,
): Promise<number> {
  const { subjects, clock } = store;
  const before = manifest.content.snapshot;
  const fewer = await compactEvents(storedEvents(store, names, { manifest: manifest.content, to: end.after }), {
    maxEventBytes: MAX_EVENT_BYTES,
  });
  const { after: last, epoch: newest } = await patiently(clock, () => endOf(subjects, names.snapshots, 0));
  if (newest > epoch) throw new Error("another owner has written a snapshot");
  const writer = new LogWriter({
    ...{ subjects, clock, epoch, mayWrite },
    ...{ subject: names.snapshots, end: { after: last, index: 0 }, onEnd: () => undefined },
  });
  for (const event of fewer) await writer.add(toBytes(event));
  await writer.stored();
  const snapshot = { from: last + 1, to: writer.end.after, index: end.index, sequence: end.after };
  manifest.change({ snapshot });
  await manifest.save();
  if (before === undefined) return fewer.length;
  await patiently(clock, () => subjects.purge(names.events, before.sequence + 1));
  await patiently(clock, () => subjects.purge(names.snapshots, before.from));
  return fewer.length;
}
