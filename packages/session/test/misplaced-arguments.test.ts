import { describe, expect, test } from "vitest";
import { checkFormAnswer, formDefaults } from "../src/form/index.js";
import { createSessionStore, createSnapshot, decodeV1, diffStates } from "../src/index.js";
import { watchSessions, watchStream } from "../src/watch/index.js";

const store = createSessionStore();
const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "hi" } };
const form = { type: "object", properties: { name: { type: "string" } }, required: ["name"] } as const;
const streams = { readable: new ReadableStream(), writable: new WritableStream() };

describe("defect N160: a wrong argument that would have no effect is refused", () => {
  test.each<[string, () => unknown, string]>([
    ["a list of events", () => store.dispatch(decodeV1(update) as never), "pass each event of decodeV1(update)"],
    ["no listener", () => store.subscribe(undefined as never), "subscribe got undefined: pass a function"],
    ["the snapshot of a store", () => createSnapshot(store as never), "pass a state, such as store.getState()"],
    ["the changes of stores", () => diffStates(store as never, store as never), "diffStates got "],
    ["a listener as the options", () => watchSessions((() => {}) as never), "pass an object such as { onSession }"],
    ["no options", () => watchSessions(null as never), "watchSessions got null: pass an object such as"],
    ["no sessions", () => watchSessions({ maxSessions: 0 }), "maxSessions got 0: pass a number above 0"],
    ["no watch", () => watchStream(streams, undefined as never), "pass watchSessions() after the stream"],
    [
      "a watch before the stream",
      () => watchStream(watchSessions() as never, streams as never),
      "pass the stream, then",
    ],
    ["an answer before its form", () => checkFormAnswer({ name: 1 } as never, form), "pass the form, then the answer"],
    [
      "a question for defaults",
      () => formDefaults({ requestedSchema: form } as never),
      "pass question.requestedSchema",
    ],
  ])("%s", (_, call, message) => {
    expect(call).toThrow(TypeError);
    expect(call).toThrow(message);
  });

  test("and the params of an update are no update for the compiler", () => {
    // @ts-expect-error pass params.update
    expect(decodeV1({ sessionId: "s", update })).toMatchObject([{ type: "unknown" }]);
  });

  test("an answer may have a field that is called properties", () => {
    expect(checkFormAnswer({ type: "object" } as never, { properties: "a" })).toEqual([]);
    expect(checkFormAnswer(form, { name: "a" })).toEqual([]);
  });

  test("a watch reads messages by its function alone", () => {
    const { message, sessions } = watchSessions();
    message({ jsonrpc: "2.0", id: 1, method: "session/new", params: { cwd: "/w", mcpServers: [] } }, "client");
    message({ jsonrpc: "2.0", id: 1, result: { sessionId: "s" } }, "agent");
    expect([...sessions.keys()]).toEqual(["s"]);
  });
});
