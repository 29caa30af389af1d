import { describe, expect, it } from "vitest";
import { Budget } from "./budget.js";
import { type Continued, SessionLane } from "./lane.js";
import { OpenCalls } from "./lanes.js";

type Gate = { readonly promise: Promise<void>; open(): void };

function gate(): Gate {
  let open = () => {};
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}

function lanes(limits = { waitingMessages: 100, waitingBytes: 1_000_000 }, overlapping = 100) {
  const changes: boolean[] = [];
  const errors: unknown[] = [];
  const stuck: Continued[] = [];
  const calls = new OpenCalls();
  const budget = new Budget(limits, (full) => changes.push(full));
  const overlap = new Budget({ waitingMessages: overlapping, waitingBytes: 1_000_000 }, () => {});
  const busy = new Set<string>();
  const lane = (name = "lane") =>
    new SessionLane({
      budget,
      overlap,
      issued: () => calls.issued,
      mayPass: ({ since, isStuck }, isUrgent) =>
        (isUrgent || budget.full) && !overlap.full && (isStuck || calls.anyAfter(since)),
      onError: (error) => errors.push(error),
      onWait: () => {},
      onStuck: (listener) => stuck.push(listener),
      onBusy: () => busy.add(name),
      onIdle: () => busy.delete(name),
    });
  return { lane, calls, changes, errors, busy, stuck };
}

describe("a lane", () => {
  it("runs work at once while nothing waits", () => {
    const { lane } = lanes();
    const received: number[] = [];
    const one = lane();
    one.notify(1, () => void received.push(1));
    one.notify(1, () => void received.push(2));
    expect(received).toEqual([1, 2]);
  });

  it("awaits a listener before the next item starts", async () => {
    const { lane } = lanes();
    const received: string[] = [];
    const first = gate();
    const one = lane();
    one.notify(1, async () => {
      received.push("first begins");
      await first.promise;
      received.push("first ends");
    });
    one.notify(1, () => void received.push("second"));
    expect(received).toEqual(["first begins"]);
    first.open();
    await one.settled();
    expect(received).toEqual(["first begins", "first ends", "second"]);
  });

  it("starts request handlers in their place and does not wait for them", async () => {
    const { lane } = lanes();
    const received: string[] = [];
    const listener = gate();
    const one = lane();
    one.notify(1, () => listener.promise.then(() => void received.push("listener ends")));
    one.begin(1, () => void new Promise(() => received.push("handler starts")));
    one.notify(1, () => void received.push("next listener"));
    expect(received).toEqual([]);
    listener.open();
    await one.settled();
    expect(received).toEqual(["listener ends", "handler starts", "next listener"]);
  });

  it("does not wait for other lanes", () => {
    const { lane } = lanes();
    const received: string[] = [];
    const slow = lane("slow");
    const quick = lane("quick");
    slow.notify(1, () => new Promise(() => {}));
    slow.notify(1, () => void received.push("slow"));
    quick.notify(1, () => void received.push("quick"));
    expect(received).toEqual(["quick"]);
  });

  it("keeps the order of work that is pushed by running work", () => {
    const { lane } = lanes();
    const received: number[] = [];
    const one = lane();
    one.notify(1, () => {
      one.notify(1, () => void received.push(3));
      received.push(1);
      one.begin(1, () => void received.push(4));
      received.push(2);
    });
    expect(received).toEqual([1, 2, 3, 4]);
  });

  it("goes on after a listener that throws or rejects, and reports it", async () => {
    const { lane, errors } = lanes();
    const received: string[] = [];
    const one = lane();
    one.notify(1, () => {
      throw new Error("thrown");
    });
    one.notify(1, () => Promise.reject(new Error("rejected")));
    one.notify(1, () => void received.push("next"));
    await one.settled();
    expect(received).toEqual(["next"]);
    expect(errors).toEqual([new Error("thrown"), new Error("rejected")]);
  });

  it("at the budget, starts the next item when its listener may be waiting for the peer, and still counts it", async () => {
    const { lane, calls, busy } = lanes({ waitingMessages: 1, waitingBytes: 1_000_000 });
    const received: string[] = [];
    const stuck = gate();
    const one = lane("one");
    one.notify(1, () => stuck.promise.then(() => void received.push("first ends")));
    one.notify(1, () => void received.push("second"));
    one.reconsider();
    expect(received).toEqual([]);
    calls.open();
    one.reconsider();
    expect(received).toEqual(["second"]);
    const settled = one.settled().then(() => received.push("settled"));
    expect(busy).toEqual(new Set(["one"]));
    stuck.open();
    await settled;
    expect(received).toEqual(["second", "first ends", "settled"]);
    expect(busy.size).toBe(0);
  });

  it("at the budget, a listener that asks before its first await does not hold the lane", () => {
    const { lane, calls } = lanes({ waitingMessages: 1, waitingBytes: 1_000_000 });
    const received: string[] = [];
    const blocked = lane("blocked");
    blocked.notify(1, () => new Promise(() => {}));
    blocked.notify(1, () => undefined);
    const one = lane("one");
    one.notify(1, () => {
      calls.open();
      return new Promise(() => {});
    });
    one.notify(1, () => void received.push("next"));
    expect(received).toEqual(["next"]);
  });
});

