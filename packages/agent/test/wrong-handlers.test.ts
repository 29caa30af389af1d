import { createMemoryPair } from "@turnkit/transport/channels";
import { describe, expect, test } from "vitest";
import { type AgentHandlers, type AuthMethod, createAgent, createMemoryLog, type Diagnostic } from "../src/index.js";
import { createFileLog, type FileLogOptions } from "../src/node/index.js";
import { connectAs, info, serve, v2Hello } from "./raw-client.js";

const prompt = (): void => {};
const make = (handlers: object): unknown => createAgent({ info, prompt, ...handlers } as unknown as AgentHandlers);

const terminal = { type: "terminal", methodId: "login", name: "Log in" };

describe("defect N1: createAgent refuses a handler of another type and says what to pass", () => {
  test.each<[string, object, string]>([
    [
      "a terminal login without arguments",
      { authMethods: [{ ...terminal, env: [] }] },
      '"login" args got undefined: pass',
    ],
    [
      "a terminal login without variables",
      { authMethods: [{ ...terminal, args: [] }] },
      '"login" env got undefined: pass',
    ],
    ["arguments as one text", { authMethods: [{ ...terminal, args: "--login", env: [] }] }, 'args got "--login"'],
    ["arguments that are no texts", { authMethods: [{ ...terminal, args: [1], env: [] }] }, "args got a list"],
    [
      "variables as an object",
      { authMethods: [{ ...terminal, args: [], env: { A: "b" } }] },
      "env got an object of another",
    ],
    [
      "a login under the name of the wire",
      { authMethods: [{ ...terminal, methodId: undefined, id: "x" }] },
      "methodId",
    ],
    ["a login without a type", { authMethods: [{ methodId: "a", name: "A" }] }, 'type: "agent"'],
    [
      "a login without a name",
      { authMethods: [{ type: "agent", methodId: "a" }], login() {} },
      "authMethods got an object",
    ],
    ["no login", { authMethods: [null] }, "authMethods got null"],
    ["one login without a list", { authMethods: terminal }, "authMethods got an object of another form: pass a list"],
    [
      "a result in place of a handler",
      { newSession: { data: 1 } },
      "newSession got an object of another form: pass a f",
    ],
    ["a promise in place of a handler", { login: Promise.resolve() }, "login got a promise: pass a function"],
    ["an extension that is no function", { extensions: { _undo: {} } }, "extensions _undo got an object"],
    ["extensions in a list", { extensions: null }, "extensions got null: pass an object"],
    ["a capability that is no object", { promptCapabilities: true }, "promptCapabilities got true: pass an object"],
    [
      "a log with keep alone",
      { log: { keep() {} } },
      "createAgent log open got undefined: pass a log with open, read,",
    ],
    [
      "a log without deletion",
      { log: { ...createMemoryLog(), delete: undefined } },
      "createAgent log delete got undefined: pass a log with open, read, list and delete",
    ],
    [
      "the folder of a log",
      { log: "/tmp/sessions" },
      'createAgent log got "/tmp/sessions": pass a log, such as createFileLog(folder) of @turnkit/agent/node.',
    ],
  ])("%s", (_, handlers, message) => {
    expect(() => make(handlers)).toThrow(TypeError);
    expect(() => make(handlers)).toThrow(message);
  });

  test.each<[object, string]>([
    [{ compactBytes: -1 }, "createFileLog compactBytes got -1: pass a number above 0"],
    [{ compactBytes: Number.NaN }, "createFileLog compactBytes got NaN"],
    [{ compactBytes: "1 MiB" }, 'createFileLog compactBytes got "1 MiB"'],
    [{ maxRecordBytes: 0 }, "createFileLog maxRecordBytes got 0"],
    [{ pageSize: -5 }, "createFileLog pageSize got -5"],
    [{ onRepair: true }, "createFileLog onRepair got true: pass a function"],
  ])("createFileLog refuses %j", (options, message) => {
    expect(() => createFileLog("/work/sessions", options as FileLogOptions)).toThrow(TypeError);
    expect(() => createFileLog("/work/sessions", options as FileLogOptions)).toThrow(message);
    expect(() => createFileLog("/work/sessions", { compactBytes: Number.POSITIVE_INFINITY })).not.toThrow();
  });

  test.each(["undefined/sessions", "/data/null", "C:\\\\NaN\\\\sessions", "./[object Object]/x"])(
    "defect N144: createFileLog refuses %o, a template with a variable that has no text",
    (folder) => {
      expect(() => createFileLog(folder)).toThrow(TypeError);
      expect(() => createFileLog(folder)).toThrow(
        /its part \S+.* comes from a variable without a text: set the variable/,
      );
      expect(() => createFileLog(`${folder}-1`.replace(/null|NaN|undefined|\[.*\]/, "$&s"))).not.toThrow();
    },
  );

  test("and accepts each type of login", () => {
    const authMethods: readonly AuthMethod[] = [
      { type: "agent", methodId: "a", name: "A" },
      { type: "terminal", methodId: "b", name: "B", args: ["login"], env: [{ name: "LOGIN", value: "1" }] },
      { type: "_own" as never, methodId: "c", name: "C" },
    ];
    expect(() => make({ authMethods, login() {} })).not.toThrow();
  });
});

const messages = (diagnostics: readonly Diagnostic[]): readonly string[] =>
  diagnostics.filter(({ code }) => code === "unused_option").map(({ message }) => message);

describe("defect N2: a name that no function reads is reported", () => {
  test.each([
    ["promptCapabilities", "images", "Do you mean image?"],
    ["mcpCapabilities", "https", "Do you mean http?"],
    ["sessionCapabilities", "additionalDirectorys", "Do you mean additionalDirectories?"],
  ])("in %s: %s", (group, name, hint) => {
    expect(messages(serve({ [group]: { [name]: true } }).diagnostics)).toEqual([
      `The option ${name} of ${group} is not used: there is no such option. ${hint}`,
    ]);
  });

  test.each([
    ["dta", "Do you mean data?"],
    ["configOption", "Do you mean configOptions?"],
    ["asked", "Return { data: { asked } }."],
  ])("in the result of newSession: %s", async (name, hint) => {
    const { client, diagnostics } = await connectAs(v2Hello, { newSession: () => ({ [name]: [] }) as object });
    await client.result("session/new", { cwd: "/w", mcpServers: [] });
    expect(messages(diagnostics)).toEqual([
      expect.stringMatching(new RegExp(`The option ${name} of .*newSession.*\\${hint}`)),
    ]);
  });

  test("and a result of newSession that is no object fails the call", async () => {
    const { client, diagnostics } = await connectAs(v2Hello, { newSession: () => "data" as never });
    await client.error("session/new", { cwd: "/w", mcpServers: [] });
    expect(diagnostics.map(({ message }) => message).join()).toContain("return an object such as { data }");
  });
});

describe("an agent with data in its sessions", () => {
  test("does not compile without the handler that makes the data", () => {
    // @ts-expect-error: newSession is missing
    createAgent<{ asked: number }>({ info, prompt });
    // @ts-expect-error: data is missing
    createAgent<{ asked: number }>({ info, prompt, newSession: () => ({}) });
    const agent = createAgent({
      info,
      newSession: () => ({ data: { asked: 0 } }),
      prompt: ({ session }) => void session.data.asked.toFixed(),
    });
    createAgent<{ asked: number } | undefined>({ info, prompt });
    expect(agent.serve(createMemoryPair()[0])).toBeDefined();
  });
});
