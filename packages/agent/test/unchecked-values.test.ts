import { describe, expect, test } from "vitest";
import { type AgentHandlers, createAgent, createMemoryLog, type Turn } from "../src/index.js";
import { clientInfo, connectAs, info, openAs, v2Hello } from "./raw-client.js";

const hello = { protocolVersion: 1, clientInfo };
const place = { cwd: "/w", mcpServers: [] };
const choices = [
  { value: "a", name: "A" },
  { value: "b", name: "B" },
];
const mode = { type: "select", configId: "mode", name: "Mode", currentValue: "a", options: choices } as const;

/** Runs one prompt. Returns its answer, the messages of its diagnostics, and what the handler threw. */
async function after(prompt: (turn: Turn) => unknown, handlers: object = {}) {
  let thrown: unknown;
  const { client, sessionId, diagnostics } = await openAs(hello, {
    ...handlers,
    async prompt(turn: Turn) {
      try {
        return (await prompt(turn)) as never;
      } catch (error) {
        thrown = (error as Error).message;
      }
    },
  } as AgentHandlers);
  const answer = await client.ask(sessionId);
  const reports = diagnostics.filter(({ code }) => code !== "loss").map(({ message }) => message);
  return { client, answer, reports, thrown };
}

describe("defect N101: lists that contradict themselves are refused", () => {
  const wrong: [string, object[], string][] = [
    ["a value that is no choice", [{ ...mode, currentValue: "c" }], 'option mode has no value "c". It has: a, b.'],
    [
      "a value outside of all groups",
      [{ ...mode, currentValue: "c", options: [{ groupId: "g", name: "G", options: choices }] }],
      "It has: a, b.",
    ],
    ["two options of one id", [mode, { ...mode, name: "Other" }], 'two options have the configId "mode"'],
  ];

  test.each(wrong)("%s, in setConfigOptions", async (_, options, text) => {
    const { thrown } = await after(({ session }) => session.setConfigOptions(options as never));
    expect(thrown).toMatch(/^setConfigOptions: /);
    expect(thrown).toContain(text);
  });

  test.each(wrong)("%s, in newSession", async (_, configOptions, text) => {
    const { client, diagnostics } = await connectAs(hello, { newSession: () => ({ configOptions }) as never });
    expect(await client.error("session/new", place)).toMatchObject({ code: -32603 });
    expect(diagnostics.map(({ message }) => message).join()).toContain(text);
  });

  test("a select without choices is sent", async () => {
    const { thrown } = await after(({ session }) => session.setConfigOptions([{ ...mode, options: [] }]));
    expect(thrown).toBeUndefined();
  });

  test("two commands of one name", async () => {
    const command = { name: "fix", description: "Fixes" };
    const { thrown } = await after(({ session }) => session.setCommands([command, { ...command }]));
    expect(thrown).toContain('setCommands: two commands have the name "fix"');
  });
});

describe("defect N102: a custom name without its underscore", () => {
  test.each(["notify", "request"] as const)("is refused by client.%s", async (call) => {
    const { thrown, client } = await after(({ session }) => session.client[call]("unk" as never, {}));
    expect(thrown).toBe(`client.${call} method got "unk": names of custom methods begin with "_".`);
    expect(client.received.filter(({ method }) => method === "unk")).toEqual([]);
  });
});

describe("defect N103: a value that JSON loses", () => {
  class Hidden {
    #secret = 1;
    get value() {
      return this.#secret;
    }
  }

  test.each<[string, object, string]>([
    ["NaN", { rawOutput: Number.NaN }, "The rawOutput of a tool call is NaN, which JSON writes as null."],
    ["a member that is infinite", { rawInput: { n: -Infinity } }, 'member "n" in the rawInput of a tool call is -Inf'],
    ["an object with private members", { rawInput: new Hidden() }, "rawInput of a tool call is of the type class Hid"],
  ])("%s is reported in a tool call", async (_, members, text) => {
    const { reports } = await after((turn) => {
      turn.toolCall({ title: "t", ...members }).finish();
    });
    expect(reports).toEqual([expect.stringContaining(text)]);
  });

  test("an object with own members, an empty one and a date are not reported", async () => {
    class Open {
      a = 1;
    }
    const { reports } = await after((turn) => {
      const call = turn.toolCall({ title: "t", rawInput: new Open(), rawOutput: {}, _meta: { d: new Date(0) } });
      call.finish({ rawOutput: Object.create(null) });
    });
    expect(reports).toEqual([]);
  });

  test("is reported in _meta of the result of a prompt", async () => {
    const { reports } = await after(() => ({ _meta: { ok: 1, m: new Map() } }));
    expect(reports).toEqual([expect.stringMatching(/^The member "m" in the _meta of the result of prompt is of the /)]);
  });

  test.each([
    ["extensions", { extensions: { _x: () => new Map() } }],
    ["fallback", { fallback: () => new Map() }],
  ])("is reported in the result of %s", async (_, handlers) => {
    const { client, diagnostics } = await connectAs(hello, handlers);
    await client.request("_x", {});
    const message = "The result of _x is of the type Map, which JSON cannot contain. Pass a plain object.";
    expect(diagnostics).toMatchObject([{ code: "handler_failed", method: "_x", message }]);
  });
});

describe("defect N104: a notification whose name resembles one of the protocol", () => {
  test("is reported with that name", async () => {
    const { client, diagnostics } = await connectAs(hello, {});
    client.notify("session/cancle", { sessionId: "s" });
    client.notify("document/didOpen", {});
    client.notify("session/cancel", { sessionId: "s" });
    await client.newSession();
    const message = "The notification session/cancle was dropped: nothing handles it. Do you mean session/cancel?";
    expect(diagnostics).toMatchObject([{ code: "unhandled", method: "session/cancle", message }]);
  });
});

describe("defect N105: handlers that only JavaScript can pass", () => {
  const make = (handlers: object) => () => createAgent({ info, prompt() {}, ...handlers } as never);

  test("an agent without a version, and custom capabilities without a domain, are refused", () => {
    expect(make({ info: { name: "a" } })).toThrow("createAgent info version got undefined: pass handlers such as");
    expect(make({ customCapabilities: { undo: true } })).toThrow(
      'createAgent customCapabilities got "undo": name your domain, as in customCapabilities: { "example.com": { undo: true } }.',
    );
  });

  test.each([
    ["with a log", { log: createMemoryLog() }],
    ["without a log", {}],
  ])("listSessions that returns nothing fails, %s", async (_, handlers) => {
    const { client, diagnostics } = await connectAs(hello, { ...handlers, listSessions: () => undefined as never });
    await client.newSession();
    expect(await client.error("session/list")).toMatchObject({ code: -32603 });
    expect(diagnostics.map(({ message }) => message).join()).toContain("The result of listSessions got undefined");
  });
});

describe("defect N106: login methods without logout", () => {
  const authMethods = [{ type: "agent", methodId: "key", name: "Key" }] as const;

  test("are reported, because clients of version 2 offer a logout", async () => {
    const { client, diagnostics } = await connectAs(v2Hello, { authMethods, login() {} });
    expect(diagnostics).toMatchObject([
      { code: "unused_option", message: expect.stringMatching(/^The handler logout is missing\./) },
    ]);
    expect(await client.error("auth/logout")).toMatchObject({ code: -32601 });
  });

  test("are not reported with a logout", async () => {
    const { diagnostics } = await connectAs(v2Hello, { authMethods, login() {}, logout() {} });
    expect(diagnostics).toEqual([]);
  });
});
