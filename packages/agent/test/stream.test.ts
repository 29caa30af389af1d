import { setImmediate } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { createMemoryLog, type Room, type SessionLog, type SessionLogWriter, type Turn } from "../src/index.js";
import { gate, open } from "./raw-client.js";

async function* pieces(...texts: readonly string[]): AsyncGenerator<string> {
  for (const text of texts) {
    await setImmediate();
    yield text;
  }
}

describe("say with a stream", () => {
  test("says its pieces in order, as one message, before what is said after it was awaited", async () => {
    const { client, sessionId } = await open({
      async prompt(turn) {
        turn.say("0");
        await turn.say(pieces("1", "2", "3"));
        turn.say("4");
        await turn.think(pieces("a", "b"));
      },
    });
    const prompt = client.prompt(sessionId);
    await client.answer(prompt);
    expect(client.story.slice(2)).toEqual(["0", "1", "2", "3", "4", "a", "b", `#${prompt}`]);
    const ids = client.updates().map(({ messageId }) => messageId);
    expect(new Set(ids.slice(0, 5)).size).toBe(1);
    expect(new Set(ids.slice(5)).size).toBe(1);
  });

  test("V1-PROMPT-07: one that is not awaited is said to its end before the turn ends", async () => {
    const { client, sessionId } = await open({
      prompt(turn) {
        void turn.say(pieces("1", "2"));
        void turn.think(pieces("a", "b"));
      },
    });
    const prompt = client.prompt(sessionId);
    expect((await client.answer(prompt)).result).toEqual({ stopReason: "end_turn" });
    expect(client.story.slice(2, -1).sort()).toEqual(["1", "2", "a", "b"]);
    expect(client.story.at(-1)).toBe(`#${prompt}`);
  });

  async function* broken(): AsyncGenerator<string> {
    yield "half";
    await setImmediate();
    throw new Error("model down");
  }

  test.each<[string, (turn: Turn) => unknown]>([
    ["awaited", (turn) => turn.say(broken())],
    ["not awaited", (turn) => void turn.say(broken())],
    [
      "not awaited, and failed long before the end",
      async (turn) => {
        void turn.say(broken());
        await turn.say(pieces("1", "2", "3", "4"));
      },
    ],
  ])("an error of a stream that is %s fails the turn", async (_, speak) => {
    const { client, sessionId } = await open({
      async prompt(turn) {
        await speak(turn);
      },
    });
    expect((await client.ask(sessionId)).error).toMatchObject({ code: -32603, data: { details: "model down" } });
    expect(client.text).toContain("half");
  });

  test("an error that the handler takes care of does not fail the turn", async () => {
    const { client, sessionId } = await open({
      async prompt(turn) {
        try {
          await turn.say(broken());
        } catch {
          turn.say(", sorry");
        }
        await turn.say(broken())?.catch(() => undefined);
      },
    });
    expect((await client.ask(sessionId)).result).toEqual({ stopReason: "end_turn" });
    expect(client.text).toBe("half, sorryhalf");
  });

  test("V1-CANCEL-05: a cancel stops it, tells the source, and does not wait for it", async () => {
    const returned = gate();
    const never = new Promise<IteratorResult<string>>(() => undefined);
    let asked = 0;
    const source: AsyncIterable<string> = {
      [Symbol.asyncIterator]: () => ({
        next: () => (asked++ === 0 ? Promise.resolve({ value: "one", done: false }) : never),
        return() {
          returned.open();
          return Promise.reject(new Error("nobody hears this"));
        },
      }),
    };
    const { client, sessionId } = await open({
      async prompt(turn) {
        await turn.say(source);
        turn.say("after");
        await turn.say(pieces("not said"));
      },
    });
    const prompt = client.prompt(sessionId);
    await client.update("agent_message_chunk");
    client.cancel(sessionId);
    expect((await client.answer(prompt)).result).toEqual({ stopReason: "cancelled" });
    await returned.promise;
    expect(client.text).toBe("oneafter");
  });

  test("a source that throws at once, or while it is let go, harms nobody", async () => {
    const letGo = vi.fn();
    const throwing: AsyncIterable<string> = {
      [Symbol.asyncIterator]: () => ({
        next: () => {
          throw new Error("at once");
        },
        return: letGo,
      }),
    };
    const { client, sessionId } = await open({ prompt: (turn) => turn.say(throwing) });
    expect((await client.ask(sessionId)).error).toMatchObject({ data: { details: "at once" } });
    expect(letGo).not.toHaveBeenCalled();
  });

  test("listeners and reactions do not pile up with the stream", async () => {
    let listeners = 0;
    const { client, sessionId } = await open({
      async prompt(turn) {
        const { addEventListener, removeEventListener } = AbortSignal.prototype;
        AbortSignal.prototype.addEventListener = function (this: AbortSignal, ...args: unknown[]) {
          listeners += 1;
          return Reflect.apply(addEventListener, this, args);
        };
        AbortSignal.prototype.removeEventListener = function (this: AbortSignal, ...args: unknown[]) {
          listeners -= 1;
          return Reflect.apply(removeEventListener, this, args);
        };
        try {
          await turn.say(pieces(...Array.from({ length: 20 }, () => "x")));
        } finally {
          Object.assign(AbortSignal.prototype, { addEventListener, removeEventListener });
        }
      },
    });
    await client.ask(sessionId);
    expect(listeners).toBe(0);
  });
});

