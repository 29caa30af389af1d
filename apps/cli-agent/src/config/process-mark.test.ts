import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { hasEnded, processMark } from "./process-mark.js";

it("a mark says whether its process has ended, and says no if that is unknown", async () => {
  const mark = await processMark();
  const child = spawn("true");
  await once(child, "exit");
  const [place, , start] = mark.split("-");
  const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  const marks = {
    own: mark,
    ended: [place, child.pid, start].join("-"),
    "another start": [place, other.pid, "00000000"].join("-"),
    "another machine": ["00000000", child.pid, start].join("-"),
    "no mark": "x",
  };
  const ended = await Promise.all(Object.entries(marks).map(async ([name, one]) => [name, await hasEnded(one)]));
  other.kill("SIGKILL");
  expect(Object.fromEntries(ended)).toEqual({
    own: false,
    ended: true,
    // Other systems do not report the start of another process.
    "another start": process.platform === "linux",
    "another machine": false,
    "no mark": false,
  });
});
