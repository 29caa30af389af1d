import { spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node.js";
import { type Load, parseLoad, say } from "./load.js";
import type { Connected, Party } from "./party.js";

// JSON-RPC library without the protocol. It has no sessions and no validation, and headers in place of lines. It shows
// the cost of JSON-RPC.

const open = (input: Readable, output: Writable) =>
  createMessageConnection(new StreamMessageReader(input), new StreamMessageWriter(output));

export const vscode: Party = {
  serveStdio() {
    const connection = open(process.stdin, process.stdout);
    connection.onRequest("session/prompt", async ({ prompt }: { prompt: [{ text: string }] }) => {
      for (const text of say(parseLoad(prompt[0].text))) {
        const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
        await connection.sendNotification("session/update", { sessionId: "s", update });
      }
      return { stopReason: "end_turn" };
    });
    connection.listen();
  },
  async launch([command, ...args]): Promise<Connected> {
    const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
    const connection = open(child.stdout, child.stdin);
    let onUpdate: (text: string) => void | Promise<void> = () => {};
    connection.onNotification("session/update", ({ update }) => onUpdate(update.content.text));
    connection.listen();
    return {
      async newSession(onText) {
        onUpdate = onText;
        return {
          async prompt(load: Load) {
            const prompt = [{ type: "text", text: JSON.stringify(load) }];
            await connection.sendRequest("session/prompt", { sessionId: "s", prompt });
          },
        };
      },
      close: () => void child.kill(),
    };
  },
};
