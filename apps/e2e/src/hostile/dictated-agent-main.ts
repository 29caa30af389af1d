import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Dictation } from "./dictation.js";

// An agent as a process that does what a file says, in bare lines of version 1, and records the answers: FILE.answers.
const [file = ""] = process.argv.slice(2);
const { steps, authMethods = [] } = JSON.parse(readFileSync(file, "utf8")) as Dictation;
const waiting = new Map<unknown, (answer: object) => void>();
const send = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, result, error } = JSON.parse(line);
  if (method === "initialize") send({ id, result: { protocolVersion: 1, agentCapabilities: {}, authMethods } });
  else if (method === "session/new" && authMethods.length > 0) send({ id, error: { code: -32000, message: "Log in" } });
  else if (method === "session/new") send({ id, result: { sessionId: "s" } });
  else if (method === "session/prompt") void work().then(() => send({ id, result: { stopReason: "end_turn" } }));
  else if (method === undefined) waiting.get(id)?.(result ?? { error });
  else if (id !== undefined) send({ id, result: {} });
});

async function work(): Promise<void> {
  const open: Promise<void>[] = [];
  for (const [index, step] of steps.entries()) {
    if ("update" in step) send({ method: "session/update", params: { sessionId: "s", update: step.update } });
    else if ("withdraw" in step) send({ method: "$/cancel_request", params: { requestId: step.withdraw } });
    else if ("waitFor" in step) await appeared(step.waitFor);
    else {
      const answer = new Promise<object>((resolve) => waiting.set(index, resolve));
      send({ id: index, method: step.method, params: { sessionId: "s", ...step.params } });
      open.push(answer.then((one) => appendFileSync(`${file}.answers`, `${JSON.stringify([index, one])}\n`)));
      if (step.goesOn !== true) await answer;
    }
  }
  await Promise.all(open);
}

function appeared(path: string): Promise<void> {
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (!existsSync(path)) return;
      clearInterval(timer);
      resolve();
    }, 10);
  });
}
