import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { type Agent, createAgent } from "@turnkit/agent";
import { createFileLog } from "@turnkit/agent/node";
import { tapChannel } from "@turnkit/transport/trace";
import { piecesOf } from "./answer.js";

// Arguments: the folder of the log, a file for its process group, at which frame to die (0: never), what child to have.
const [, , folder = "", ledger = "", dieAt = "0", child = "sleep 600"] = process.argv;

// It leads its group: `launch` started it so.
appendFileSync(ledger, `${JSON.stringify({ group: process.pid })}\n`);
spawn("/bin/sh", ["-c", child], { stdio: "ignore" }).unref();

const agent = createAgent({
  info: { name: "chaos", version: "1.0.0" },
  log: createFileLog(folder, { compactBytes: 4096 }),
  newSession() {},
  async prompt(turn) {
    const [block] = turn.prompt;
    const prompt = block?.type === "text" ? block.text : "?";
    const pieces = piecesOf(prompt);
    if (pieces.length % 2 === 0) {
      const call = turn.toolCall({ title: "Look", kind: "read" });
      if (!(await call.ask())) return "refusal";
      await call.run(() => new Promise(setImmediate));
    }
    for (const piece of pieces) {
      if (turn.signal.aborted) return;
      await turn.say(piece);
    }
  },
});

let frames = 0;
const count = () => {
  if (++frames === Number(dieAt)) process.kill(process.pid, "SIGKILL");
};
const mortal: Agent = {
  serve: (channel, options) => agent.serve(tapChannel(channel, count, { secrets: "show" }), options),
};

export default mortal;
