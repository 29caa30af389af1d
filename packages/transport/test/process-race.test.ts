import type { ChildProcess } from "node:child_process";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { CloseReason } from "../src/channel.js";
import { ProcessChannel } from "../src/node/child-process.js";
import type { ProcessExit, ProcessGroup } from "../src/node/process-group.js";
import { random } from "./random.js";

const SCHEDULES = 1_000;

/** A process that does what the schedule says; whether it minds the end of its stdin and SIGTERM is up to the seed. */
class StagedProcess implements ProcessGroup {
  readonly pid = 1;
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  readonly child = { stdin: this.stdin, stdout: this.stdout, stderr: this.stderr } as unknown as ChildProcess;
  readonly exited: Promise<ProcessExit>;
  readonly gone: Promise<void>;
  terminations = 0;
  exit: ProcessExit | undefined;
  #settle!: (exit: ProcessExit) => void;

  constructor(mindsItsEnd: boolean) {
    this.exited = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.gone = this.exited.then(() => undefined);
    this.stdin.resume();
    if (mindsItsEnd) this.stdin.on("end", () => this.end({ exitCode: 0, signal: null }));
  }

  end(exit: ProcessExit): void {
    if (this.exit !== undefined) return;
    this.exit = exit;
    this.#settle(exit);
  }

  note(): void {}

  async terminate(): Promise<void> {
    this.terminations++;
    this.end({ exitCode: null, signal: "SIGTERM" });
    for (const stream of [this.stdout, this.stderr]) stream.destroy();
  }
}

type Step = readonly [name: string, run: () => unknown];

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

async function schedule(seed: number): Promise<void> {
  const roll = random(seed);
  const process = new StagedProcess(roll(2) === 0);
  const channel = new ProcessChannel("agent", process, { env: {} });
  const delivered: number[] = [];
  const story: string[] = [];
  const reasons: CloseReason[] = [];
  let isOver = false;
  let paused = false;
  let written = 0;
  let closedAt = Number.POSITIVE_INFINITY;
  void channel.closed.then((reason) => {
    isOver = true;
    reasons.push(reason);
  });
  channel.start({
    message(message) {
      expect(isOver || paused, "nothing is delivered after the end, nor in a pause").toBe(false);
      delivered.push((message as unknown as { params: number }).params);
    },
    invalidLine: () => undefined,
  });
  const write = (): void => {
    if (process.exit !== undefined || !process.stdout.writable) return;
    const line = `{"jsonrpc":"2.0","method":"n","params":${written++}}\n`;
    // In two chunks at times.
    const cut = roll(line.length);
    process.stdout.write(line.slice(0, cut));
    process.stdout.write(line.slice(cut));
  };
  const close = () => {
    closedAt = Math.min(closedAt, written);
    void channel.close();
  };
  const endPipes = () => {
    process.stdout.end();
    process.stderr.end();
  };
  const died: Step = [
    "exit",
    () => process.end(roll(2) === 0 ? { exitCode: 3, signal: null } : { exitCode: null, signal: "SIGKILL" }),
  ];
  const actors: Step[][] = [
    Array.from({ length: 4 }, (_, n): Step => [`write ${n}`, write]),
    [["last words", () => process.stderr.writable && process.stderr.write("out of memory\n")]],
    roll(3) > 0 ? [died] : [],
    // A grandchild may hold the pipes for as long as it likes.
    roll(2) === 0 ? [["end of the pipes", endPipes]] : [],
    roll(2) === 0
      ? [
          ["close", close],
          ["close again", close],
        ]
      : [],
    roll(3) === 0 ? [["stdin breaks", () => process.stdin.destroy(new Error("EPIPE"))]] : [],
    [["send", () => void channel.send({ jsonrpc: "2.0", method: "m" })]],
    [
      [
        "pause",
        () => {
          channel.pause();
          paused = true;
        },
      ],
      [
        "resume",
        () => {
          paused = false;
          channel.resume();
        },
      ],
    ],
    [["half a second", () => vi.advanceTimersByTimeAsync(500)]],
  ];
  while (actors.some((steps) => steps.length > 0)) {
    const steps = actors[roll(actors.length)] as Step[];
    const step = steps.shift();
    if (step === undefined) continue;
    story.push(step[0]);
    await step[1]();
    for (let tick = roll(8); tick > 0; tick--) await undefined;
    if (roll(4) === 0) await new Promise(setImmediate);
  }
  // Whatever was not done by then: this side closes, and gives it time.
  close();
  for (let turns = 0; turns < 50 && !isOver; turns++) {
    await new Promise(setImmediate);
    await vi.advanceTimersByTimeAsync(500);
  }
  const seen = `seed ${seed}: ${story.join(", ")}; ${JSON.stringify(reasons)}`;
  expect(reasons, seen).toHaveLength(1);
  expect(process.exit, seen).toBeDefined();
  expect(delivered, seen).toEqual(Array.from(delivered, (_, n) => n));
  const [reason] = reasons as [CloseReason];
  expect(reason, seen).toMatchObject(process.exit as ProcessExit);
  if (reason.kind === "local") expect(delivered.length, seen).toBeLessThanOrEqual(written);
  // Who ended by itself is heard out.
  else if (reason.kind === "exit" && closedAt >= written && !story.includes("stdin breaks")) {
    expect(delivered.length, seen).toBe(written);
  }
  if (reason.stderr !== undefined) expect(reason.stderr, seen).toBe("out of memory\n");
  // What it may have left behind is ended too.
  await new Promise(setImmediate);
  expect(process.terminations, seen).toBeGreaterThan(0);
}

describe("a process that exits, is closed, breaks its pipes and is paused, in any order", () => {
  test("ends once, with its exit, and what it wrote before is delivered first", async () => {
    for (let seed = 1; seed <= SCHEDULES; seed++) await schedule(seed);
  }, 60_000);
});
