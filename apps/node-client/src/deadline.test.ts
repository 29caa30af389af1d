import { installManualClock } from "@turnkit/testing";
import { expect, it, onTestFinished } from "vitest";
import { createInterrupts, startDeadline } from "./interrupts.js";

function start(ms: number | undefined) {
  const clock = installManualClock();
  onTestFinished(() => clock.uninstall());
  const ignore = { on: () => {}, off: () => {} };
  const interrupts = createInterrupts(ignore, ignore);
  const deadline = startDeadline(ms, interrupts);
  const aborted = () => [interrupts.cancel.aborted, interrupts.quit.aborted];
  return { clock, interrupts, deadline, aborted };
}

it("cancels when the time is over, and quits 10 s later", async () => {
  const { clock, deadline, aborted } = start(5000);
  await clock.advance(4999);
  expect([deadline.isOver, ...aborted()]).toEqual([false, false, false]);
  await clock.advance(1);
  expect([deadline.isOver, ...aborted()]).toEqual([true, true, false]);
  await clock.advance(10_000);
  expect(aborted()).toEqual([true, true]);
});

it("does nothing once the user has cancelled, when it is released, or without a limit", async () => {
  const cancelled = start(5000);
  cancelled.interrupts.interrupt();
  await cancelled.clock.advance(20_000);
  expect([cancelled.deadline.isOver, ...cancelled.aborted()]).toEqual([false, true, false]);
  cancelled.clock.uninstall();

  const released = start(5000);
  released.deadline.release();
  await released.clock.advance(20_000);
  expect(released.aborted()).toEqual([false, false]);
  released.clock.uninstall();

  const endless = start(undefined);
  await endless.clock.advance(20_000);
  expect(endless.aborted()).toEqual([false, false]);
});
