import { resolve } from "node:path";
import { createAgent } from "@turnkit/agent";
import { serveStdio } from "@turnkit/agent/node";

/** An agent for the tests: "read NAME" and "write NAME" use the client's files. */
const agent = createAgent({
  info: { name: "writing-agent", version: "1.0.0" },
  newSession() {},
  async prompt(turn) {
    const [block] = turn.prompt;
    const [verb = "", name = ""] = block?.type === "text" ? block.text.split(" ") : [];
    const path = resolve(turn.session.cwd, name);
    const kind = verb === "read" ? "read" : "edit";
    const call = turn.toolCall({ title: `${verb} ${name}`, kind, locations: [{ path }], rawInput: { path } });
    const allowed = await call.ask();
    if (!allowed) return call.fail("Not allowed.");
    const { read, write } = turn.files ?? {};
    if (!read || !write) return call.fail("The client has no files.");
    await call.run(async () => {
      if (verb === "read") await turn.say(await read(path));
      else await write(path, "written");
    });
  },
});

await serveStdio(async () => ({ default: agent }));
