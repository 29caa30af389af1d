import type { Diagnostic } from "@turnkit/transport";
import { describe, expect, test } from "vitest";
import { type ClientOptions, createElicitations, createFileHandlers, outgoingContracts } from "../src/index.js";
import { NOW, openDraft, SEED } from "./draft-agent.js";
import { dial, newSession, open } from "./raw-agent.js";

const messages = (diagnostics: readonly Diagnostic[]): readonly string[] =>
  diagnostics.filter(({ code }) => code === "unused_option").map(({ message }) => message);

const hint = (name: string) => `there is no such option. Do you mean ${name}?`;

describe("defect F1: a member that is no option of a client", () => {
  test.each([
    ["permision", hint("permissions")],
    ["Permissions", hint("permissions")],
    ["terminal", hint("terminals")],
    ["file", hint("files")],
    ["onDiagnostics", hint("onDiagnostic")],
    ["elicitation", hint("elicitations")],
    ["startTimeout", hint("startTimeoutMs")],
    ["env", "it is an option of launch of @turnkit/client/node."],
  ])("is reported before the agent answers: %s", (name, why) => {
    const { diagnostics } = dial({ [name]: "x" });
    expect(messages(diagnostics)).toEqual([`The option ${name.slice(0, 60)} of the client is not used: ${why}`]);
  });

  test.each(["logs", "p".repeat(10_000), "__proto"])("is reported with the options that there are: %s", (name) => {
    const { diagnostics } = dial({ [name]: "x" });
    const start = `The option ${name.slice(0, 60)} of the client is not used: there is no such option. The options are info, `;
    expect(messages(diagnostics)).toEqual([expect.stringContaining(start)]);
    expect(messages(diagnostics)).toEqual([expect.stringContaining(" permissions, ")]);
  });

  test.each([
    ["requestPermission", "Pass permissions."],
    ["readTextFile", "Pass files: createFileHandlers({ readTextFile, writeTextFile })."],
    ["createTerminal", "Pass terminals: createTerminalHandlers(host)."],
    ["clientCapabilities", "Do you mean customCapabilities? The other capabilities follow from the handlers."],
    ["sessionUpdate", "Listen with session.onEvent, or pass a listener to newSession and restore."],
    ["onUpdate", "Listen with session.onEvent, or pass a listener to newSession and restore."],
    ["onSessionUpdate", "Listen with session.onEvent, or pass a listener to newSession and restore."],
  ])("defect S45: of another library or place is reported with the right place: %s", (name, remedy) => {
    const message = `The option ${name} of the client is not used: there is no such option. ${remedy}`;
    expect(messages(dial({ [name]: "x" }).diagnostics)).toEqual([message]);
  });

  test.each([
    ["onEvent", "there is no such option. Pass the listener as an argument of its own, after this object."],
    ["permissions", "it is an option of connect."],
    ["mcpServer", "there is no such option. Do you mean mcpServers?"],
  ])("defect S45: of newSession is reported with the right place: %s", async (name, why) => {
    const { agent, client, diagnostics } = await open();
    const opening = client.newSession({ cwd: "/work", [name]: () => "wait" });
    agent.answer(await agent.call("session/new"), { sessionId: "s-1" });
    await opening;
    expect(messages(diagnostics)).toEqual([`The option ${name} of newSession is not used: ${why}`]);
  });

  test("is reported for each name, at most 20", () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`x${index}`, 1]));
    expect(messages(dial(many).diagnostics)).toHaveLength(20);
    expect(messages(dial({ permision: 1, file: 1 } as object).diagnostics)).toHaveLength(2);
  });

  test("is not a known option, a member without a value, or a member of a class", async () => {
    const known: Required<Omit<ClientOptions, "info" | "files" | "terminals" | "onDiagnostic">> = {
      ...{ omitLegacyFields: true, permissions: () => "wait", whilePrompting: "queue", cancelGraceMs: 1 },
      ...{ elicitations: createElicitations({ form: () => undefined }), terminalLogin: true, extensions: {} },
      ...{ fallback: () => 1, batches: "refuse", limits: {}, customCapabilities: {}, metaMode: "patch" },
      ...{ validateOutgoing: outgoingContracts, promptKeys: true, nullSessionIds: "clear" },
    };
    const { diagnostics } = await openDraft(NOW, { ...known, permision: undefined } as object);
    expect(messages(diagnostics)).toEqual([]);
  });
});

