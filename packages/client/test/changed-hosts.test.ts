import type { Diagnostic } from "@turnkit/transport";
import { createMemoryPair } from "@turnkit/transport/channels";
import { expect, test, vi } from "vitest";
import {
  type ClientOptions,
  connectWith,
  createFileHandlers,
  createTerminalHandlers,
  type FileHandlers,
  type FileHost,
  v1Dialect,
} from "../src/index.js";
import { createLocalFileHost, createLocalTerminalHost } from "../src/node/index.js";
import { CAPABLE, RawAgent } from "./raw-agent.js";

/** Opens a client with one session, whose options are exactly these. */
async function openWith(options: Omit<ClientOptions, "info">) {
  const [channel, end] = createMemoryPair();
  const agent = new RawAgent(end);
  const diagnostics: Diagnostic[] = [];
  const info = { name: "test-client", version: "1.0.0" };
  const onDiagnostic = (diagnostic: Diagnostic) => void diagnostics.push(diagnostic);
  const connecting = connectWith([v1Dialect], channel, { info, onDiagnostic, ...options });
  const { id, params } = await agent.call("initialize");
  agent.answer({ id }, { protocolVersion: 1, agentCapabilities: CAPABLE, agentInfo: info });
  const client = await connecting;
  const opening = client.newSession({ cwd: "/nowhere" });
  agent.answer(await agent.call("session/new"), { sessionId: "s-1" });
  await opening;
  return { agent, diagnostics, offered: params.clientCapabilities };
}

const file = { sessionId: "s-1", path: "/nowhere/a.ts" };
const { writeTextFile: _, ...withoutWrite } = createLocalFileHost();
const deleted: FileHandlers = createLocalFileHost();
delete deleted.writeTextFile;

test.each<[string, FileHandlers]>([
  ["the rest of a host", withoutWrite],
  ["a copy without the method", { ...createLocalFileHost(), writeTextFile: undefined } as FileHandlers],
  ["a host whose method was deleted", deleted],
  [
    "a host that is hidden by an own object",
    Object.assign(Object.create(createLocalFileHost()), { writeTextFile: undefined }),
  ],
  ["handlers that are made of such a copy", createFileHandlers(withoutWrite)],
  [
    "the rest of handlers",
    { ...createFileHandlers({ readTextFile: () => "", writeTextFile() {} }), writeTextFile: undefined } as FileHandlers,
  ],
])(
  "defect N74: a write that the option `files` does not show is neither offered nor done: %s",
  async (_name, files) => {
    const { agent, diagnostics, offered } = await openWith({ files });
    expect(offered.fs).toEqual({ readTextFile: true, writeTextFile: false });
    agent.request(1, "fs/write_text_file", { ...file, content: "x" });
    expect(await agent.answerTo(1)).toMatchObject({ error: { code: -32601 } });
    expect(diagnostics).toEqual([]);
  },
);

const replaced = (): [FileHost, ReturnType<typeof vi.fn>] => {
  const write = vi.fn(() => undefined);
  return [{ readTextFile: () => "redacted", writeTextFile: write }, write];
};

test.each<[string, (own: FileHost) => FileHandlers]>([
  ["a copy", (own) => ({ ...createLocalFileHost(), ...own })],
  ["a changed host", (own) => Object.assign(createLocalFileHost(), own)],
  ["a copy of handlers", (own) => ({ ...createFileHandlers({ writeTextFile() {} }), ...own })],
  ["an object in front of a host", (own) => Object.assign(Object.create(createLocalFileHost()), own)],
])("defect N74: the method that the option `files` shows is the one that is called: %s", async (_name, files) => {
  const [own, write] = replaced();
  const { agent } = await openWith({ files: files(own) });
  agent.request(1, "fs/write_text_file", { ...file, content: "x" });
  agent.request(2, "fs/read_text_file", file);
  expect(await agent.answerTo(1)).toMatchObject({ result: {} });
  expect(await agent.answerTo(2)).toMatchObject({ result: { content: "redacted" } });
  expect(write).toHaveBeenCalledOnce();
});

test("defect N74: a method that is replaced or deleted later counts at once", async () => {
  const host: FileHost = { readTextFile: () => "first", writeTextFile: vi.fn() };
  const files: FileHandlers = createFileHandlers(host);
  const { agent } = await openWith({ files });
  host.readTextFile = () => "second";
  agent.request(1, "fs/read_text_file", file);
  expect(await agent.answerTo(1)).toMatchObject({ result: { content: "second" } });
  delete files.readTextFile;
  delete host.writeTextFile;
  agent.request(2, "fs/read_text_file", file);
  agent.request(3, "fs/write_text_file", { ...file, content: "x" });
  delete files.writeTextFile;
  agent.request(4, "fs/write_text_file", { ...file, content: "x" });
  for (const id of [2, 3, 4]) expect(await agent.answerTo(id)).toMatchObject({ error: { code: -32601 } });
});

