import { describe, expect, it, test } from "vitest";
import {
  createSessionState,
  createSessionStore,
  decodeV1,
  messageText,
  reduce,
  type SessionEvent,
} from "../src/index.js";
import { watchSessions } from "../src/watch/index.js";

const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "hi" } };
const wire = { jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update } };
const opened = [
  [{ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1 } }, "client"],
  [{ jsonrpc: "2.0", id: 1, result: { protocolVersion: 1 } }, "agent"],
  [{ jsonrpc: "2.0", id: 2, method: "session/new", params: { cwd: "/", mcpServers: [] } }, "client"],
  [{ jsonrpc: "2.0", id: 2, result: { sessionId: "s" } }, "agent"],
  [wire, "agent"],
] as const;

/** Feeds messages as a caller without types does, twice, and returns the errors and the number of sessions. */
function misused(change: (message: object, from: "client" | "agent") => readonly unknown[], messages = opened.slice()) {
  const errors: string[] = [];
  const watch = watchSessions({ onError: (error) => errors.push((error as Error).message) });
  for (const _ of [1, 2])
    for (const [message, from] of messages) watch.message(...(change(message, from) as [object, "agent"]));
  return [errors, watch.sessions.size];
}

describe("defect N94: a watch that is called wrong says so, once for each way", () => {
  const bytes = (message: object) => new TextEncoder().encode(JSON.stringify(message));
  test.each<[string, () => readonly unknown[], readonly string[]]>([
    ["text", () => misused((message, from) => [JSON.stringify(message), from]), ["is a text: pass JSON.parse(text)."]],
    ["bytes", () => misused((message, from) => [bytes(message), from]), ["is bytes: decode them"]],
    ["an unknown side", () => misused((message) => [message, "server"]), ['from is neither "client" nor "agent"']],
    ["no side", () => misused((message) => [message]), ['from is neither "client" nor "agent"']],
    [
      "only updates",
      () => misused((message, from) => [message, from], [[wire, "agent"]] as never),
      ["belongs to no session"],
    ],
    [
      "sides swapped",
      () => misused((message, from) => [message, from === "client" ? "agent" : "client"]),
      [
        "initialize is not from the agent",
        "session/new is not from the agent",
        "session/update is not from the client",
      ],
    ],
  ])("%s", (_, call, messages) => {
    expect(call()).toEqual([messages.map((message) => expect.stringContaining(message)), 0]);
  });

  it("says nothing if it is called right, also for values of a peer", () => {
    const watch = misused(
      (message, from) => [message, from],
      [...opened, [[5, null] as never, "agent"], [7 as never, "agent"]],
    );
    expect(watch).toEqual([[], 1]);
  });
});

describe("defect N94: a store that is called wrong says so", () => {
  const json = <T>(value: T): T => JSON.parse(JSON.stringify(value));
  const store = createSessionStore();
  const state = reduce(createSessionState(), decodeV1(update)[0] as SessionEvent);
  test.each<[string, () => unknown, string]>([
    ["an update of the protocol", () => store.dispatch(update as never), "pass each event of decodeV1(update)"],
    ["a whole message", () => store.dispatch(wire as never), "pass each event of decodeV1(update)"],
    ["a state from JSON", () => createSessionStore(json(state)), "readSnapshot(JSON.parse(text))"],
    [
      "options in place of a state",
      () => createSessionStore({ notify: "microtask" } as never),
      "and the options after it",
    ],
    [
      "an unknown option",
      () => createSessionStore(undefined, { notfy: "sync" } as never),
      'notfy got "sync": pass an option: notify or metaMode.',
    ],
    [
      "an unknown option of a watch",
      () => watchSessions({ onsession() {} } as never),
      "watchSessions onsession got function: pass an option: onSession or",
    ],
    [
      "an entry from JSON",
      () => messageText(json(state.timeline.at(0)) as never),
      "Read a state from JSON with readSnapshot",
    ],
  ])("%s", (_, call, message) => {
    expect(call).toThrow(TypeError);
    expect(call).toThrow(message);
  });

  it("a list has no index, by its types", () => {
    // @ts-expect-error read it with `at`
    expect(state.timeline[0]).toBeUndefined();
  });

  it("decodeV1 refuses a whole message by its types", () => {
    // @ts-expect-error pass message.params.update
    expect(decodeV1(wire)).toEqual([expect.objectContaining({ type: "unknown" })]);
    expect(decodeV1(JSON.parse("{}"))).toHaveLength(1);
  });
});
