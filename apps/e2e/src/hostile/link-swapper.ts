import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** One call of `node:fs`, by the name of its synchronous form without `Sync`. */
export type DiskStep = readonly ["rename" | "symlink" | "link" | "writeFile" | "unlink", ...string[]];

const script = `
  const { parentPort, workerData: { steps, state } } = require("node:worker_threads");
  const fs = require("node:fs");
  const shared = new Int32Array(state);
  while (Atomics.load(shared, 0) === 0) {
    for (const [name, ...paths] of steps) {
      // Who writes a file here may be in the way of a step; the next round makes it good.
      try { fs[name + "Sync"](...paths); } catch {}
    }
    if (Atomics.add(shared, 1, 1) === 0) parentPort.postMessage("began");
  }`;

/** A thread that does steps on the disk over and over, as fast as it can, while others look at the same paths. */
export class LinkSwapper {
  /** Settles when all steps were done once. */
  readonly began: Promise<unknown>;
  readonly #worker: Worker;
  readonly #shared: Int32Array;

  constructor(steps: readonly DiskStep[]) {
    const state = new SharedArrayBuffer(8);
    this.#shared = new Int32Array(state);
    this.#worker = new Worker(script, { eval: true, workerData: { steps, state } });
    this.began = once(this.#worker, "message");
  }

  /** Number of times that all steps were done. */
  get rounds(): number {
    return Atomics.load(this.#shared, 1);
  }

  async stop(): Promise<void> {
    const ended = once(this.#worker, "exit");
    Atomics.store(this.#shared, 0, 1);
    await ended;
  }
}
