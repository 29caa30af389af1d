import { spawnSync } from "node:child_process";
import { readdir } from "node:fs/promises";
import { expect, it, vi } from "vitest";
import { createProject, startCodingAgent } from "../models/coding-agent.js";
import { call, say } from "../models/step.js";
import { allowedForEver, uncovered } from "./command-bypasses.js";

vi.setConfig({ testTimeout: 90_000 });

const run = (command: string) => call("run_command", { command });

it("defect S25: an answer for ever to a plain command covers no other one, in turnkit-agent", async () => {
  const folder = await createProject({
    "a.js": "1;\n",
    ".env": "TOKEN=hunter2hunter2\n",
    "package.json": '{ "scripts": { "test": "exit 0" } }',
    git: "#!/bin/sh\ntouch CANARY\n",
  });
  const git = (...args: readonly string[]) => spawnSync("git", args, { cwd: folder });
  git("init", "-q");
  git("add", "-A");
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a");
  const asked: string[] = [];
  let isForEver = true;
  const { session } = await startCodingAgent({
    folder,
    script: [
      allowedForEver.map(run),
      [say("Now for the others."), ...allowedForEver.map(run)],
      uncovered.map(run),
      [say("Done.")],
    ],
    permissions({ subject, options }) {
      const [entry] = [...session.state.timeline].filter((one) => one.type === "tool_call" && one.status === "pending");
      asked.push(entry?.type === "tool_call" ? JSON.stringify(entry.rawInput) : JSON.stringify(subject));
      if (asked.length === allowedForEver.length + 1) isForEver = false;
      const kind = isForEver ? "allow_always" : "reject_once";
      const { optionId } = options.find((one) => one.kind === kind) as (typeof options)[number];
      return { outcome: "selected", optionId };
    },
  });
  await session.prompt("Go").ended;
  expect(asked.slice(0, allowedForEver.length)).toEqual(allowedForEver.map((command) => JSON.stringify({ command })));
  expect(asked.slice(allowedForEver.length)).toEqual(uncovered.map((command) => JSON.stringify({ command })));
  expect(await readdir(folder)).not.toContain("CANARY");
});
