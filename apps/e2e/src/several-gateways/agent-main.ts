import { createAgent } from "@turnkit/agent";
import { createFileLog, serveStdio } from "@turnkit/agent/node";

const [, , folder = ""] = process.argv;

/** Agent that answers a prompt with its words. The prompt `wait` ends only by a cancel. */
const agent = createAgent({
  info: { name: "agent-of-several-gateways", version: "1.0.0" },
  log: createFileLog(folder),
  async prompt(turn) {
    const words = turn.prompt.map((block) => (block.type === "text" ? block.text : "")).join("");
    if (words !== "wait") return void (await turn.say(`Heard ${words}.`));
    await turn.say("Begun.");
    await new Promise<void>((resolve) => turn.signal.addEventListener("abort", () => resolve(), { once: true }));
  },
});

await serveStdio(async () => ({ default: agent }));
