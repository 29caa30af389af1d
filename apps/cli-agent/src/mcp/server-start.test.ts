import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createFolder } from "../../test/tool-context.js";
import { processMark } from "../config/process-mark.js";
import { startOf } from "./server-start.js";

it("removes folders of package runners whose agent was killed, and none of a living agent", async () => {
  const state = await createFolder();
  const before = process.env.XDG_STATE_HOME;
  process.env.XDG_STATE_HOME = state;
  onTestFinished(() => {
    if (before === undefined) delete process.env.XDG_STATE_HOME;
    else process.env.XDG_STATE_HOME = before;
  });
  const runners = join(state, "turnkit/agent/runners");
  const mark = await processMark();
  const child = spawn("true");
  await once(child, "exit");
  const dead = `run-${mark.replace(`-${process.pid}-`, `-${child.pid}-`)}-abc`;
  const living = `run-${mark}-abc`;
  for (const name of [dead, living, "run-unknown"]) await mkdir(join(runners, name, "in"), { recursive: true });
  const server = { type: "stdio", name: "a", command: "npx", args: ["-y", "a"] } as const;
  const { cwd, leave } = await startOf(server, { cwd: await createFolder(), roots: [] });
  expect((await readdir(runners)).sort()).toEqual([living, basename(cwd), "run-unknown"].sort());
  await leave();
  expect((await readdir(runners)).sort()).toEqual([living, "run-unknown"].sort());
});
