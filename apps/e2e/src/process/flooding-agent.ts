import { createAgent } from "@turnkit/agent";

const MESSAGES = 200_000;
const filler = "x".repeat(900);

// Says 200 000 pieces of about 1 kB as fast as it is given room, and then, at what number it first had to wait.
export default createAgent({
  info: { name: "flood", version: "1.0.0" },
  newSession() {},
  async prompt(turn) {
    let waitedAt: number | undefined;
    for (let n = 0; n < MESSAGES; n += 1) {
      const room = turn.say(`${String(n).padStart(8, "0")}${filler}`);
      if (room === undefined) continue;
      waitedAt ??= n;
      await room;
    }
    await turn.say(`waited at ${waitedAt}`);
  },
});
