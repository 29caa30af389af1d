import { afterEach, describe, expect, test, vi } from "vitest";
import { MAX_TIMER_MS, withinGrace } from "./waiting.js";

afterEach(() => vi.useRealTimers());

describe("what is waited for within a grace", () => {
  test("says whether it came in time, and leaves no timer", async () => {
    vi.useFakeTimers();
    expect(await withinGrace(Promise.resolve("x"), 1_000)).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
    const late = withinGrace(new Promise(() => undefined), 1_000);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await late).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("fails as that fails, unless it is too late", async () => {
    vi.useFakeTimers();
    await expect(withinGrace(Promise.reject(new Error("no")), 1_000)).rejects.toThrow("no");
    expect(vi.getTimerCount()).toBe(0);
    let fail: (error: Error) => void = () => undefined;
    const work = new Promise((_, reject) => {
      fail = reject;
    });
    const late = withinGrace(work, 1_000);
    await vi.advanceTimersByTimeAsync(1_000);
    fail(new Error("too late"));
    expect(await late).toBe(false);
  });

  test.each([MAX_TIMER_MS + 1, Number.POSITIVE_INFINITY])("has no limit where it is %s ms", async (graceMs) => {
    vi.useFakeTimers();
    const settled = vi.fn();
    let finish: () => void = () => undefined;
    const work = new Promise<void>((resolve) => {
      finish = resolve;
    });
    void withinGrace(work, graceMs).then(settled);
    await vi.advanceTimersByTimeAsync(100_000_000);
    expect(settled).not.toHaveBeenCalled();
    finish();
    await vi.waitFor(() => expect(settled).toHaveBeenCalledWith(true));
  });
});
