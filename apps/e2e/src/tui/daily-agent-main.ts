import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CommandOffer, createAgent } from "@turnkit/agent";
import { createFileLog, serveStdio } from "@turnkit/agent/node";
import type { ContentBlock } from "@turnkit/session";

// An agent that repeats each block of a prompt. Its arguments are the folder of its sessions (it has none without), the
// number of its commands, and `text` if it accepts no pictures.
// The words of a prompt decide what else happens: `hostile title` sends one with sequences, `wait` waits for the cancel, `die` ends the process.
const [folder = "", commands = "2", accepted = "images"] = process.argv.slice(2);

const modes = [
  { value: "ask", name: "Ask me" },
  { value: "plan", name: "Plan only" },
  { value: "auto", name: "By itself" },
];
const offered: readonly CommandOffer[] = Array.from({ length: Number(commands) }, (_, n) => ({
  name: n === 0 ? "review" : `task-${n}`,
  description: n === 0 ? "Review a file" : `Do task ${n}`,
  ...(n === 0 && { input: { type: "text", hint: "file" } }),
}));

function received(block: ContentBlock): string {
  if (block.type === "text") return block.text;
  if (block.type === "image") return `image ${block.mimeType} of ${Buffer.from(block.data, "base64").length} bytes`;
  if (block.type === "resource_link") return `link to ${block.name}`;
  return block.type === "resource" && "text" in block.resource ? `file with ${block.resource.text}` : block.type;
}

const agent = createAgent({
  info: { name: "daily", title: "Daily agent", version: "1.0.0" },
  promptCapabilities: { image: accepted === "images", embeddedContext: true },
  ...(folder !== "" && { log: createFileLog(folder) }),
  newSession: () => ({
    availableCommands: offered,
    configOptions: [
      { configId: "mode", name: "Mode", category: "mode", type: "select", currentValue: "ask", options: modes },
    ],
  }),
  async prompt(turn) {
    const text = turn.prompt.map(received).join(" + ");
    const title = text === "hostile title" ? "a\u0007\u001b]2;stolen\u0007\u001b\\b" : text.split("\n", 1)[0];
    await turn.session.setTitle(title ?? "");
    if (turn.command !== undefined) return void (await turn.say(`Command ${turn.command.name}: ${turn.command.input}`));
    await turn.say(`Heard: ${text}`);
    if (text === "wait") await new Promise<void>((resolve) => turn.signal.addEventListener("abort", () => resolve()));
    if (text === "die") {
      // The end of a turn is stored, so this turn is lost. Only the first process dies.
      const mark = join(folder || turn.session.cwd, "has-died");
      if (existsSync(mark) && readFileSync(mark, "utf8") !== "again") return;
      writeFileSync(mark, "");
      process.stderr.write("loading the model\nout of memory: \u001b[2Jthe model needs more\n");
      process.exit(7);
    }
  },
});

await serveStdio(async () => ({ default: agent }));
