import { createRandom } from "@turnkit/testing";
import { expect, test } from "vitest";
import { decodeLogMessage, encodeLogMessage, type LogMessageHead, toBytes } from "../../src/jetstream/log-message.js";
import { eventsOf } from "../../src/jetstream/log-reader.js";
import { LogWriter } from "../../src/jetstream/log-writer.js";
import {
  type Clock,
  type MessagePosition,
  RefusedFault,
  type StoredMessage,
  type Subjects,
} from "../../src/jetstream/store.js";

const clock: Clock = {
  now: () => 0,
  after: (_, run) => {
    queueMicrotask(run);
    return () => undefined;
  },
};

/** Subject in memory. `fail` may throw before a message is stored, or after it. */
class OneSubject implements Subjects {
  readonly maxBytes = 1024 * 1024;
  readonly messages: StoredMessage[] = [];
  readonly places: MessagePosition[] = [];
  before = (): void => undefined;
  afterwards = (): void => undefined;

  async append(_: string, data: Uint8Array, place: MessagePosition): Promise<number> {
    this.before();
    if ((this.messages.at(-1)?.sequence ?? 0) !== place.after) throw new RefusedFault("wrong last sequence");
    this.places.push(place);
    this.messages.push({ sequence: this.messages.length + 1, data });
    this.afterwards();
    return this.messages.length;
  }

  last = async () => this.messages.at(-1);
  next = async (_: string, from: number) => this.messages.find(({ sequence }) => sequence >= from);
  purge = async () => undefined;

  get heads(): LogMessageHead[] {
    return this.messages.map(({ data }) => decodeLogMessage(data).head);
  }
}

const endings: string[] = [];

function writerOn(subjects: Subjects): LogWriter {
  endings.length = 0;
  return new LogWriter({
    ...{ subjects, clock, subject: "a.b.0.c.ev", epoch: 7, end: { after: 0, index: 0 } },
    ...{ mayWrite: () => true, onEnd: (how: string) => endings.push(how) },
  });
}

const readAll = async (subjects: Subjects, to: number): Promise<object[]> => {
  const events: object[] = [];
  const range = { subject: "a.b.0.c.ev", from: 1, to, index: 0, mayBeCut: false };
  for await (const event of eventsOf(subjects, clock, range)) events.push(event);
  return events;
};

test("NATS-03 events that come while a message is on its way become one message, of at most 256 events or 512 KiB", async () => {
  const subject = new OneSubject();
  const writer = writerOn(subject);
  const events = Array.from({ length: 700 }, (_, number) => ({ number }));
  for (const event of events) void writer.add(toBytes(event));
  const large = Array.from({ length: 5 }, (_, number) => ({ number, text: "x".repeat(200 * 1024) }));
  for (const event of large) void writer.add(toBytes(event));
  await writer.stored();
  expect(subject.heads.map(({ count }) => count)).toEqual([256, 256, 190, 2, 1]);
  expect(await readAll(subject, subject.messages.length)).toEqual([...events, ...large]);
});

test("NATS-03 an event that is larger than a message is cut into parts", async () => {
  const subject = new OneSubject();
  const writer = writerOn(subject);
  const random = createRandom(1);
  const events = [{ a: 1 }, { text: Array.from({ length: 600_000 }, () => random.below(10)).join("é") }, { a: 2 }];
  for (const event of events) await writer.add(toBytes(event));
  await writer.stored();
  expect(subject.heads.filter(({ part }) => part !== undefined).map(({ part, count }) => [part, count])).toEqual([
    [0, 0],
    [1, 0],
    [2, 0],
    [3, 1],
  ]);
  expect(await readAll(subject, subject.messages.length)).toEqual(events);
});

test("NATS-02 a message whose answer was lost is found at the end, and not stored twice", async () => {
  const subject = new OneSubject();
  const writer = writerOn(subject);
  subject.afterwards = () => {
    subject.afterwards = () => undefined;
    throw new Error("timeout");
  };
  void writer.add(toBytes({ a: 1 }));
  await writer.stored();
  void writer.add(toBytes({ a: 2 }));
  await writer.stored();
  expect(await readAll(subject, 2)).toEqual([{ a: 1 }, { a: 2 }]);
  expect(endings).toEqual([]);
});

test("NATS-02 a writer stops when a newer owner has written", async () => {
  const subject = new OneSubject();
  const writer = writerOn(subject);
  void writer.add(toBytes({ a: 1 }));
  await writer.stored();
  subject.messages.push({ sequence: 2, data: encodeLogMessage({ epoch: 9, index: 1, count: 0 }, []) });
  void writer.add(toBytes({ a: 2 }));
  await expect(writer.stored()).rejects.toThrow("another owner");
  expect(endings).toEqual(["lost"]);
  expect(await readAll(subject, 2)).toEqual([{ a: 1 }]);
});

test("NATS-04 a reader drops messages of an older epoch after a newer one, and the unfinished event of a dead owner", async () => {
  const subject = new OneSubject();
  const line = (number: number) => [toBytes({ number })];
  const groups: [LogMessageHead, Uint8Array[]][] = [
    [{ epoch: 1, index: 0, count: 1 }, line(1)],
    [{ epoch: 1, index: 1, count: 0, part: 0 }, line(2)],
    [{ epoch: 3, index: 1, count: 0 }, []],
    [{ epoch: 1, index: 1, count: 1 }, line(3)],
    [{ epoch: 3, index: 1, count: 1 }, line(4)],
  ];
  groups.forEach(
    ([head, lines], at) => void subject.messages.push({ sequence: at + 1, data: encodeLogMessage(head, lines) }),
  );
  expect(await readAll(subject, 5)).toEqual([{ number: 1 }, { number: 4 }]);
});

test("NATS-10 a read fails, and is not cut short, if events are missing", async () => {
  const subject = new OneSubject();
  subject.messages.push({ sequence: 5, data: encodeLogMessage({ epoch: 1, index: 3, count: 0 }, []) });
  await expect(readAll(subject, 5)).rejects.toThrow("missing");
  await expect(readAll(subject, 4)).rejects.toThrow("missing");
});
