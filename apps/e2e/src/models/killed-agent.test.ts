import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { codingAgent, turnkit } from "../interop/programs.js";
import { expectInOrder, runProgram, startProgram } from "../interop/running-program.js";
import { createProject } from "./coding-agent.js";
import { createModelServer } from "./model-server.js";
import { call, type Part, say } from "./step.js";

/** Says something, and then nothing until the end of the test. */
async function* endless(): AsyncGenerator<Part> {
  yield say("And with tax that is ");
  await new Promise(() => {});
}

it.each(["1", "2"])(
  "turnkit --session shows what a killed agent had finished, and goes on with it, in version %s",
  async (protocol) => {
    const script = [[say("I look."), call("read_file", { path: "price.txt" })], endless(), [say("It is 14.28.")]];
    const server = await createModelServer(script);
    onTestFinished(() => server.close());
    const cwd = await createProject({ "price.txt": "The price is 12.\n" });
    const providers = { "stand-in": { type: "openai-compatible", baseURL: server.url, models: { coder: {} } } };
    const config = JSON.stringify({ model: "stand-in/coder", providers });
    const home = await createProject({ "turnkit/agent.json": config });
    const pid = join(home, "pid");
    const sessions = ["--sessions", await createProject({})];
    // `exec` keeps the process, and so its id.
    const agent = ["/bin/sh", "-c", `echo $$ > '${pid}'; exec "$@"`, "agent", ...codingAgent, ...sessions];
    const env = { XDG_CONFIG_HOME: home, XDG_STATE_HOME: home };
    const command = (...args: readonly string[]) => [...turnkit, "--protocol", protocol, ...args, "--", ...agent];

    const first = startProgram(command("--output", "ndjson", "-p", "What is the price?"), { cwd, env });
    await first.printed('"text":"is "'); // the agent tells it word by word
    process.kill(Number(await readFile(pid, "utf8")), "SIGKILL");
    const { code, stdout } = await first.ended;
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const result = events.at(-1);
    expect({ code, type: result.type, error: result.error.code }).toEqual({
      ...{ code: 1, type: "result", error: "connection_closed" },
    });

    const again = await runProgram(
      command("--session", result.sessionId.slice(0, 8), "--output", "text", "Once more"),
      { cwd, env },
    );
    expect({ code: again.code, stderr: again.stderr }).toEqual({ code: 0, stderr: "" });
    expectInOrder(again.stdout, [
      ...["> What is the price?", "I look.", "Read price.txt  completed", "> Once more", "It is 14.28."],
    ]);
    for (const known of ["What is the price?", "I look.", "price.txt"]) {
      expect(JSON.stringify(server.requests.at(-1)?.body.messages)).toContain(known);
    }
  },
);
