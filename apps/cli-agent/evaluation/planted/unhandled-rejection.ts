import { EventEmitter } from "node:events";

export type Job = { readonly id: string; run(): Promise<void> };

/** Runs jobs, at most four at the same time. */
export class JobQueue extends EventEmitter {
  readonly #waiting: Job[] = [];
  #running = 0;

  add(job: Job): void {
    this.#waiting.push(job);
    this.#startNext();
  }

  #startNext(): void {
    while (this.#running < 4) {
      const job = this.#waiting.shift();
      if (job === undefined) return;
      this.#running += 1;
      this.emit("start", job.id);
      job.run().then(() => {
        this.#running -= 1;
        this.emit("done", job.id);
        this.#startNext();
      });
    }
  }
}
