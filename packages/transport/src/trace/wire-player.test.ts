import { describe, expect, test } from "vitest";
import { collect } from "../../test/channel-contract.js";
import type { Channel, Message } from "../channel.js";
import { createConnection } from "../channel-connection.js";
import { createMemoryPair } from "../channels/memory.js";
import type { Route } from "../routes.js";
import { recordChannel } from "./wire-log.js";
import { createWirePlayer, type PlayOptions } from "./wire-player.js";

const call = (id: unknown, method: string, params: object = {}) => ({ jsonrpc: "2.0", id, method, params }) as Message;
const tell = (method: string, params: object = {}) => ({ jsonrpc: "2.0", method, params }) as Message;
const answer = (id: unknown, result: object = {}) => ({ jsonrpc: "2.0", id, result }) as Message;

type Line = { sent: Message } | { received: Message } | { closed: object } | { invalidLine: string };
const logOf = (...lines: Line[]): string =>
  [{ wire: 1 }, ...lines.map((line) => ({ ms: 0, ...line }))].map((line) => `${JSON.stringify(line)}\n`).join("");

function play(log: string, options?: PlayOptions) {
  const player = createWirePlayer(log, options);
  return { player, heard: collect(player).messages };
}

const prompt = logOf(
  { sent: call(0, "prompt", { text: "hi" }) },
  { received: tell("update", { n: 1 }) },
  { received: call("q", "ask") },
  { sent: answer("q", { yes: true }) },
  { received: answer(0, { done: true }) },
);

