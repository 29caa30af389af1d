import { EventEmitter } from "node:events";
import { expect, it, vi } from "vitest";
import { createInterrupts, whenAborted } from "./interrupts.js";

function setUp() {
  const signals = new EventEmitter();
  const output = new EventEmitter();
  return { signals, output, interrupts: createInterrupts(signals, output) };
}

it("the first Ctrl-C cancels, the second quits", () => {
  const { signals, interrupts } = setUp();
  signals.emit("SIGINT");
  expect([interrupts.cancel.aborted, interrupts.quit.aborted]).toEqual([true, false]);
  signals.emit("SIGINT");
  expect(interrupts.quit.aborted).toBe(true);
});

it("a Ctrl-C as a key counts like a signal", () => {
  const { signals, interrupts } = setUp();
  interrupts.interrupt();
  signals.emit("SIGINT");
  expect(interrupts.quit.aborted).toBe(true);
});

it("a Ctrl-C for a program that has the terminal is ignored, a Ctrl-C after it is not", () => {
  const { signals, interrupts } = setUp();
  const heed = interrupts.ignoreCtrlC();
  signals.emit("SIGINT");
  expect(interrupts.cancel.aborted).toBe(false);
  heed();
  heed();
  signals.emit("SIGINT");
  expect(interrupts.cancel.aborted).toBe(true);
});

it.each(["SIGTERM", "SIGHUP"])("%s quits at once", (signal) => {
  const { signals, interrupts } = setUp();
  signals.emit(signal);
  expect([interrupts.cancel.aborted, interrupts.quit.aborted]).toEqual([true, true]);
});

it("quits when nobody reads the output any more", () => {
  const { output, interrupts } = setUp();
  output.emit("error", new Error("EPIPE"));
  expect(interrupts.quit.aborted).toBe(true);
});

it("whenAborted runs once, also for a signal that has aborted already, and can be forgotten", () => {
  const controller = new AbortController();
  const [kept, forgotten, late] = [vi.fn(), vi.fn(), vi.fn()];
  whenAborted(controller.signal, kept);
  whenAborted(controller.signal, forgotten)();
  controller.abort();
  whenAborted(controller.signal, late);
  expect([kept, forgotten, late].map(({ mock }) => mock.calls.length)).toEqual([1, 0, 1]);
});
