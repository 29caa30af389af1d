import { createAgent, type Turn } from "@turnkit/agent";
import { createFileLog } from "@turnkit/agent/node";
import { connect, connectWith } from "@turnkit/client";
import { createLocalFileHost, launch } from "@turnkit/client/node";
import { createMemoryPair, pipeChannels } from "@turnkit/transport/channels";
import { describe, expect, test } from "vitest";

const info = { name: "mine", version: "1.0.0" };
const place = { cwd: "/work" };

/** A call that only a program without types can make. */
type Misuse = readonly [call: string, misuse: (subject: any) => unknown, message: string];

/** Holds that a call fails with one sentence: what failed, on what, what to do. */
async function expectSentence(call: () => unknown, message: string): Promise<void> {
  const error: unknown = await (async () => call())().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TypeError);
  expect((error as TypeError).message).toContain(message);
  expect((error as TypeError).message).toMatch(/ got .+: .+\.$/);
}

async function conversation(prompt: (turn: Turn) => unknown = () => undefined) {
  const [channel, end] = createMemoryPair();
  createAgent({ info, prompt: async (turn) => void (await prompt(turn)) }).serve(end);
  const client = await connect(channel, { info });
  return { client, session: await client.newSession(place) };
}

const ofClients: readonly Misuse[] = [
  ["newSession()", (client) => client.newSession(), "newSession got undefined: pass an object such as { cwd"],
  [
    "newSession('/work')",
    (client) => client.newSession("/work"),
    'newSession got "/work": pass an object such as { cwd',
  ],
  ["newSession with servers as text", (client) => client.newSession({ ...place, mcpServers: "x" }), "mcpServers got"],
  ["newSession with a listener {}", (client) => client.newSession(place, {}), "newSession onEvent got an object"],
  ["restore()", (client) => client.restore(), "restore got undefined: pass the id"],
  ["restore('s')", (client) => client.restore("s"), "restore got undefined: pass an object such as { cwd"],
  ["deleteSession()", (client) => client.deleteSession(), "deleteSession got undefined: pass the id"],
  ["login()", (client) => client.login(), "login got undefined"],
  ["request('read')", (client) => client.request("read", {}), 'request method got "read": names of custom methods'],
  ["request('_read')", (client) => client.request("_read"), "request params got undefined"],
  ["notify('_read', 7)", (client) => client.notify("_read", 7), "notify params got 7"],
];

const ofSessions: readonly Misuse[] = [
  ["prompt(null)", (session) => session.prompt(null), "prompt got null: pass text"],
  ["prompt({ … })", (session) => session.prompt({ type: "text", text: "x" }), "prompt got an object"],
  ["prompt(['hi'])", (session) => session.prompt(["hi"]), "prompt got a list: pass text, or a list of content blocks"],
  [
    "prompt with a controller",
    (session) => session.prompt("x", { signal: new AbortController() }),
    "controller.signal",
  ],
  ["prompt with null", (session) => session.prompt("x", null), "prompt options got null"],
  ["onEvent()", (session) => session.onEvent(), "onEvent got undefined: pass a function"],
  ["subscribe({})", (session) => session.subscribe({}), "subscribe got an object"],
  [
    "setConfigOption({ … })",
    (session) => session.setConfigOption({ configId: "mode", value: "ask" }),
    "setConfigOption got an object of another form: pass the id and the value",
  ],
  ["answer(id, 'yes')", (session) => session.answer("q", "yes"), 'answer decision got "yes": pass a decision'],
];