describe("a player", () => {
  test("says each message when all before it was said to it, and answers the ids of now", async () => {
    const { player, heard } = play(prompt);
    expect(player.awaited).toEqual(["request prompt", "answer"]);
    player.send(call("mine", "prompt", { text: "hi" }));
    expect(await heard.atLeast(2)).toEqual([tell("update", { n: 1 }), call("q", "ask")]);
    expect(player.awaited).toEqual(["answer"]);
    player.send(answer("q", { yes: true }));
    expect((await heard.atLeast(3))[2]).toEqual(answer("mine", { done: true }));
    expect(await player.finished).toBeUndefined();
  });

  test("plays the other side just as well", async () => {
    const { player, heard } = play(prompt, { plays: "sent" });
    expect(await heard.atLeast(1)).toEqual([call(0, "prompt", { text: "hi" })]);
    for (const message of [tell("update", { n: 1 }), call("other", "ask")]) player.send(message);
    expect((await heard.atLeast(2))[1]).toEqual(answer("other", { yes: true }));
    player.send(answer(0, { done: true }));
    expect(await player.finished).toBeUndefined();
  });

  test.each<[string, Message, string]>([
    ["another method", call(1, "restart"), "request prompt here, and the other side sent request restart"],
    ["another value", call(1, "prompt", { text: "ho" }), "different at params.text"],
    ["a notification in place of a request", tell("prompt", { text: "hi" }), "sent notification prompt"],
    ["an answer to nothing", answer(9), "sent answer"],
  ])("%s ends it with an error that shows no values", async (_, message, text) => {
    const { player } = play(prompt);
    player.send(message);
    const { kind, cause } = await player.closed;
    expect([kind, cause]).toEqual(["failed", expect.objectContaining({ code: "wire_log" })]);
    expect(await player.finished).toBe(cause);
    expect((cause as Error).message).toContain(text);
    expect((cause as Error).message).not.toContain("ho");
  });

  test("an answer has to be to that very question", async () => {
    const { player, heard } = play(logOf({ received: call("q", "ask") }, { sent: answer("q") }));
    await heard.atLeast(1);
    player.send(answer("other"));
    expect((await player.closed).kind).toBe("failed");
  });

  test("one more message than the log has is too much", async () => {
    const { player } = play(logOf({ sent: tell("once") }));
    player.send(tell("once"));
    player.send(tell("once"));
    expect((await player.closed).cause).toMatchObject({ message: expect.stringContaining("nothing more") });
  });

  test("messages of one moment may come in another order, within the window", async () => {
    const log = logOf({ sent: tell("a") }, { sent: tell("b") }, { received: tell("then") });
    const { player, heard } = play(log);
    player.send(tell("b"));
    player.send(tell("a"));
    expect(await heard.atLeast(1)).toEqual([tell("then")]);
    const strict = play(log, { window: 1 }).player;
    strict.send(tell("b"));
    expect((await strict.closed).kind).toBe("failed");
  });

  test("what was redacted fits anything, and a looser match is the caller's to make", async () => {
    const log = logOf({ sent: call(0, "new", { env: { KEY: "[redacted]" }, cwd: "/recorded" }) });
    const said = call(1, "new", { env: { KEY: "a real one" }, cwd: "/recorded" });
    const { player } = play(log);
    player.send(said);
    expect(await player.finished).toBeUndefined();
    const elsewhere = play(log, { fits: () => true }).player;
    elsewhere.send(call(1, "new", { cwd: "/here" }));
    expect(await elsewhere.finished).toBeUndefined();
  });

  test("a text that was redacted by a secret of its time fits another one now, and only as a text", async () => {
    const log = logOf({ sent: tell("say", { text: "open with [redacted], please" }) });
    for (const [text, code] of [
      ["open with a word that no rule knows, please", undefined],
      [7, "wire_log"],
    ] as const) {
      const { player } = play(log);
      player.send(tell("say", { text }));
      if (code !== undefined) await player.closed;
      expect((await player.finished)?.code).toBe(code);
    }
  });

  test("a withdrawal names its request by the id of now", async () => {
    const log = logOf({ sent: call(0, "slow") }, { sent: tell("$/cancel_request", { requestId: 0 }) });
    for (const [requestId, kind] of [
      ["mine", undefined],
      [0, "wire_log"],
    ] as const) {
      const { player } = play(log);
      player.send(call("mine", "slow"));
      player.send(tell("$/cancel_request", { requestId }));
      expect((await player.finished)?.code).toBe(kind);
    }
  });

  const session = logOf(
    { sent: call(0, "new") },
    { received: answer(0, { sessionId: "s-1", modes: [{ id: "ask" }] }) },
    { sent: call(1, "prompt", { sessionId: "s-1", modeId: "ask" }) },
    { received: tell("update", { sessionId: "s-1", messageId: "m-1", text: "s-1" }) },
    { received: tell("update", { sessionId: "s-1", messageId: "m-1", text: "" }) },
    { received: answer(1) },
    { sent: tell("forget", { of: [{ sessionId: "s-1", messageId: "m-1" }] }) },
  );

  test("what an agent calls its sessions and messages now is what they are called from then on", async () => {
    const { player, heard } = play(session, { plays: "sent" });
    player.send(answer(0, { sessionId: "new", modes: [{ id: "ask" }] }));
    expect((await heard.atLeast(2))[1]).toEqual(call(1, "prompt", { sessionId: "new", modeId: "ask" }));
    for (const text of ["s-1", ""]) player.send(tell("update", { sessionId: "new", messageId: "one", text }));
    player.send(answer(1));
    expect((await heard.atLeast(3))[2]).toEqual(tell("forget", { of: [{ sessionId: "new", messageId: "one" }] }));
    expect(await player.finished).toBeUndefined();
  });

  test.each<[string, PlayOptions["plays"], Message[]]>([
    [
      "another session",
      "sent",
      [
        answer(0, { sessionId: "new", modes: [{ id: "ask" }] }),
        tell("update", { sessionId: "s-1", messageId: "m-1", text: "s-1" }),
      ],
    ],
    [
      "a name that was offered differently",
      "received",
      [call(0, "new"), call(1, "prompt", { sessionId: "s-1", modeId: "code" })],
    ],
  ])("a name that is known has to stay: %s ends it", async (_, plays, said) => {
    const { player } = play(session, { plays });
    for (const message of said) player.send(message);
    expect((await player.closed).cause).toMatchObject({ code: "wire_log" });
  });

  test.each<[string, PlayOptions["plays"], boolean]>([
    ["remote", "received", true],
    ["remote", "sent", false],
    ["local", "received", false],
    ["local", "sent", true],
  ])("an end that was %s is made by who plays %s: %s", async (kind, plays, closes) => {
    const { player } = play(logOf({ closed: { kind, message: "over" } }), { plays: plays as "received" });
    expect(await player.finished).toBeUndefined();
    if (closes) expect((await player.closed).kind).toBe("remote");
    else await player.close();
    expect((await player.closed).kind).toBe(closes ? "remote" : "local");
  });

  test("a process that died is told as it was recorded, after all that it said", async () => {
    const closed = { kind: "exit", message: "some-agent exited with code 3.", exitCode: 3, signal: null, stderr: "oh" };
    const { player, heard } = play(logOf({ received: tell("last words") }, { closed }));
    expect(await player.closed).toEqual(closed);
    expect(heard.items).toEqual([tell("last words")]);
  });

  test("a channel that is closed early says how much was left", async () => {
    const { player } = play(prompt);
    await player.close();
    expect(await player.finished).toMatchObject({
      code: "wire_log",
      message: expect.stringContaining("5 entries left"),
    });
  });

  test("waits while it is paused, and for room", async () => {
    const many = Array.from({ length: 5_000 }, (_, n) => ({ received: tell("update", { n }) }));
    const { player, heard } = play(logOf(...many));
    player.pause();
    const began = heard.items.length;
    await Promise.resolve();
    expect(heard.items.length).toBe(began);
    player.resume();
    expect((await heard.atLeast(5_000)).map((message) => (message as { params: { n: number } }).params.n)).toEqual(
      many.map((_, n) => n),
    );
    expect(await player.finished).toBeUndefined();
  });

  test("refuses what is no log", () => {
    expect(() => createWirePlayer("hello")).toThrow(expect.objectContaining({ code: "wire_log" }));
  });
});

describe("what was recorded", () => {
  const routes: Record<string, Route["receive"]> = {
    double: (params: unknown) => ({ twice: (params as { n: number }).n * 2 }),
  };
  const serve = (channel: Channel) =>
    createConnection(channel, { route: (method) => routes[method] && { receive: routes[method] as Route["receive"] } });

  async function converse(channel: Channel): Promise<unknown> {
    const connection = createConnection(channel);
    const both = await Promise.all([1, 2].map((n) => connection.request("double", { n, token: "hunter2-secret" })));
    await connection.close();
    return both;
  }

  test("plays again to either side, to its end", async () => {
    const lines: string[] = [];
    const [one, two] = createMemoryPair();
    serve(two);
    const result = await converse(recordChannel(one, (line) => lines.push(line)));
    const log = lines.join("");
    expect(log).not.toContain("hunter2");

    const server = createWirePlayer(log);
    expect(await converse(server)).toEqual(result);
    expect(await server.finished).toBeUndefined();

    const client = createWirePlayer(log, { plays: "sent" });
    serve(client);
    expect(await client.finished).toBeUndefined();
  });
});
