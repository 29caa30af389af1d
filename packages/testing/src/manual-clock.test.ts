import { createMemoryPair } from "@turnkit/transport/channels";
import { afterEach, describe, expect, it } from "vitest";
import { installManualClock, type ManualClock } from "./manual-clock.js";
import { createRawPeer } from "./raw-peer.js";

let clock: ManualClock | undefined;
const install = (time?: number) => {
  clock = installManualClock(time === undefined ? {} : { time });
  return clock;
};

afterEach(() => clock?.uninstall());

describe("a manual clock", () => {
  it("stands still, and tells its time everywhere", async () => {
    const start = Date.UTC(2026, 10, 21);
    const { advance } = bound(install(start));
    const began = performance.now();
    expect([Date.now(), new Date(), new Date(5)]).toEqual([start, new Date(start), new Date(5)]);
    await advance(1_500);
    expect([Date.now(), new Date().toISOString()]).toEqual([start + 1_500, "2026-11-21T00:00:01.500Z"]);
    expect(performance.now() - began).toBe(1_500);
    expect(new Date() instanceof Date).toBe(true);
    expect(Date()).toContain("2026");
  });

  it("runs timers in the order of their time, equal ones in the order of their setting", async () => {
    const { advance } = bound(install());
    const ran: unknown[] = [];
    setTimeout(() => ran.push("late"), 200);
    setTimeout((...args: unknown[]) => ran.push(...args), 100, "first", "args");
    setTimeout(() => ran.push("second"), 100);
    await advance(99);
    expect(ran).toEqual([]);
    await advance(1);
    expect(ran).toEqual(["first", "args", "second"]);
    await advance(100);
    expect(ran.at(-1)).toBe("late");
  });

  it("runs timers that timers set, within the same move", async () => {
    const { advance } = bound(install(0));
    const at: number[] = [];
    const again = () => {
      at.push(Date.now());
      if (at.length < 5) setTimeout(again, 10);
    };
    setTimeout(again, 10);
    await advance(45);
    expect(at).toEqual([10, 20, 30, 40]);
    expect(Date.now()).toBe(45);
  });

  it("repeats intervals until they are cleared", async () => {
    const { advance } = bound(install());
    let runs = 0;
    const interval = setInterval(() => {
      runs += 1;
      if (runs === 3) clearInterval(interval);
    }, 10);
    await advance(1_000);
    expect(runs).toBe(3);
    expect(clock?.timers).toBe(0);
  });

  it("forgets timers that are cleared, by handle or by number", async () => {
    const { advance } = bound(install());
    const fail = () => expect.unreachable();
    clearTimeout(setTimeout(fail, 1));
    clearTimeout(Number(setTimeout(fail, 1)));
    const timer = setTimeout(fail, 1).unref();
    expect(timer.hasRef()).toBe(true);
    clearTimeout(timer);
    clearTimeout(undefined);
    await advance(10);
    expect(clock?.timers).toBe(0);
  });

  it("lets what is on its way in memory arrive before the next timer", async () => {
    const { advance } = bound(install());
    const [one, two] = createMemoryPair();
    const [here, there] = [createRawPeer(one), createRawPeer(two)];
    const order: string[] = [];
    const asked = here.request("ask").then(() => order.push("answer"));
    void there.call("ask").then((call) => there.answer(call, {}));
    setTimeout(() => order.push("timeout"), 1);
    await advance(1);
    await asked;
    expect(order).toEqual(["answer", "timeout"]);
  });

  it("does not stop the patience of a raw peer", async () => {
    install();
    const peer = createRawPeer(createMemoryPair()[0], { patienceMs: 1 });
    await expect(peer.call("never")).rejects.toMatchObject({ code: "timeout" });
  });

  it("gives the real time back, once, and clears real timers meanwhile", async () => {
    const real = [setTimeout, setInterval, clearTimeout, clearInterval, Date, performance.now];
    const timer = setTimeout(() => expect.unreachable(), 0);
    {
      using other = installManualClock();
      setTimeout(() => expect.unreachable(), 1);
      clearTimeout(timer);
      expect(() => installManualClock()).toThrow(expect.objectContaining({ code: "state" }));
      expect(other.timers).toBe(1);
    }
    expect([setTimeout, setInterval, clearTimeout, clearInterval, Date, performance.now]).toEqual(real);
    // Real timers are the subject: those that were cleared were to fire before this one.
    await new Promise((resolve) => setTimeout(resolve, 5));
    const next = install();
    next.uninstall();
    next.uninstall();
    expect(Math.abs(performance.timeOrigin + performance.now() - Date.now())).toBeLessThan(10_000);
  });

  it("takes no timer of a clock before it for one of its own", async () => {
    const before = installManualClock();
    const old = setTimeout(() => {}, 1);
    before.uninstall();
    const next = install();
    let ran = 0;
    setTimeout(() => ran++, 1);
    clearTimeout(old);
    await next.advance(1);
    expect(ran).toBe(1);
  });

  it("refuses timers without end", async () => {
    const { advance } = bound(install());
    const interval = setInterval(() => {}, 1);
    await expect(advance(10_000_000)).rejects.toMatchObject({ code: "state" });
    clearInterval(interval);
    const setMany = () => {
      for (let n = 0; n <= 100_000; n++) setTimeout(() => {}, 1);
    };
    expect(setMany).toThrow(expect.objectContaining({ code: "state" }));
  });
});

function bound(one: ManualClock) {
  return { advance: (ms: number) => one.advance(ms) };
}
