import { describe, expect, it } from "vitest";
import { createSessionStore } from "./store.js";

const title = (text: string) => ({ type: "session_info_update", title: text }) as const;

describe("a store", () => {
  it("tells its listeners of changes only, and not after they left", () => {
    const store = createSessionStore();
    const seen: (string | undefined)[] = [];
    const stop = store.subscribe(() => seen.push(store.getState().title));
    store.dispatch(title("a"));
    store.dispatch(title("a"));
    store.dispatch(title("b"));
    stop();
    store.dispatch(title("c"));
    expect(seen).toEqual(["a", "b"]);
  });

  it("tells a listener of a slice only when that changed", () => {
    const store = createSessionStore();
    let calls = 0;
    store.subscribe(
      () => calls++,
      (state) => state.usage,
    );
    store.dispatch(title("a"));
    store.dispatch({ type: "usage_update", used: 1, size: 2 });
    store.dispatch({ type: "usage_update", used: 1, size: 2 });
    expect(calls).toBe(1);
  });

  it("tells once for a burst if asked to", async () => {
    const store = createSessionStore(undefined, { notify: "microtask" });
    let calls = 0;
    store.subscribe(() => calls++);
    store.dispatch(title("a"));
    store.dispatch(title("b"));
    expect([calls, store.getState().title]).toEqual([0, "b"]);
    await Promise.resolve();
    expect(calls).toBe(1);
  });

  it("tells once for each frame if frames are what it waits for", () => {
    const frames: (() => void)[] = [];
    const store = createSessionStore(undefined, { notify: (tell) => frames.push(tell) });
    let calls = 0;
    store.subscribe(() => calls++);
    for (const text of ["a", "b", "c"]) store.dispatch(title(text));
    expect([calls, frames.length]).toEqual([0, 1]);
    frames.shift()?.();
    expect(calls).toBe(1);
    store.dispatch(title("d"));
    expect([calls, frames.length]).toEqual([1, 1]);
  });

  it("lets listeners dispatch and leave while it tells", () => {
    const store = createSessionStore();
    const seen: string[] = [];
    const stop = store.subscribe(() => {
      seen.push("first");
      stopSecond();
      if (store.getState().title === "a") store.dispatch(title("b"));
    });
    const stopSecond = store.subscribe(() => seen.push("second"));
    store.dispatch(title("a"));
    stop();
    expect(seen).toEqual(["first", "first"]);
  });
});