describe("a handler behind a listener", () => {
  it("starts when that may wait for the peer; what comes after it waits for the listener again", async () => {
    const { lane, calls } = lanes();
    const received: string[] = [];
    const asking = gate();
    const one = lane();
    one.notify(1, () => asking.promise);
    calls.open();
    one.notify(1, () => void received.push("listener before"));
    expect(received).toEqual([]);
    one.begin(1, () => void received.push("handler"));
    one.notify(1, () => void received.push("listener after"));
    expect(received).toEqual(["listener before", "handler"]);
    asking.open();
    await one.settled();
    expect(received).toEqual(["listener before", "handler", "listener after"]);
  });

  it("starts although a listener between them waits for the first one", async () => {
    const { lane, calls } = lanes();
    const received: string[] = [];
    const asking = gate();
    const one = lane();
    one.notify(1, () => asking.promise);
    calls.open();
    one.notify(1, () => asking.promise.then(() => void received.push("chained")));
    one.begin(1, () => void received.push("handler"));
    expect(received).toEqual(["handler"]);
    asking.open();
    await one.settled();
    expect(received).toEqual(["handler", "chained"]);
  });

  it("waits while the listener asked nothing, and no mark lets it pass", async () => {
    const { lane, calls } = lanes();
    const received: string[] = [];
    const slow = gate();
    const one = lane();
    calls.open();
    one.notify(1, () => slow.promise);
    one.begin(1, () => void received.push("handler"));
    const two = lane();
    two.notify(1, () => slow.promise);
    calls.open();
    two.mark(() => void received.push("mark"));
    await Promise.resolve();
    one.check(false);
    expect(received).toEqual([]);
    one.reconsider();
    expect(received).toEqual(["handler"]);
    slow.open();
    await two.settled();
    expect(received).toEqual(["handler", "mark"]);
  });

  it("starts when the listener was found at work twice, which is reported once", () => {
    const { lane, stuck } = lanes();
    const received: string[] = [];
    const one = lane();
    one.notify(1, (since) => ({ done: new Promise(() => {}), since, by: { name: "slow" } }));
    one.begin(1, () => void received.push("handler"));
    one.check(false);
    expect([received, stuck.length]).toEqual([[], 0]);
    one.check(false);
    one.check(false);
    expect(received).toEqual(["handler"]);
    expect(stuck).toMatchObject([{ by: { name: "slow" } }]);
  });

  it("does not start once too many listeners run beside earlier ones", async () => {
    const { lane, calls } = lanes(undefined, 2);
    const received: string[] = [];
    const asking = gate();
    const one = lane();
    one.notify(1, () => asking.promise);
    calls.open();
    for (let n = 0; n < 3; n += 1) one.notify(1, () => asking.promise);
    one.begin(1, () => void received.push("handler"));
    expect(received).toEqual([]);
    asking.open();
    await one.settled();
    expect(received).toEqual(["handler"]);
  });
});

describe("the end of a turn behind a listener from before it", () => {
  it("passes the listener once that is stuck; what comes after it waits for the listener again", async () => {
    const { lane, calls } = lanes();
    const received: string[] = [];
    const slow = gate();
    const one = lane();
    one.notify(1, () => slow.promise);
    calls.open();
    const marks = [one.settled(one.now()), one.settled(one.now())];
    one.notify(1, () => void received.push("listener after"));
    one.check(false);
    one.check(false);
    await Promise.all(marks);
    one.notify(1, () => void received.push("another"));
    one.reconsider();
    expect(received).toEqual([]);
    slow.open();
    await one.settled();
    expect(received).toEqual(["listener after", "another"]);
  });

  it("passes it again for the end of a later turn", async () => {
    const { lane, calls } = lanes();
    const received: string[] = [];
    const one = lane();
    one.notify(1, () => new Promise(() => {}));
    calls.open();
    const first = one.settled(one.now());
    one.check(false);
    one.check(false);
    await first;
    one.notify(1, () => void received.push("between"));
    expect(received).toEqual([]);
    await one.settled(one.now());
    expect(received).toEqual(["between"]);
  });
});

describe("work that continues earlier work", () => {
  it("yields by the moment at which that began, since it may be waiting for anything asked since then", async () => {
    const { lane, calls } = lanes({ waitingMessages: 2, waitingBytes: 1_000_000 });
    const received: string[] = [];
    const body = gate();
    const one = lane("one");
    let since = 0;
    one.notify(1, (began) => {
      since = began;
      return Promise.resolve();
    });
    await one.settled();
    // The loop body that began there asks, and goes on under the next event.
    calls.open();
    one.notify(1, () => ({ done: body.promise, since }));
    one.notify(1, () => void received.push("next"));
    expect(received).toEqual([]);
    const blocked = lane("blocked");
    blocked.notify(1, () => new Promise(() => {}));
    blocked.notify(1, () => undefined);
    one.reconsider();
    expect(received).toEqual(["next"]);
    body.open();
  });
});

describe("the budget", () => {
  it("is full at its number of messages and open again below half of it", async () => {
    const { lane, changes } = lanes({ waitingMessages: 4, waitingBytes: 1_000_000 });
    const gates = [gate(), gate(), gate(), gate(), gate()];
    const one = lane();
    for (const { promise } of gates) one.notify(1, () => promise);
    expect(changes).toEqual([true]);
    gates[0]?.open();
    gates[1]?.open();
    gates[2]?.open();
    await gates[2]?.promise;
    gates[3]?.open();
    gates[4]?.open();
    await one.settled();
    expect(changes).toEqual([true, false]);
  });

  it("is full at its number of bytes; one larger message passes alone", async () => {
    const { lane, changes } = lanes({ waitingMessages: 100, waitingBytes: 10 });
    const first = gate();
    const one = lane();
    one.notify(50, () => first.promise);
    expect(changes).toEqual([]);
    one.notify(50, () => undefined);
    expect(changes).toEqual([true]);
    first.open();
    await one.settled();
    expect(changes).toEqual([true, false]);
  });
});
