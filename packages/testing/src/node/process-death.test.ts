import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { isAlive, processDeath } from "./process-death.js";

const endless = ["-e", "setInterval(() => {}, 1000)"];

function startEndless(): { readonly pid: number; kill(): void } {
  const child = spawn(process.execPath, endless, { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  return { pid: child.pid as number, kill: () => void child.kill("SIGKILL") };
}

it("settles once the process is gone, and not before", async () => {
  const { pid, kill } = startEndless();
  expect(isAlive(pid)).toBe(true);
  let gone = false;
  const death = processDeath(pid).then(() => {
    gone = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(gone).toBe(false);
  kill();
  await death;
  expect(isAlive(pid)).toBe(false);
});

it("says which process outlived its time", async () => {
  const { pid } = startEndless();
  await expect(processDeath(pid, 0)).rejects.toMatchObject({
    code: "timeout",
    message: expect.stringContaining(`${pid}`),
  });
});

it("is at once for a process that ended long ago", async () => {
  const child = spawn(process.execPath, ["-e", ""], { stdio: "ignore" });
  await once(child, "exit");
  await processDeath(child.pid as number, 0);
  expect(isAlive(child.pid as number)).toBe(false);
});

it.each([Number.NaN, 0, -1, 1.5])("refuses %s, which would mean another process or a whole group", async (pid) => {
  await expect(processDeath(pid)).rejects.toMatchObject({ code: "script" });
});
