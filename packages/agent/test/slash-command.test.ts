import { describe, expect, test } from "vitest";
import type { ContentBlock, Turn } from "../src/index.js";
import { clientInfo, connectAs, v2Hello } from "./raw-client.js";

const commands = [
  { type: "command", name: "test", description: "Runs tests", input: { type: "text", hint: "which" } },
  { type: "command", name: "git:log", description: "Shows the log" },
] as const;

const text = (value: string): ContentBlock => ({ type: "text", text: value });
const link: ContentBlock = { type: "resource_link", uri: "file:///a.ts", name: "a.ts" };

describe.each([
  ["version 1", { protocolVersion: 1, clientInfo }],
  ["version 2", v2Hello],
])("slash commands in %s", (_, hello) => {
  test.each<[string, readonly ContentBlock[], Turn["command"]]>([
    ["with input", [text("/test src/a.ts  --all")], { name: "test", input: "src/a.ts  --all" }],
    ["over several lines", [text("/test\nfirst\n second\n")], { name: "test", input: "first\n second\n" }],
    ["without input", [text("/git:log")], { name: "git:log", input: "" }],
    ["with what was attached", [link, text("/test it"), text("more")], { name: "test", input: "it" }],
    ["an unknown one", [text("/deploy now")], undefined],
    ["a name that goes on", [text("/tests all")], undefined],
    ["a path", [text("/test/a.ts is broken")], undefined],
    ["not at the beginning", [text("run /test")], undefined],
    ["a slash alone", [text("/ test")], undefined],
    ["no text at all", [link], undefined],
  ])("V1-SLASH-04 V2-CMD-03: %s", async (_case, prompt, command) => {
    const seen: unknown[] = [];
    const { client } = await connectAs(hello, {
      newSession: () => ({ availableCommands: commands }),
      prompt: (turn) => void seen.push(turn.command, turn.prompt),
    });
    const sessionId = await client.newSession();
    await client.result("session/prompt", { sessionId, prompt });
    await client.result("session/close", { sessionId });
    // The prompt stays as it was: what is no command is ordinary text.
    expect(seen).toEqual([command, prompt]);
  });

  test("V1-SLASH-04: what counts is the list of the moment", async () => {
    const seen: unknown[] = [];
    const { client } = await connectAs(hello, {
      newSession: (_request, session) => void session.setCommands(commands),
      prompt(turn) {
        seen.push(turn.command?.name);
        turn.session.setCommands([]);
      },
    });
    const sessionId = await client.newSession();
    await client.ask(sessionId, "/test");
    await client.ask(sessionId, "/test");
    await client.result("session/close", { sessionId });
    expect(seen).toEqual(["test", undefined]);
  });
});

describe("defect N29: the name of a command with its slash is refused, because no prompt would match it", () => {
  const slashed = [{ name: "/help", description: "Helps" }];
  const message = 'command 0 name got "/help": pass the name without the slash, "help".';

  test("in the result of newSession", async () => {
    const { client } = await connectAs(v2Hello, { newSession: () => ({ availableCommands: slashed }), prompt() {} });
    expect(await client.error("session/new", { cwd: "/work", mcpServers: [] })).toMatchObject({
      message: expect.stringContaining(message),
    });
  });

  test("in setCommands", async () => {
    let thrown: unknown;
    const { client } = await connectAs(v2Hello, {
      newSession: (_request, session) => {
        try {
          session.setCommands(slashed);
        } catch (error) {
          thrown = error;
        }
      },
      prompt() {},
    });
    await client.newSession();
    expect(thrown).toEqual(new TypeError(`setCommands ${message}`));
  });
});
