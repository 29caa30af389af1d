import { expect, test } from "vitest";
import type { ToolCallFields, Turn } from "../src/index.js";
import { clientInfo, type Frame, openAs } from "./raw-client.js";

const hello = { protocolVersion: 1, clientInfo };
const isEnd = ({ result, error }: Frame) => result?.stopReason !== undefined || error !== undefined;

/** Runs one prompt. Returns the reports, and the names of the members that the client got. */
async function reports(prompt: (turn: Turn) => unknown): Promise<readonly string[]> {
  const { client, sessionId, diagnostics } = await openAs(hello, { prompt: async (turn) => void (await prompt(turn)) });
  client.prompt(sessionId);
  await client.next(isEnd);
  return diagnostics.filter(({ code }) => code !== "loss").map(({ message }) => message);
}

test("defect N78: a misspelled member of turn.requestPermission is reported", async () => {
  const question = { title: "x", option: [] };
  const { client, sessionId, diagnostics } = await openAs(hello, {
    prompt: async (turn) => void (await turn.ask(question)),
  });
  client.prompt(sessionId);
  await client.call("session/request_permission");
  expect(diagnostics.map(({ message }) => message)).toEqual([expect.stringContaining("Do you mean options?")]);
});

test.each<[string, unknown]>([
  ["a function", (value: unknown) => ({ rawOutput: value })],
  ["a signal", new AbortController().signal],
  ["null", null],
])("defect N78: options of run that are no options are refused: %s", async (_name, options) => {
  const caught: unknown[] = [];
  await reports((turn) => {
    const call = turn.toolCall({ title: "a" });
    try {
      void call.run(() => "out", options as never);
    } catch (error) {
      caught.push(error);
    }
    call.finish();
  });
  expect(caught).toEqual([
    expect.objectContaining({ message: expect.stringMatching(/^run of a tool call options got .+: pass/) }),
  ]);
});

test.each<[string, object]>([
  ["a list", [{ sessionId: "1", cwd: "/" }]],
  ["rows with id", { sessions: [{ id: "1", cwd: "/" }] }],
  ["rows without cwd", { sessions: [{ sessionId: "1" }] }],
  ["a cursor of another type", { sessions: [], nextCursor: 2 }],
])("defect N79: a list of sessions of another form is reported: %s", async (_name, page) => {
  const listSessions = () => page as never;
  const { client, diagnostics } = await openAs(hello, {
    listSessions,
    restoreSession() {},
    prompt() {},
  });
  const id = client.send({ id: 77, method: "session/list", params: {} });
  expect((await client.answer(77)).error).toMatchObject({ code: -32603 });
  expect([id, diagnostics.map(({ message }) => message)]).toEqual([
    id,
    [expect.stringContaining("The result of listSessions")],
  ]);
});

test.each(["my cmd", "", " fix", "a\tb"])(
  "defect N80: a command that no prompt can name is refused: %j",
  async (name) => {
    const found: string[] = [];
    await reports((turn) => {
      try {
        turn.session.setCommands([{ name, description: "d" }]);
      } catch (error) {
        found.push((error as Error).message);
      }
    });
    expect(found).toEqual([expect.stringContaining("pass a name without white space, such as")]);
  },
);

const lost: readonly [string, ToolCallFields, string][] = [
  [
    "an error",
    { rawOutput: new Error("disk full") },
    "The rawOutput of a tool call is of the type Error, which JSON cannot contain. Pass error.message.",
  ],
  ["a map", { rawInput: new Map([["k", 1]]) }, "The rawInput of a tool call is of the type Map"],
  ["a promise", { rawOutput: Promise.resolve(1) }, "Pass the awaited value."],
  [
    "a member",
    { rawOutput: { code: 1, error: new TypeError("x") } },
    'member "error" in the rawOutput of a tool call is of the type Error',
  ],
  ["an item", { rawOutput: [new Set([1])] }, 'member "0" in the rawOutput'],
  ["metadata", { _meta: { "example.com": () => 1 } }, "is of the type function"],
];

test.each(lost)("defect N81: a value that JSON loses is reported: %s", async (_name, fields, message) => {
  expect(await reports((turn) => turn.toolCall({ title: "a" }).finish(fields))).toEqual([
    expect.stringContaining(message),
  ]);
  expect(await reports((turn) => turn.toolCall({ ...fields, title: "a" }).finish())).toEqual([
    expect.stringContaining(message),
  ]);
});

test.each<[string, unknown]>([
  ["a date", new Date(0)],
  ["an object with its own form", { toJSON: () => "x" }],
  ["an error with its own form", Object.assign(new Error("disk full"), { toJSON: () => "disk full" })],
  ["a member with its own form", { error: Object.assign(new Error("disk full"), { toJSON: () => "disk full" }) }],
  ["plain values", { a: [1, "x", null, true, { deep: {} }], none: undefined }],
  [
    "an instance",
    new (class {
      readonly a = 1;
    })(),
  ],
])("defect N81: a value that JSON keeps is not reported: %s", async (_name, rawOutput) => {
  expect(await reports((turn) => turn.toolCall({ title: "a" }).finish({ rawOutput }))).toEqual([]);
});
