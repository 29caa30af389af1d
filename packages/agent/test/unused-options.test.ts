import { createMemoryPair } from "@turnkit/transport/channels";
import { describe, expect, test } from "vitest";
import { type AgentHandlers, createAgent, type Diagnostic, type ServeOptions } from "../src/index.js";
import { clientInfo, connectAs, info, seedHello, serve, v2Hello } from "./raw-client.js";

const hellos = { v1: { protocolVersion: 1, clientInfo }, v2: v2Hello, seed: seedHello };

const messages = (diagnostics: readonly Diagnostic[]): readonly string[] =>
  diagnostics.filter(({ code }) => code === "unused_option").map(({ message }) => message);
const losses = (diagnostics: readonly Diagnostic[]): readonly string[] =>
  diagnostics.filter(({ code }) => code === "loss").map(({ message }) => message);

describe("defect F1: a member that is no option", () => {
  test.each([
    ["onPrompt", "there is no such option. Do you mean prompt?"],
    ["listSession", "there is no such option. Do you mean listSessions?"],
    ["commands", "there is no such option. Return availableCommands: [{ name, description }] from newSession."],
    ["configOptions", "there is no such option. Return configOptions from newSession."],
    ["name", "there is no such option. Pass info: { name, version }."],
    ["cancelGraceMs", "it is an option of serve."],
  ])("of createAgent is reported: %s", (name, why) => {
    const { diagnostics } = serve({ [name]: () => undefined });
    expect(messages(diagnostics)).toEqual([`The option ${name} of createAgent is not used: ${why}`]);
  });

  test("of createAgent is reported with the options that there are", () => {
    const { diagnostics } = serve({ ["zzz" as string]: () => undefined });
    expect(messages(diagnostics)).toEqual([
      expect.stringMatching(
        /^The option zzz of createAgent is not used: there is no such option. The options are .*, prompt, /,
      ),
    ]);
  });

  test.each([
    ["onDiagnostics", "there is no such option. Do you mean onDiagnostic?"],
    ["limit", "there is no such option. Do you mean limits?"],
    ["logout", "it is an option of createAgent."],
  ])("of serve is reported: %s", (name, why) => {
    const { diagnostics } = serve({}, { [name]: {} } as ServeOptions);
    expect(messages(diagnostics)).toEqual([`The option ${name} of serve is not used: ${why}`]);
  });

  test("is named where a missing handler is refused", () => {
    const misspelled = { info, promt() {} } as unknown as AgentHandlers;
    expect(() => createAgent(misspelled)).toThrow(/promt of createAgent.*Do you mean prompt\? Pass handlers such as/);
    expect(() => createAgent({ inf: info, prompt() {} } as unknown as AgentHandlers)).toThrow(/Do you mean info\?/);
    expect(() => createAgent({ info } as AgentHandlers)).toThrow(/prompt got undefined: pass handlers such as/);
  });

  test("of createAgent is reported once, and not for each connection", () => {
    const diagnostics: Diagnostic[] = [];
    const agent = createAgent({ info, prompt() {}, propmt: 1 } as AgentHandlers);
    for (const _ of [1, 2]) agent.serve(createMemoryPair()[0], { onDiagnostic: (one) => diagnostics.push(one) });
    expect(messages(diagnostics)).toEqual([expect.stringContaining("Do you mean prompt?")]);
  });

  test("is not a member of a class, nor one without a value", () => {
    class Handlers {
      readonly info = info;
      readonly history: string[] = [];
      prompt() {}
    }
    const diagnostics: Diagnostic[] = [];
    const options = { onDiagnostic: (one: Diagnostic) => diagnostics.push(one), limit: undefined };
    createAgent(new Handlers()).serve(createMemoryPair()[0], options);
    expect(diagnostics).toEqual([]);
  });
});

describe("defect F1: handlers that are never called", () => {
  test.each<[string, object, string]>([
    ["login without a method", { login: () => undefined }, "The option login is not used: authMethods has no method"],
    ["dataVersion without a log", { dataVersion: 2 }, "The option dataVersion is not used: there is no log."],
  ])("are reported: %s", (_, handlers, message) => {
    expect(messages(serve(handlers).diagnostics)).toEqual([expect.stringContaining(message)]);
  });

  test.each(["v1", "v2", "seed"] as const)(
    "an extension with a name of the protocol is reported in %s",
    async (dialect) => {
      const extensions = { "session/prompt": () => 1, initialize: () => 1, _mine: () => 1 };
      const { diagnostics } = await connectAs(hellos[dialect], { extensions });
      expect(messages(diagnostics).map((message) => /extensions\["(.+?)"\]/.exec(message)?.[1])).toEqual([
        "session/prompt",
        "initialize",
      ]);
    },
  );

  test.each<[keyof typeof hellos, number]>([
    ["v1", 0],
    ["v2", 1],
    ["seed", 1],
  ])("MCP over SSE in %s is reported %i times", async (dialect, times) => {
    const { diagnostics } = await connectAs(hellos[dialect], { mcpCapabilities: { sse: true } });
    expect(losses(diagnostics)).toHaveLength(times);
  });

  test("login methods that all need a terminal are reported if the client has none", async () => {
    const authMethods = [{ type: "terminal", methodId: "t", name: "T", args: [], env: [] }] as const;
    const { diagnostics } = await connectAs(hellos.v1, { authMethods, logout: () => undefined });
    expect(losses(diagnostics)).toEqual([expect.stringContaining("all methods need a terminal")]);
    const withTerminal = { ...hellos.v1, clientCapabilities: { auth: { terminal: true } } };
    const others = await connectAs(withTerminal, { authMethods, logout: () => undefined });
    expect(losses(others.diagnostics)).toEqual([]);
  });

  test("schemas without the agreed dialect are reported", async () => {
    const { diagnostics } = await connectAs(hellos.v2, {}, { validateOutgoing: { v1: {} } as never });
    expect(messages(diagnostics)).toEqual([expect.stringContaining("it has no schemas for v2")]);
  });
});

describe("defect N143: an extension whose name does not begin with an underscore", () => {
  test("is reported with the name that clients of turnkit can call", () => {
    const handler = (): object => ({});
    const { diagnostics } = serve({ extensions: { "my/undo": handler, _undo: handler, "$/own": handler } });
    expect(messages(diagnostics)).toEqual([
      'The handler extensions["my/undo"] is not used by programs with turnkit. Name it "_my/undo", or use createExtension for other programs.',
    ]);
  });

  test("is not reported for an unstable method of the protocol", () => {
    const names = ["session/fork", "providers/list", "document/didOpen", "mcp/message", "nes/start", "logout"];
    const { diagnostics } = serve({ extensions: Object.fromEntries(names.map((name) => [name, () => ({})])) });
    expect(messages(diagnostics)).toEqual([]);
  });
});
