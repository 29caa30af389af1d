import { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { WebSocket } from "ws";
import { listenLimits } from "./limits.js";
import { UnfinishedFrames } from "./unfinished-frames.js";

/** A WebSocket whose close event comes when the test says so, as that of a busy process. */
class LateSocket extends EventEmitter {
  isCut = false;
  isPaused = false;
  readonly #pipe = new EventEmitter();

  constructor(frames: UnfinishedFrames, owner?: string) {
    super();
    frames.watch(this as unknown as WebSocket, this.#pipe as unknown as Socket, owner);
  }

  terminate(): void {
    this.isCut = true;
  }

  arrive(bytes: number): void {
    this.#pipe.emit("data", new Uint8Array(bytes));
  }
}

describe("unfinished messages of all WebSockets", () => {
  it("REM-22: the newest of the largest WebSockets is cut at the bound, even if its close event comes later", () => {
    const frames = new UnfinishedFrames(listenLimits({ arrivingBytes: 100, frameBytes: 20 }));
    const [slow, greedy, other] = [new LateSocket(frames), new LateSocket(frames), new LateSocket(frames)];
    slow.arrive(60);
    greedy.arrive(60);
    greedy.arrive(60);
    other.arrive(30);
    expect([slow, greedy, other].map(({ isCut }) => isCut)).toEqual([false, true, false]);
  });

  it("REM-22: the bytes of a cut WebSocket leave the account once", () => {
    const frames = new UnfinishedFrames(listenLimits({ arrivingBytes: 100, frameBytes: 20 }));
    const [slow, greedy] = [new LateSocket(frames), new LateSocket(frames)];
    slow.arrive(60);
    greedy.arrive(60);
    greedy.emit("message");
    greedy.emit("close");
    slow.arrive(40);
    expect(slow.isCut).toBe(false);
    slow.arrive(1);
    expect(slow.isCut).toBe(true);
  });

  it("defect M1: at the common bound the largest WebSocket of the principal with the most is cut, not the one that comes", () => {
    const frames = new UnfinishedFrames(listenLimits({ arrivingBytes: 100, frameBytes: 30 }));
    const greedy = [new LateSocket(frames, "a"), new LateSocket(frames, "a"), new LateSocket(frames, "a")];
    const other = new LateSocket(frames, "b");
    for (const [at, socket] of greedy.entries()) socket.arrive([10, 30, 19][at] as number);
    other.arrive(40);
    other.arrive(2);
    expect([...greedy, other].map(({ isCut }) => isCut)).toEqual([false, true, false, false]);
  });

  it("defect M1: a principal has a quarter, and never less than two messages; at its bound its largest WebSocket is cut", () => {
    const frames = new UnfinishedFrames(listenLimits({ arrivingBytes: 1_000, frameBytes: 10 }));
    const [large, small, other] = [
      new LateSocket(frames, "a"),
      new LateSocket(frames, "a"),
      new LateSocket(frames, "b"),
    ];
    large.arrive(249);
    other.arrive(250);
    small.arrive(1);
    expect([large, small, other].map(({ isCut }) => isCut)).toEqual([false, false, false]);
    small.arrive(1);
    expect([large, small, other].map(({ isCut }) => isCut)).toEqual([true, false, false]);
    const least = new UnfinishedFrames(listenLimits({ arrivingBytes: 40, frameBytes: 20 }));
    const alone = new LateSocket(least, "a");
    alone.arrive(40);
    expect(alone.isCut).toBe(false);
  });

  it("defect M1: a message has its time, which begins anew while the server itself does not read", () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const frames = new UnfinishedFrames(listenLimits({ messageMs: 100 }));
    const [slow, paused, quick] = [new LateSocket(frames), new LateSocket(frames), new LateSocket(frames)];
    for (const socket of [slow, paused, quick]) socket.arrive(10);
    paused.isPaused = true;
    quick.emit("message");
    vi.advanceTimersByTime(99);
    slow.arrive(10);
    expect(slow.isCut).toBe(false);
    vi.advanceTimersByTime(1);
    paused.isPaused = false;
    vi.advanceTimersByTime(99);
    expect([slow, paused, quick].map(({ isCut }) => isCut)).toEqual([true, false, false]);
    vi.advanceTimersByTime(1);
    expect([slow, paused, quick].map(({ isCut }) => isCut)).toEqual([true, true, false]);
  });
});
