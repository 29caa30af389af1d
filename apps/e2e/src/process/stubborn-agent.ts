import { createAgent } from "@turnkit/agent";

// Starts a turn, says a last word on stderr, and never ends by itself: not the turn, not the process.
export default createAgent({
  info: { name: "stubborn", version: "1.0.0" },
  newSession() {},
  async prompt(turn) {
    setInterval(() => {}, 1_000);
    process.stderr.write("model overloaded\n");
    await turn.say(`${process.pid}`);
    await new Promise(() => {});
  },
});