test.each([
  ["a copy", (create: () => never) => ({ ...createLocalTerminalHost(), create })],
  ["a changed host", (create: () => never) => Object.assign(createLocalTerminalHost(), { create })],
])("defect N74: `create` that the option `terminals` shows is the one that is called: %s", async (_name, terminals) => {
  const create = vi.fn((): never => {
    throw new Error("no commands");
  });
  const { agent } = await openWith({ terminals: terminals(create) });
  agent.request(1, "terminal/create", { sessionId: "s-1", command: "true" });
  expect(await agent.answerTo(1)).toMatchObject({ error: { code: -32603 } });
  expect(create).toHaveBeenCalledOnce();
});

test.each([
  ["terminals without create", { terminals: { terminalRoutes: () => ({}) } }, "connect terminals create got undefined"],
  [
    "a method that is no function",
    { files: { ...withoutWrite, writeTextFile: false } },
    "files writeTextFile got false",
  ],
  ["create that is no function", { terminals: { ...createLocalTerminalHost(), create: true } }, "create got true"],
])("defect N74: a host that cannot be used is refused: %s", async (_name, options, message) => {
  const [channel] = createMemoryPair();
  await expect(
    (async () => connectWith([v1Dialect], channel, { info: { name: "c", version: "1" }, ...(options as object) }))(),
  ).rejects.toThrow(message);
});

test("defect N74: members of a host that do nothing are reported", async () => {
  const files = { ...createLocalFileHost(), readOnly: true };
  const terminals = { ...createTerminalHandlers(createLocalTerminalHost()), maxOutputBytes: 1 };
  const { diagnostics } = await openWith({ files, terminals });
  expect(diagnostics.map(({ message }) => message)).toEqual([
    expect.stringContaining("The option readOnly of files is not used"),
    expect.stringContaining("The option maxOutputBytes of terminals is not used"),
  ]);
});

test.each([
  [
    "readTextFile",
    { files: createFileHandlers({ readTextFile: (() => ({ content: "x" })) as never }) },
    "readTextFile got an object of another form: return the text itself",
  ],
  [
    "terminals.create",
    { terminals: createTerminalHandlers({ create: (() => ({ id: "t" })) as never }) },
    "terminals.create got an object of another form: return a terminal with",
  ],
])("defect N75: the client hears that its own handler returned something else: %s", async (_name, options, message) => {
  const { agent, diagnostics } = await openWith(options);
  agent.request(1, "fs/read_text_file", file);
  agent.request(2, "terminal/create", { sessionId: "s-1", command: "true" });
  await agent.answerTo(1);
  await agent.answerTo(2);
  expect(diagnostics).toEqual([
    expect.objectContaining({ code: "handler_failed", message: expect.stringContaining(message) }),
  ]);
});

test("defect N75: the client hears that output() of its own terminal returned something else", async () => {
  const terminal = {
    output: () => "text",
    kill() {},
    release() {},
    onData: () => () => {},
    exited: new Promise(() => {}),
  };
  const terminals = createTerminalHandlers({ create: () => terminal as never });
  const { agent, diagnostics } = await openWith({ terminals });
  agent.request(1, "terminal/create", { sessionId: "s-1", command: "true" });
  const { result } = await agent.answerTo(1);
  agent.request(2, "terminal/output", { sessionId: "s-1", terminalId: result.terminalId });
  expect(await agent.answerTo(2)).toMatchObject({ error: { code: -32603 } });
  expect(diagnostics).toEqual([
    expect.objectContaining({ message: expect.stringContaining("return { output, truncated }") }),
  ]);
});

test.each<[string, () => unknown, string]>([
  ["an error", () => new Error("disk full"), "Internal error: disk full"],
  ["an error later", async () => new Error("disk full"), "Internal error: disk full"],
  ["false", () => false, "throw to refuse"],
])("defect N99: a write whose host returns %s is no success", async (_name, writeTextFile, message) => {
  const files = createFileHandlers({ writeTextFile: writeTextFile as () => void });
  const { agent, diagnostics } = await openWith({ files });
  agent.request(1, "fs/write_text_file", { ...file, content: "x" });
  expect(await agent.answerTo(1)).toMatchObject({ error: { message: expect.stringContaining(message) } });
  expect(diagnostics).toMatchObject([{ code: "handler_failed" }]);
});
