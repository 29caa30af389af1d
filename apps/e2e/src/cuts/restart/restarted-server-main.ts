import { appendFileSync } from "node:fs";
import { createAgent } from "@turnkit/agent";
import { createFileLog } from "@turnkit/agent/node";
import { listen } from "@turnkit/remote/node";
import { createRemoteServer } from "@turnkit/remote/server";
import { UPDATES } from "./server-process.js";

// Serves an agent with a log of files on a given port. Each prompt that runs adds a line to a ledger.
const { TURNKIT_LOG_FOLDER: folder = "", TURNKIT_LEDGER: ledger = "", TURNKIT_PORT: port = "0" } = process.env;

const agent = createAgent({
  info: { name: "restarted", version: "1.0.0" },
  log: createFileLog(folder),
  async prompt(turn) {
    const [block] = turn.prompt;
    const text = block?.type === "text" ? block.text : "";
    appendFileSync(ledger, `${text}\n`);
    for (let piece = 0; piece < UPDATES; piece += 1) {
      await turn.say(`${text}:${piece} `);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  },
});

const listening = await listen(createRemoteServer({ agent }), { port: Number(port), path: "/acp" });
process.stdout.write(`${listening.port}\n`);
