import { describe, expect, test } from "vitest";
import { type AgentHandlers, RpcError, type Turn } from "../src/index.js";
import { clientInfo, connectAs, openAs, serve, v2Hello } from "./raw-client.js";

const hello = { protocolVersion: 1, clientInfo };
const place = { cwd: "/w", mcpServers: [] };

/** Runs one prompt. Returns the error of its answer and the reports. The client allows each question. */
async function after(prompt: (turn: Turn) => unknown) {
  const { client, sessionId, diagnostics } = await openAs(hello, { prompt: prompt as AgentHandlers["prompt"] });
  const asked = client.call("session/request_permission");
  void asked.then((call) => client.reply(call, { outcome: { outcome: "selected", optionId: "allow_once" } }));
  const { error } = await client.ask(sessionId);
  const reports = diagnostics.filter(({ code }) => code !== "loss").map(({ message }) => message);
  return { client, error, reports, all: [...reports, error?.message ?? ""].join("\n") };
}

const call = (turn: Turn, members: object = {}) => turn.toolCall({ title: "t", ...members } as never);
const entry = { content: "a", priority: "high", status: "pending" };
const sdkDiff = { type: "diff", path: "/x", oldText: "a", newText: "b" };

describe("defect N22: a value that no client could read is refused or reported", () => {
  test.each<[string, (turn: Turn) => unknown, string]>([
    [
      "an entry of a plan that is text",
      (turn) => turn.plan(["a"] as never),
      'plan entry 0 got "a": pass entries such as',
    ],
    [
      "an entry without content",
      (turn) => turn.plan([entry, { ...entry, content: undefined }] as never),
      "plan entry 1 got",
    ],
    [
      "an entry without a priority",
      (turn) => turn.plan([{ ...entry, priority: undefined }] as never),
      "plan entry 0 got",
    ],
    ["an entry without a status", (turn) => turn.plan([{ ...entry, status: undefined }] as never), "plan entry 0 got"],
    [
      "an unknown status",
      (turn) => turn.plan([{ ...entry, status: "todo" }] as never),
      'status of a plan entry is "todo"',
    ],
    ["a title that is an object", (turn) => turn.session.setTitle({ title: "x" } as never), "setTitle got an object"],
    [
      "a command of another form",
      (turn) => turn.session.setCommands([{ command: "/a" }] as never),
      "setCommands command 0 got",
    ],
    [
      "a location that is text",
      (turn) => call(turn, { locations: ["/x"] }),
      'toolCall locations got "/x": pass locations',
    ],
    ["a location of an update", (turn) => call(turn).update({ locations: ["/x"] } as never), "locations such as"],
    ["a misspelled member of an update", (turn) => call(turn).update({ Title: "x" } as never), "Do you mean title?"],
    [
      "a misspelled member of a finish",
      (turn) => call(turn).finish({ rawoutput: 1 } as never),
      "Do you mean rawOutput?",
    ],
    [
      "a bare block in a finish",
      (turn) => call(turn).finish({ content: [{ type: "text", text: "x" }] } as never),
      'type text got an object of another form: pass content such as { type: "content"',
    ],
    ["a diff of version 1", (turn) => call(turn, { content: [sdkDiff] }), 'pass { type: "diff", changes: [{ operation'],
    ["an appended diff of version 1", (turn) => call(turn).append(sdkDiff as never), 'pass { type: "diff", changes'],
    [
      "a terminal without an id",
      (turn) => call(turn).append({ type: "terminal", id: "1" } as never),
      "terminalId got undefined",
    ],
    [
      "a misspelled type of an update",
      (turn) => turn.emit({ type: "agent_mesage_chunk" } as never),
      'emit type got "agent_mesage_chunk": pass an update such as { type: "agent_message_chunk"',
    ],
    [
      "an update in a wrapper",
      (turn) => turn.session.emit({ update: { type: "notice" } } as never),
      "emit got an object of another form",
    ],
    [
      "an update of the wire",
      (turn) => turn.emit({ sessionUpdate: "plan_update" } as never),
      'such as { type: "plan_update"',
    ],
    [
      "an update of a child",
      (turn) => turn.session.child("x").emit({ type: "notise" } as never),
      'such as { type: "notice"',
    ],
    ["a promise of a text", (turn) => turn.say(Promise.resolve("x") as never), "turn.say got a promise: await it."],
    ["a method without its turn", ({ say }) => say("x"), "turn.say was called without its turn"],
    ["a misspelled member of a question", (turn) => call(turn).ask({ option: [] } as never), "Do you mean options?"],
  ])("%s", async (_, prompt, message) => {
    expect((await after(prompt)).all).toContain(message);
  });

  test.each<[string, unknown]>([
    ["a list of options", [{ optionId: "no", name: "No", kind: "reject_once" }]],
    ["options of another form", { options: [{ id: "no", label: "No" }] }],
    ["a text", "May I?"],
  ])("%s in place of a question asks nothing and counts as a refusal", async (_, question) => {
    let answer: unknown;
    const { reports, client } = await after(async (turn) => {
      const one = call(turn);
      answer = await one.ask(question as never);
      one.fail("no");
    });
    expect(answer).toBe(false);
    expect(client.received.filter(({ method }) => method === "session/request_permission")).toEqual([]);
    expect(reports).toEqual([expect.stringMatching(/^ask of a tool call got .*counts as refused. Pass a question/)]);
  });

  test.each<[object, string]>([
    [
      { configOptions: [{ id: "mode", type: "select", name: "M", currentValue: "a", options: [] }] },
      "name its id configId",
    ],
    [
      {
        configOptions: [
          { configId: "m", type: "select", name: "M", currentValue: "a", options: [{ id: "a", name: "A" }] },
        ],
      },
      "pass values such as",
    ],
    [
      { configOptions: [{ configId: "m", type: "boolean", name: "M" }] },
      "currentValue got undefined: pass true or false",
    ],
    [{ availableCommands: [{ command: "/fix" }] }, 'pass commands such as { name: "fix"'],
  ])("a result of newSession refuses the session: %j", async (setup, message) => {
    const { client, diagnostics } = await connectAs(v2Hello, { newSession: () => setup as object });
    await client.error("session/new", place);
    expect(diagnostics.map((one) => one.message).join()).toContain(message);
  });

  test("correct values are no report", async () => {
    const { all } = await after(async (turn) => {
      turn.plan([entry, { ...entry, status: "_later", priority: "_any" }] as never);
      turn.session.setConfigOptions([
        { configId: "m", type: "select", name: "M", currentValue: "a", options: [{ value: "a", name: "A" }] },
        {
          configId: "g",
          type: "select",
          name: "G",
          currentValue: "a",
          options: [{ groupId: "g", name: "G", options: [{ value: "a", name: "A" }] }],
        },
        { configId: "b", type: "boolean", name: "B", currentValue: false },
      ]);
      turn.session.setTitle(null);
      const one = call(turn, {
        content: [{ type: "diff", changes: [{ operation: "add", path: "/x", newText: "b" }] }],
      });
      if (await one.ask({ title: "May I?", description: "x" }))
        one.finish({ rawOutput: 1, locations: [{ path: "/x" }] });
    });
    expect(all).toBe("");
  });
});

