import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { OpenCalls } from "./lanes.js";

test("whether a call issued after a moment is still open is known", () => {
  const calls = new OpenCalls();
  const first = calls.open();
  const moment = calls.issued;
  expect(calls.anyAfter(moment)).toBe(false);
  const second = calls.open();
  const third = calls.open();
  calls.close(third);
  expect(calls.anyAfter(moment)).toBe(true);
  calls.close(second);
  expect(calls.anyAfter(moment)).toBe(false);
  expect(calls.anyAfter(moment - 1)).toBe(true);
  calls.close(first);
  expect(calls.anyAfter(0)).toBe(false);
});

test.each(["nothing", "another call"])(
  "sends that wait for one room are one, issued with the newest, with %s between",
  async (between) => {
    const calls = new OpenCalls();
    let makeRoom = () => {};
    const room = new Promise<void>((resolve) => {
      makeRoom = resolve;
    });
    const over = calls.openUntil(room);
    const other = between === "nothing" ? undefined : calls.open();
    const moment = calls.issued;
    expect(calls.openUntil(room)).toBe(over);
    expect(calls.issued).toBe(moment + 1);
    expect(calls.anyAfter(moment)).toBe(true);
    makeRoom();
    await over;
    expect(calls.anyAfter(moment)).toBe(false);
    expect(calls.anyAfter(0)).toBe(other !== undefined);
  },
);

test("nothing is kept of a call that ended, on a connection on which there is always one open", async () => {
  const calls = new OpenCalls();
  const ended: WeakRef<object>[] = [];
  let open = calls.open();
  for (let i = 0; i < 100; i++) {
    const next = calls.open();
    calls.close(open);
    ended.push(new WeakRef(open));
    open = next;
  }
  await setImmediate();
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  expect(ended.filter((call) => call.deref() !== undefined)).toHaveLength(0);
  expect(calls.anyAfter(open.number - 1)).toBe(true);
});
