import { spawn } from "node:child_process";
import { once } from "node:events";
import { type Load, parseLoad, say } from "./load.js";
import type { Connected, Party } from "./party.js";

// Lower limit of all costs: batches of lines in a pipe, a search for line ends and `JSON.parse`. The raw pipe has no
// protocol, no checks and no order of calls.

const BATCH = 64 * 1024;

async function answer(line: string): Promise<void> {
  const { id, params } = JSON.parse(line);
  let batch = "";
  for (const text of say(parseLoad(params.prompt[0].text))) {
    const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
    batch += `${JSON.stringify({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update } })}\n`;
    if (batch.length < BATCH) continue;
    if (!process.stdout.write(batch)) await once(process.stdout, "drain");
    batch = "";
  }
  process.stdout.write(`${batch}${JSON.stringify({ jsonrpc: "2.0", id, result: { stopReason: "end_turn" } })}\n`);
}

/** Cuts a stream of bytes into lines. */
function createLines(onLine: (line: string) => void): (bytes: Buffer) => void {
  const begun: Buffer[] = [];
  return (bytes) => {
    let start = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      const rest = bytes.subarray(start, end);
      onLine((begun.length > 0 ? Buffer.concat([...begun.splice(0), rest]) : rest).toString("utf8"));
      start = end + 1;
    }
    if (start < bytes.length) begun.push(bytes.subarray(start));
  };
}

export const raw: Party = {
  serveStdio() {
    process.stdin.on(
      "data",
      createLines((line) => void answer(line)),
    );
  },
  async launch([command, ...args]): Promise<Connected> {
    const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
    let onUpdate: (text: string) => void | Promise<void> = () => {};
    let ended = () => {};
    const take = createLines((line) => {
      const message = JSON.parse(line);
      if (message.method === undefined) ended();
      else onUpdate(message.params.update.content.text);
    });
    child.stdout.on("data", take);
    return {
      async newSession(onText) {
        onUpdate = onText;
        return {
          async prompt(load: Load) {
            const prompt = [{ type: "text", text: JSON.stringify(load) }];
            const over = new Promise<void>((resolve) => {
              ended = resolve;
            });
            const params = { sessionId: "s", prompt };
            child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "session/prompt", params })}\n`);
            await over;
          },
        };
      },
      close: () => void child.kill(),
    };
  },
};