class RequestError extends Error {
  override name = "RequestError";
  constructor(
    readonly code: unknown,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

describe("defect N23: an error that is no RpcError", () => {
  const thrown = (error: unknown) => () => {
    throw error;
  };

  test("of the official SDK keeps its code, in a prompt and in other calls", async () => {
    const login = new RequestError(-32000, "Authentication required", { a: 1 });
    const { error } = await after(thrown(login));
    expect(error).toEqual({ code: -32000, message: "Authentication required", data: { a: 1 } });
    const { client } = await connectAs(hello, { newSession: thrown(login) as never });
    expect(await client.error("session/new", place)).toMatchObject({ code: -32000 });
  });

  test.each<[string, unknown]>([
    [
      "a lost server of another protocol",
      Object.assign(new Error("Connection closed"), { code: -32000, name: "McpError" }),
    ],
    ["a system error", Object.assign(new Error("no such file"), { code: "ENOENT", errno: -2 })],
    ["another RequestError", new RequestError("EREQUEST", "no")],
    ["an exit code", new RequestError(1, "no")],
  ])("has the code -32603 if it is %s", async (_, error) => {
    expect((await after(thrown(error))).error).toMatchObject({ code: -32603 });
  });

  test("and is a thrown object shows its message, and how to send its code", async () => {
    const { error, reports } = await after(thrown({ code: -32000, message: "login" }));
    expect(error).toMatchObject({ code: -32603, message: expect.stringContaining("login") });
    expect(reports.join()).toContain("Throw new RpcError(-32000, message) to send this code.");
    const { client } = await connectAs(hello, { newSession: thrown({ message: "no disk" }) as never });
    expect(JSON.stringify(await client.error("session/new", place))).toContain("no disk");
  });

  test("does not change an RpcError", async () => {
    expect((await after(thrown(new RpcError(-1, "own")))).error).toEqual({ code: -1, message: "own" });
  });
});

test.each([
  ["loadSession", "there is no such option. Pass a log, or the handler restoreSession."],
  ["authenticate", "there is no such option. Pass the handler login."],
])("defect N22: the handler %s of the official SDK is reported with its name here", (name, advice) => {
  const { diagnostics } = serve({ [name]: () => undefined } as never);
  expect(diagnostics.map(({ message }) => message)).toEqual([
    `The option ${name} of createAgent is not used: ${advice}`,
  ]);
});

describe("defect N24: text during an open stream", () => {
  async function* model() {
    yield "a";
    yield "b";
  }

  test("of the same message is reported once", async () => {
    const { reports } = await after(async (turn) => {
      void turn.say(model());
      await turn.say("x");
      await turn.say("y");
    });
    expect(reports).toEqual([expect.stringContaining("turn.say began while a stream of the same message is open")]);
  });

  test("is no report after the stream was awaited or failed, and for a thought", async () => {
    const { reports } = await after(async (turn) => {
      await turn.say(model());
      await turn.say("x");
      // biome-ignore lint/correctness/useYield: the stream fails at once
      const failing = async function* (): AsyncGenerator<string> {
        throw new Error("no");
      };
      await Promise.resolve(turn.say(failing())).catch(() => undefined);
      await turn.say("y");
      const late = turn.say(model());
      turn.think("z");
      await late;
    });
    expect(reports).toEqual([]);
  });
});
