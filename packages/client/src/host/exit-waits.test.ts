import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { ExitWaits } from "./exit-waits.js";
import type { TerminalExit } from "./terminals.js";

const status = { exitCode: 0, signal: null };

test("defect S93: nothing is kept of withdrawn requests that waited for a command that runs on", async () => {
  let exit: (status: TerminalExit) => void = () => undefined;
  const waits = new ExitWaits(
    new Promise((resolve) => {
      exit = resolve;
    }),
  );
  const ended: WeakRef<object>[] = [];
  for (let n = 0; n < 100; n++) {
    const withdrawn = new AbortController();
    const waiting = waits.wait(withdrawn.signal);
    waiting.catch(() => undefined);
    ended.push(new WeakRef(waiting));
    withdrawn.abort();
  }
  await setImmediate();
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  expect(ended.filter((one) => one.deref() !== undefined).length).toBeLessThan(2);
  const { signal } = new AbortController();
  const early = waits.wait(signal);
  exit(status);
  expect(await early).toEqual(status);
  expect(await waits.wait(signal)).toEqual(status);
});
