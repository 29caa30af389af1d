import { createAgent } from "@turnkit/agent";
import { peakMemory } from "./peak-memory.js";

/** Report of the agent of a flood about itself, after the last update. */
export type FloodReport = {
  /** At which update it first had to wait for room. */
  readonly waitedAt?: number;
  /** The most memory that its process had, in MB. */
  readonly peakMB: number;
};

const waiting: (() => void)[] = [];

// Says as many pieces as it is asked for ("200000 of 900 bytes in 1 messages"), aloud and in thought by turns, as fast as it is given room, and then how that went.
// Keeps every request open until a message releases them.
export default createAgent({
  info: { name: "flood", version: "1.0.0" },
  newSession() {},
  async prompt(turn) {
    const [block] = turn.prompt;
    const [, count, bytes, messages] =
      /^(\d+) of (\d+) bytes in (\d+) messages$/.exec(block?.type === "text" ? block.text : "") ?? [];
    if (count === undefined) return;
    const filler = "x".repeat(Number(bytes));
    let waitedAt: number | undefined;
    for (let n = 0; n < Number(count); n += 1) {
      const isSaid = Math.floor((n * Number(messages)) / Number(count)) % 2 === 0;
      const room = isSaid ? turn.say(`${numbered(n)}${filler}`) : turn.think(`${numbered(n)}${filler}`);
      if (room === undefined) continue;
      waitedAt ??= n;
      await room;
    }
    await turn.say(`report ${JSON.stringify(report(waitedAt))}`);
  },
  extensions: {
    "_flood/wait": () => new Promise<object>((resolve) => waiting.push(() => resolve({}))),
    "_flood/answer": () => {
      for (const answer of waiting.splice(0)) answer();
      return {};
    },
    "_flood/report": () => report(),
  },
});

/** Not decimal: V8 caches such texts of numbers, a million of them, which would add 5 to 15 MB to what is measured. */
const numbered = (n: number): string => n.toString(36).padStart(8, "0");

function report(waitedAt?: number): FloodReport {
  return { ...(waitedAt !== undefined && { waitedAt }), peakMB: peakMemory() / 1e6 };
}
