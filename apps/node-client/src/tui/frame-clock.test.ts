import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createFrameClock } from "./frame-clock.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("draws the first change at once, and then at most fifteen frames a second, the last change included", () => {
  const frames: number[] = [];
  let changes = 0;
  const clock = createFrameClock(() => frames.push(changes));
  for (let ms = 0; ms < 1000; ms += 1) {
    changes += 1;
    clock.request();
    vi.advanceTimersByTime(1);
  }
  vi.advanceTimersByTime(100);
  expect(frames.length).toBeGreaterThan(13);
  expect(frames.length).toBeLessThan(18);
  expect(frames[0]).toBe(1);
  expect(frames.at(-1)).toBe(1000);
});

it("does not let a key wait for the next frame, and draws nothing once it is stopped", () => {
  let frames = 0;
  const clock = createFrameClock(() => {
    frames += 1;
  });
  clock.request();
  vi.advanceTimersByTime(1);
  clock.request();
  clock.request("soon");
  vi.advanceTimersByTime(20);
  expect(frames).toBe(2);
  clock.request();
  clock.stop();
  clock.request("soon");
  vi.advanceTimersByTime(1000);
  expect(frames).toBe(2);
});
