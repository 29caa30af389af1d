import { expect, test, vi } from "vitest";
import { EventIterator } from "./event-iterator.js";

const notice = (title: string) => ({ type: "notice", severity: "info", title }) as const;
const titled = (title: string) => ({ value: expect.objectContaining({ title }), done: false });
const over = { value: undefined, done: true };

test("an event is handled when the next one is asked for", async () => {
  const iterator = new EventIterator(() => undefined);
  const handled = vi.fn();
  void iterator.receive(notice("a"), 1)?.done.then(handled);
  expect(await iterator.next()).toEqual(titled("a"));
  await Promise.resolve();
  expect(handled).not.toHaveBeenCalled();
  void iterator.next();
  await Promise.resolve();
  expect(handled).toHaveBeenCalled();
});

test("what is offered while a body works counts from when that body's event was told", async () => {
  const iterator = new EventIterator(() => undefined);
  expect(iterator.receive(notice("a"), 1)?.since).toBe(1);
  await iterator.next();
  expect(iterator.receive(notice("b"), 5)?.since).toBe(1);
  await iterator.next();
  expect(iterator.receive(notice("c"), 9)?.since).toBe(5);
});

test("who asks several times ahead gets several events, in order", async () => {
  const iterator = new EventIterator(() => undefined);
  const asked = [iterator.next(), iterator.next(), iterator.next()];
  iterator.receive(notice("a"), 0);
  iterator.receive(notice("b"), 0);
  iterator.finish();
  expect(await Promise.all(asked)).toEqual([titled("a"), titled("b"), over]);
});

test("what was offered before the end is still told, nothing after it", async () => {
  const detach = vi.fn();
  const iterator = new EventIterator(detach);
  iterator.receive(notice("a"), 0);
  iterator.finish();
  iterator.finish();
  expect(iterator.receive(notice("b"), 0)).toBeUndefined();
  expect(await iterator.next()).toEqual(titled("a"));
  expect(await iterator.next()).toEqual(over);
  expect(detach).toHaveBeenCalledTimes(1);
});

test("leaving gives up what waits, and lets go of who waits for it", async () => {
  const iterator = new EventIterator(() => undefined);
  const handled = [iterator.receive(notice("a"), 0), iterator.receive(notice("b"), 0)];
  await iterator.next();
  expect(await iterator.return()).toEqual(over);
  await Promise.all(handled.map((one) => one?.done));
  expect(await iterator.next()).toEqual(over);
});

test("leaving answers who is asking", async () => {
  const iterator = new EventIterator(() => undefined);
  const asked = iterator.next();
  await iterator.return();
  expect(await asked).toEqual(over);
});
