import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LogSizes, MessageLog } from "./message-log.js";

const retention = { items: 5, size: 40, ms: 100 };

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("append" as const), size: fc.integer({ min: 1, max: 20 }) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("take" as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("seek" as const), of: fc.nat() }) },
  fc.record({ kind: fc.constant("wait" as const), ms: fc.integer({ min: 1, max: 80 }) }),
  fc.record({ kind: fc.constant("restart" as const) }),
  fc.record({ kind: fc.constant("dropTaken" as const), size: fc.integer({ min: 1, max: 30 }) }),
);

describe("a log of messages", () => {
  it("REM-38, REM-41: a reader gets every item once and in order after its place, with the cursor of the first time, or a refusal", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const account = new LogSizes();
        const log = new MessageLog<number>({ family: "f", log: 1 }, retention, account);
        const cursors = [log.cursor];
        const sizes = [0];
        let next = 1;
        let now = 0;
        for (const one of steps) {
          if (one.kind === "append") {
            log.append(sizes.length, one.size);
            sizes.push(one.size);
          } else if (one.kind === "wait") now += one.ms;
          else if (one.kind === "dropTaken") log.dropTaken(one.size);
          else if (one.kind === "take") {
            const ahead = log.next;
            const item = log.take(now);
            expect([ahead, item]).toEqual(Array(2).fill(next < sizes.length ? next : undefined));
            if (item === undefined) continue;
            cursors[next] ??= log.cursor;
            expect(log.cursor).toBe(cursors[next]);
            next += 1;
          } else if (one.kind === "seek") {
            const place = one.of % cursors.length;
            const refusal = log.seek([cursors[place] as string], now);
            if (refusal === undefined) next = place + 1;
            else expect(refusal).toBe("cursor_expired");
          } else if (log.restart(now) === undefined) {
            expect(log.waiting).toBeGreaterThanOrEqual(sizes.length - next);
            next = sizes.length - log.waiting;
          }
          const sum = (list: readonly number[]) => list.reduce((a, b) => a + b, 0);
          expect(log.waiting).toBe(sizes.length - next);
          expect(log.unread).toBe(sum(sizes.slice(next)));
          expect([account.unread, account.taken]).toEqual([log.unread, log.taken]);
          log.trim(now);
          expect(log.taken).toBeLessThanOrEqual(retention.size);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("REM-41: texts that are no cursor of this log are refused, and move nothing", () => {
    const log = new MessageLog<string>({ family: "f", log: 1 }, retention);
    for (const item of ["a", "b"]) log.append(item, 1);
    log.take(0);
    const first = log.cursor;
    for (const cursor of [
      "",
      "f",
      "f-1",
      "f-1-",
      "f-1-2",
      "f-1-01",
      "f-1-1.0",
      "f-1--1",
      "f-1-1-1",
      "g-1-1",
      "f-1-1e0",
      `${first} `,
    ])
      expect(log.seek([cursor], 0)).toBe("cursor_unknown");
    expect(log.seek(["f-2-1"], 0)).toBe("cursor_foreign");
    expect(log.take(0)).toBe("b");
    fc.assert(fc.property(fc.string(), (text) => /^f-1-[01]$/.test(text) || log.seek([text], 0) !== undefined));
  });

  it("REM-41: taken items are kept within number, size and time; items that wait are never dropped", () => {
    const log = new MessageLog<number>({ family: "f", log: 1 }, { items: 2, size: 1_000, ms: 10 });
    for (let at = 0; at < 100; at += 1) log.append(at, 1);
    const opening = log.cursor;
    for (let at = 0; at < 3; at += 1) log.take(0);
    expect(log.seek([opening], 0)).toBe("cursor_expired");
    expect([log.taken, log.waiting]).toEqual([2, 97]);
    log.trim(11);
    expect([log.taken, log.waiting]).toEqual([0, 97]);
    expect(log.seek([log.cursor], 1_000)).toBeUndefined();
  });

  it("of several cursors the newest counts, and one that is refused refuses all", () => {
    const log = new MessageLog<string>({ family: "f", log: 1 }, retention);
    for (const item of ["a", "b", "c"]) log.append(item, 1);
    const [a = "", b = ""] = ["a", "b", "c"].map(() => {
      log.take(0);
      return log.cursor;
    });
    expect(log.seek([a, "nonsense"], 0)).toBe("cursor_unknown");
    expect(log.waiting).toBe(0);
    expect(log.seek([b, a], 0)).toBeUndefined();
    expect(log.take(0)).toBe("c");
  });

  it("dropped items are returned, and cursors before them are expired", () => {
    const log = new MessageLog<string>({ family: "f", log: 1 }, retention);
    for (const item of ["a", "b", "c"]) log.append(item, 2);
    log.take(0);
    const { cursor } = log;
    expect(log.dropUnread()).toEqual(["b", "c"]);
    expect([log.unread, log.taken, log.isEmpty]).toEqual([0, 0, true]);
    expect(log.seek([cursor], 0)).toBe("cursor_expired");
    log.append("d", 2);
    expect(log.take(0)).toBe("d");
  });
});