describe("defect F1: an option without effect", () => {
  test.each([
    ["version 2", NOW],
    ["the seed draft", SEED],
  ])("is reported in %s: a handler of a method of the protocol", async (_, said) => {
    const extensions = { "session/update": () => 1, "session/request_permission": () => 1, _mine: () => 1 };
    const { diagnostics } = await openDraft(said, { extensions });
    expect(messages(diagnostics).map((message) => /extensions\["(.+?)"\]/.exec(message)?.[1])).toEqual([
      "session/update",
      "session/request_permission",
    ]);
  });

  test("defect N143: is reported for an extension that no agent of turnkit calls", async () => {
    const extensions = { "my/note": () => 1, _mine: () => 1 };
    expect(messages((await open({ extensions })).diagnostics)).toEqual([
      expect.stringMatching(/^The handler extensions\["my\/note"\] is not used .* Name it "_my\/note",/),
    ]);
  });

  test("is reported in version 1: methods of files belong to the protocol only with files", async () => {
    const extensions = { "fs/read_text_file": () => ({ content: "" }) };
    expect(messages((await open({ extensions })).diagnostics)).toEqual([]);
    const { diagnostics } = await open({ extensions, files: { readTextFile: () => "" } });
    expect(messages(diagnostics)).toEqual([expect.stringContaining('extensions["fs/read_text_file"] is not used')]);
  });

  test.each<[string, object, string]>([
    ["files without a method", { files: {} }, "it has neither readTextFile nor writeTextFile"],
    ["elicitations without a handler", { elicitations: createElicitations({}) }, "it has no handler"],
    ["schemas of another dialect", { validateOutgoing: { v2: {} } }, "it has no schemas for v1"],
  ])("is reported in version 1: %s", async (_, options, why) => {
    expect(messages((await open(options)).diagnostics)).toEqual([expect.stringContaining(why)]);
  });

  test.each([
    ["version 1", () => open({})],
    ["the seed draft", () => openDraft(SEED)],
    ["version 2 with promptKeys false", () => openDraft(NOW, { promptKeys: false })],
  ])("defect N25: is reported in %s: the key of a prompt", async (_, opening) => {
    const opened = await opening();
    const session = await newSession(opened, "s-1");
    session.prompt("hi").ended.catch(() => undefined);
    session.prompt("hi", { idempotencyKey: undefined } as object).ended.catch(() => undefined);
    expect(messages(opened.diagnostics)).toEqual([]);
    session.prompt("hi", { idempotencyKey: "k-1" }).ended.catch(() => undefined);
    expect(messages(opened.diagnostics)).toEqual([
      "The option idempotencyKey of prompt is not used: this connection sends no keys (client.sendsPromptKeys is false), so a prompt that is sent twice may run twice.",
    ]);
  });

  test("defect N25: is not the key of a prompt of version 2", async () => {
    const opened = await openDraft();
    const session = await newSession(opened, "s-1");
    session.prompt("hi", { idempotencyKey: "k-1" }).ended.catch(() => undefined);
    expect(messages(opened.diagnostics)).toEqual([]);
  });

  test("is reported once, and files in version 2 too", async () => {
    const { diagnostics } = await openDraft(NOW, { files: createFileHandlers({}) } as object);
    expect(messages(diagnostics)).toEqual([expect.stringContaining("The option files is not used: in v2")]);
  });
});
