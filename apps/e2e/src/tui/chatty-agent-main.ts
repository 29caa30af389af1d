import { createAgent } from "@turnkit/agent";
import { serveStdio } from "@turnkit/agent/node";
import { chattyText } from "./chatty-text.js";

// Says a long answer in so many pieces, evenly over so many milliseconds; with 0 as fast as it is taken.
const [chunks = 1000, overMs = 0] = process.argv.slice(2).map(Number);

const agent = createAgent({
  info: { name: "chatty", version: "1.0.0" },
  newSession() {},
  async prompt(turn) {
    const start = performance.now();
    for (let n = 0; n < chunks; n += 1) {
      const early = start + (n * overMs) / chunks - performance.now();
      if (early > 5) await new Promise((resolve) => setTimeout(resolve, early));
      await turn.say(chattyText(n));
    }
  },
});

await serveStdio(async () => ({ default: agent }));
