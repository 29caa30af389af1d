import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createInterrupts } from "./interrupts.js";
import { findAttachment } from "./prompt/attachment.js";
import { runPrompt } from "./run.js";
import type { View } from "./view.js";

let directory = "";
beforeAll(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), "turnkit-run-")));
  await writeFile(join(directory, "a.ts"), "a");
});
afterAll(() => rm(directory, { recursive: true }));

/**
 * Agent in plain JavaScript. `--embeds` accepts resources. `--login KIND` opens no session before a login, which a file
 * records. It answers with the types of its prompt's blocks.
 */
const script = `
  const fs = require("node:fs");
  const [kind] = process.argv.slice(process.argv.indexOf("--login") + 1);
  const needsLogin = process.argv.includes("--login") && !process.argv.includes("--later");
  if (process.argv.includes("sign-in")) { fs.writeFileSync("token", ""); process.exit(process.argv.includes("badly") ? 7 : 0); }
  const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
  let prompted;
  let loggedIn = fs.existsSync("token");
  const methods = {
    agent: [{ id: "web", name: "Browser" }],
    terminal: [{ id: "tui", name: "Terminal", type: "terminal", args: ["sign-in"] }],
    badly: [{ id: "tui", name: "Terminal", type: "terminal", args: ["sign-in", "badly"] }],
  };
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    const promptCapabilities = { embeddedContext: process.argv.includes("--embeds") };
    if (method === "initialize") {
      send({ id, result: { protocolVersion: 1, agentCapabilities: { promptCapabilities }, authMethods: methods[kind] ?? [] } });
    }
    if (method === "authenticate") { loggedIn = true; send({ id, result: {} }); }
    if (method === "session/new" && needsLogin && !loggedIn) send({ id, error: { code: -32000, message: "Authentication required" } });
    else if (method === "session/new") send({ id, result: { sessionId: "s" } });
    if (method === "session/cancel") send({ id: prompted, result: { stopReason: "cancelled" } });
    if (method === "session/prompt" && process.argv.includes("--works")) {
      prompted = id;
      const content = { type: "text", text: "I begin." };
      send({ method: "session/update", params: { sessionId: "s", update: { sessionUpdate: "agent_message_chunk", content } } });
    } else if (method === "session/prompt" && process.argv.includes("--later") && !loggedIn) {
      send({ id, error: { code: -32000, message: "Please log in" } });
    } else if (method === "session/prompt") {
      const content = { type: "text", text: params.prompt.map(({ type }) => type).join(" ") };
      send({ method: "session/update", params: { sessionId: "s", update: { sessionUpdate: "agent_message_chunk", content } } });
      send({ id, result: { stopReason: "end_turn" } });
    }
  });
`;

/** Runs the agent with these arguments. A person, if there is one, chooses the first of each offer. */
async function run(args: readonly string[], isSomebodyThere = true) {
  const received: string[] = [];
  const never = new AbortController().signal;
  const view: View = {
    event(event) {
      if (event.type === "agent_message_chunk" && event.content.type === "text") received.push(event.content.text);
      if (event.type === "session_closed") received.push(event.type);
    },
    note() {},
    failure: (error) => void received.push(String(error)),
    ...(isSomebodyThere && {
      async choose(title, choices) {
        received.push(`${title} ${choices.map(({ name }) => name).join(", ")}`);
        return 0;
      },
    }),
  };
  const prompt = { text: "Look.", attachments: [await findAttachment(join(directory, "a.ts"))] };
  await rm(join(directory, "token"), { force: true });
  const { exitCode } = await runPrompt({
    setup: {
      ...{ directory, dialects: ["v1", "v2", "seed"], mcpServers: [] },
      command: [process.execPath, "-e", script, "--", ...args],
    },
    prompt,
    permissions: () => ({ outcome: "cancelled" }),
    view,
    interrupts: { cancel: never, quit: never, interrupt() {}, ignoreCtrlC: () => () => {} },
  });
  return { exitCode, received };
}

it.each([
  ["as resources to an agent that takes them", ["--embeds"], "text resource"],
  ["as links to any other", [], "text resource_link"],
])("files go %s (V1-PROMPT-04, V2-CON-05)", async (_, args, blocks) => {
  expect(await run(args)).toEqual({ exitCode: 0, received: [blocks] });
});

it.each([
  ["agent", "Browser"],
  ["terminal", '"Terminal"'],
])(
  "an agent that wants a login gets the chosen one of type %s, and is asked again (V1-AUTH-10, V1-AUTH-12, V2-AUTH-08)",
  async (kind, name) => {
    expect(await run(["--login", kind])).toEqual({
      exitCode: 0,
      received: [`The agent requires a login first. ${name}`, "text resource_link"],
    });
  },
);

it.each([
  ["agent", "Browser"],
  ["terminal", '"Terminal"'],
])(
  "an agent that wants a login of type %s only for a prompt gets it, and the prompt again (V1-AUTH-09, V1-AUTH-10)",
  async (kind, name) => {
    expect(await run(["--later", "--login", kind])).toEqual({
      exitCode: 0,
      received: [`The agent requires a login first. ${name}`, "text resource_link"],
    });
  },
);

it("where nobody can choose, a prompt that wants a login says what there is, too", async () => {
  const { exitCode, received } = await run(["--later", "--login", "agent"], false);
  expect(exitCode).toBe(4);
  expect(received).toEqual([expect.stringContaining("It offers: Browser.")]);
});

it("a login that fails is not tried again, whatever it left behind (V1-AUTH-12)", async () => {
  const { exitCode, received } = await run(["--login", "badly"]);
  expect(exitCode).toBe(1);
  expect(received).toEqual([
    'The agent requires a login first. "Terminal"',
    expect.stringContaining("failed: exit code 7"),
  ]);
});

it("where nobody can choose, the failure says what there is (V1-AUTH-10)", async () => {
  const { exitCode, received } = await run(["--login", "agent"], false);
  expect(exitCode).toBe(4);
  expect(received).toEqual([expect.stringContaining("It offers: Browser.")]);
});

it("a time limit cancels the turn, waits for its end, and decides the exit code", async () => {
  const nobody = { on: () => {}, off: () => {} };
  const interrupts = createInterrupts(nobody, nobody);
  const received: string[] = [];
  let isOver = false;
  const result = await runPrompt({
    setup: {
      ...{ directory, dialects: ["v1"], mcpServers: [] },
      command: [process.execPath, "-e", script, "--", "--works"],
    },
    prompt: { text: "Work.", attachments: [] },
    permissions: () => ({ outcome: "cancelled" }),
    view: {
      event({ type }) {
        received.push(type);
        if (type !== "agent_message_chunk") return;
        isOver = true;
        interrupts.interrupt();
      },
      note: (text) => void received.push(text),
      failure: (error) => void received.push(String(error)),
      ended: ({ exitCode }) => void received.push(`ended with ${exitCode}`),
    },
    interrupts,
    deadline: {
      get isOver() {
        return isOver;
      },
      release() {},
    },
  });
  expect(result).toMatchObject({ exitCode: 124, stopReason: "cancelled" });
  expect(received.slice(-4)).toEqual([
    "state_update",
    "turn_ended",
    "--timeout was over before the agent was done.",
    "ended with 124",
  ]);
});
