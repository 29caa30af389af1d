import { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import type { WebSocket } from "ws";
import { UnfinishedFrames } from "./unfinished-frames.js";

/** A WebSocket whose close event comes when the test says so, as that of a busy process. */
class LateSocket extends EventEmitter {
  isCut = false;
  readonly #pipe = new EventEmitter();

  constructor(frames: UnfinishedFrames) {
    super();
    frames.watch(this as unknown as WebSocket, this.#pipe as unknown as Socket);
  }

  terminate(): void {
    this.isCut = true;
  }

  arrive(bytes: number): void {
    this.#pipe.emit("data", new Uint8Array(bytes));
  }
}

describe("unfinished messages of all WebSockets", () => {
  it("REM-22: only the WebSocket that exceeds the bound is cut, even if its close event comes later", () => {
    const frames = new UnfinishedFrames(100);
    const [slow, greedy, other] = [new LateSocket(frames), new LateSocket(frames), new LateSocket(frames)];
    slow.arrive(60);
    greedy.arrive(60);
    greedy.arrive(60);
    other.arrive(30);
    expect([slow, greedy, other].map(({ isCut }) => isCut)).toEqual([false, true, false]);
  });

  it("REM-22: the bytes of a cut WebSocket leave the account once", () => {
    const frames = new UnfinishedFrames(100);
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
});