describe("room", () => {
  test("V1-RPC-17: say answers with a promise while the client does not read, and with nothing while it does", async () => {
    const rooms: Room[] = [];
    const full = gate();
    const { client, sessionId } = await open({
      async prompt(turn) {
        const first = turn.say("start");
        rooms.push(first);
        await full.promise;
        let room: Room;
        while (room === undefined) room = turn.say("x");
        rooms.push(room);
        client.channel.resume();
        await room;
        rooms.push(turn.say("."));
      },
    });
    const prompt = client.prompt(sessionId);
    await client.update("agent_message_chunk");
    client.channel.pause();
    full.open();
    await client.answer(prompt);
    expect(rooms[0]).toBeUndefined();
    expect(rooms[1]).toBeInstanceOf(Promise);
    expect(rooms[2]).toBeUndefined();
  });

  test("with a log there is room where both the client and the log have some", async () => {
    const [stored, full] = [gate(), gate()];
    const memory = createMemoryLog();
    const log: SessionLog = {
      ...memory,
      async open(id, info) {
        const writer = await memory.open(id, info);
        const append: SessionLogWriter["append"] = (event) => {
          writer.append(event);
          return stored.promise;
        };
        const close = () => writer[Symbol.asyncDispose]();
        return { append, commit: () => writer.commit(), [Symbol.asyncDispose]: close };
      },
    };
    let hasRoom = false;
    const { client, sessionId } = await open({
      log,
      async prompt(turn) {
        turn.say("start");
        await full.promise;
        let room: Room;
        for (let n = 0; n < 2_000; n++) room = turn.say("x");
        client.channel.resume();
        await room;
        hasRoom = true;
      },
    });
    const prompt = client.prompt(sessionId);
    await client.update("agent_message_chunk");
    client.channel.pause();
    full.open();
    await client.update("agent_message_chunk", 2_000);
    for (let turns = 0; turns < 10; turns++) await setImmediate();
    expect(hasRoom).toBe(false);
    stored.open();
    await client.answer(prompt);
    expect(hasRoom).toBe(true);
  });

  test("a stream goes at the client's pace", async () => {
    const paused = gate();
    let taken = 0;
    async function* endless(): AsyncGenerator<string> {
      for (;;) {
        taken += 1;
        yield "x".repeat(1024);
      }
    }
    const { client, sessionId } = await open({
      async prompt(turn) {
        turn.say("start");
        await paused.promise;
        await turn.say(endless());
      },
    });
    const prompt = client.prompt(sessionId);
    await client.update("agent_message_chunk");
    client.channel.pause();
    paused.open();
    for (let n = 0; n < 50; n++) await setImmediate();
    expect(taken).toBeGreaterThan(1);
    expect(taken).toBeLessThan(200);
    client.cancel(sessionId);
    client.channel.resume();
    expect((await client.answer(prompt)).result).toEqual({ stopReason: "cancelled" });
  });

  test("a cancel ends a stream that waits for room", async () => {
    const began = gate();
    const said = gate();
    async function* large(): AsyncGenerator<string> {
      began.open();
      for (;;) yield "x".repeat(128 * 1024);
    }
    const { client, sessionId } = await open({
      async prompt(turn) {
        await turn.say(large());
        said.open();
      },
    });
    client.channel.pause();
    client.prompt(sessionId);
    await began.promise;
    await setImmediate();
    client.cancel(sessionId);
    await said.promise;
  });
});

test.each([undefined, null, 7])("defect F15: say and think of %s say what to pass", async (text) => {
  const errors: unknown[] = [];
  let after: Turn | undefined;
  const { client, sessionId } = await open({
    prompt(turn) {
      after = turn;
      for (const verb of ["say", "think"] as const) {
        try {
          turn[verb](text as never);
        } catch (error) {
          errors.push(error);
        }
      }
    },
  });
  await client.answer(client.prompt(sessionId));
  const hint = "pass a text, a content block or a stream of texts.";
  expect(errors).toEqual([
    new TypeError(`turn.say got ${text}: ${hint}`),
    new TypeError(`turn.think got ${text}: ${hint}`),
  ]);
  expect(after?.say(text as never)).toBeUndefined();
});
