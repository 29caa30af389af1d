import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Measure } from "../scenario.js";

const agentProgram = fileURLToPath(new URL("../../cli-agent/dist/main.js", import.meta.url));

const hello = {
  ...{ jsonrpc: "2.0", id: 0, method: "initialize" },
  params: { protocolVersion: 1, clientCapabilities: {} },
};

/** Measures the time from the start of `turnkit-agent` to its answer to `initialize`. */
export const measureFirstAnswer: Measure = async () => {
  const started = performance.now();
  const child = spawn(process.execPath, [agentProgram], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.write(`${JSON.stringify(hello)}\n`);
  await once(child.stdout, "data");
  const time = performance.now() - started;
  child.stdin.end();
  await once(child, "close");
  return { time };
};

/** Measures the time from the start to the end of a Node process without work. */
export const measureEmptyNode: Measure = async () => {
  const started = performance.now();
  await once(spawn(process.execPath, ["--eval", ""], { stdio: "ignore" }), "close");
  return { time: performance.now() - started };
};
