import { createAgent } from "@turnkit/agent";
import { createPageServer } from "./server.js";

const agent = createAgent({
  info: { name: "echo", version: "1.0.0" },
  newSession() {},
  async prompt(turn) {
    const call = turn.toolCall({ title: "Repeat what you said" });
    const allowed = await call.ask();
    if (!allowed) return call.fail("Not allowed.");
    for (const block of turn.prompt) if (block.type === "text") await call.run(async () => turn.say(block.text));
  },
});

const server = await createPageServer(agent);
server.listen(8080, "127.0.0.1", () => console.log("Open http://127.0.0.1:8080"));