const ofTurns: readonly Misuse[] = [
  ["plan()", (turn) => turn.plan(), "plan got undefined: pass a list"],
  ["toolCall()", (turn) => turn.toolCall(), "toolCall got undefined: pass a start with a title"],
  ["toolCall('Edit')", (turn) => turn.toolCall("Edit"), 'toolCall got "Edit"'],
  ["toolCall({})", (turn) => turn.toolCall({}), "toolCall title got undefined"],
  ["call.update()", (turn) => turn.toolCall({ title: "x" }).update(), "update of a tool call got undefined"],
  ["call.append('x')", (turn) => turn.toolCall({ title: "x" }).append("x"), 'append of a tool call got "x"'],
  ["call.run()", (turn) => turn.toolCall({ title: "x" }).run(), "run of a tool call got undefined"],
  ["call.fail(error)", (turn) => turn.toolCall({ title: "x" }).fail(new Error("x")), "such as error.message"],
  ["elicit()", (turn) => turn.elicit(), "elicit got undefined: pass a question"],
  ["setCommands()", (turn) => turn.session.setCommands(), "setCommands got undefined: pass a list"],
  ["setConfigOptions({})", (turn) => turn.session.setConfigOptions({}), "setConfigOptions got an object"],
  ["reportUsage()", (turn) => turn.session.reportUsage(), "reportUsage got undefined: pass tokens"],
  ["setBackground()", (turn) => turn.session.setBackground(), "setBackground got undefined: pass a list"],
];

const ofPackages: readonly Misuse[] = [
  ["createAgent()", () => createAgent(undefined as never), "createAgent got undefined: pass handlers"],
  ["createAgent({ info })", () => createAgent({ info } as never), "createAgent prompt got undefined"],
  ["createAgent({ prompt })", () => createAgent({ prompt() {} } as never), "createAgent info got undefined"],
  ["createFileLog({})", () => createFileLog({} as never), "createFileLog got an object"],
  ["launch(…) without options", () => launch(["node"], undefined as never), "launch options got undefined"],
  ["pipeChannels()", () => pipeChannels(undefined as never, undefined as never), "pipeChannels got undefined"],
  ["connectWith(undefined)", () => connectWith(undefined as never, createMemoryPair()[0], { info }), "[v1Dialect]"],
];

const options: readonly (readonly [option: string, value: unknown, message: string])[] = [
  ["permissions", "allow", 'connect permissions got "allow": pass a function, such as allowOnce'],
  [
    "files",
    {},
    "connect files got an object of another form: pass the result of createFileHandlers, or createLocalFileHost()",
  ],
  [
    "files",
    createLocalFileHost,
    "connect files got a function: pass the result of createFileHandlers, or createLocalFileHost()",
  ],
  ["terminals", {}, "pass the result of createTerminalHandlers, or createLocalTerminalHost() of @turnkit/client/node"],
  ["elicitations", {}, "pass the result of createElicitations"],
  ["onDiagnostic", "log", 'connect onDiagnostic got "log"'],
  ["whilePrompting", "wait", "pass queue, reject or replace"],
  ["cancelGraceMs", "5", "pass a number of milliseconds"],
  ["extensions", { _read: "x" }, 'connect extensions _read got "x"'],
];

describe("defect F15: a wrong argument is one sentence", () => {
  test.each(ofClients)("client.%s", async (_, misuse, message) => {
    const { client } = await conversation();
    await expectSentence(() => misuse(client), message);
    await client.close();
  });

  test.each(ofSessions)("session.%s, and the session goes on", async (_, misuse, message) => {
    const { client, session } = await conversation();
    await expectSentence(() => misuse(session), message);
    expect(await session.prompt("x").ended).toMatchObject({ stopReason: "end_turn" });
    await client.close();
  });

  test.each(ofTurns)("turn.%s, and the turn goes on", async (_, misuse, message) => {
    let checked = false;
    const { client, session } = await conversation(async (turn) => {
      await expectSentence(() => misuse(turn), message);
      checked = true;
    });
    expect(await session.prompt("x").ended).toMatchObject({ stopReason: "end_turn" });
    expect(checked).toBe(true);
    await client.close();
  });

  test.each(ofPackages)("%s", async (_, misuse, message) => expectSentence(() => misuse(undefined), message));

  test.each(options)("connect with %s: %j", async (option, value, message) => {
    await expectSentence(() => connect(createMemoryPair()[0], { info, [option]: value }), message);
  });
});
