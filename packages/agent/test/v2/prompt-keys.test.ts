import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  type AgentHandlers,
  compactEvents,
  createMemoryLog,
  type SessionEvent,
  type SessionLog,
  type Turn,
} from "../../src/index.js";
import { createFileLog } from "../../src/node/index.js";
import { connectAs, type Frame, gate, openAs, type RawClient, v2Hello } from "../raw-client.js";

const place = { cwd: "/work", mcpServers: [] };
const textOf = (turn: Turn) => turn.prompt.map((block) => ("text" in block ? block.text : block.type)).join();
const deploy = (sessionId: string, text = "Deploy", more: object = {}) => ({
  sessionId,
  prompt: [{ type: "text", text }],
  idempotencyKey: "k-1",
  ...more,
});
const open = (handlers: Partial<AgentHandlers> = {}) => openAs(v2Hello, handlers);
const idles = (client: RawClient, n = 0): Promise<Frame> => {
  const nth = () => client.updates("state_update").filter(({ state }) => state === "idle")[n];
  return client.next((frame) => frame.params?.update !== undefined && frame.params.update === nth());
};

/** Sends one request for each of the params, all in one write, and returns their ids. */
function sendAll(client: RawClient, ...all: object[]): string[] {
  const ids = all.map((_, index) => `try-${client.received.length}-${index}`);
  client.send(...all.map((params, index) => ({ id: ids[index], method: "session/prompt", params })));
  return ids;
}

/** Counts the prompts of which the handler took each text. */
function counting() {
  const taken: string[] = [];
  return { taken, prompt: (turn: Turn) => void taken.push(textOf(turn)) };
}

describe("a key of session/prompt", () => {
  test("P-IDEM-04, P-IDEM-05, P-IDEM-09: a retry after the insertion gets the first answer and starts no work", async () => {
    const { taken, prompt } = counting();
    const { client, sessionId } = await open({ prompt });
    const first = await client.result("session/prompt", deploy(sessionId));
    await idles(client);
    const before = client.updates().length;
    expect(await client.result("session/prompt", deploy(sessionId))).toEqual(first);
    await client.result("session/prompt", deploy(sessionId, "Other", { idempotencyKey: "K-1" }));
    await idles(client, 1);
    expect(taken).toEqual(["Deploy", "Other"]);
    expect(client.updates("user_message")).toHaveLength(2);
    expect(client.updates().slice(before)).toHaveLength(3);
  });

  test("P-IDEM-09: a retry is answered while the work runs, and after a cancel", async () => {
    const end = gate();
    const { client, sessionId } = await open({ prompt: () => end.promise });
    const first = await client.result("session/prompt", deploy(sessionId));
    expect(await client.result("session/prompt", deploy(sessionId))).toEqual(first);
    client.cancel(sessionId);
    end.open();
    await idles(client);
    expect(await client.result("session/prompt", deploy(sessionId))).toEqual(first);
    expect(client.updates("user_message")).toHaveLength(1);
  });

  test("P-IDEM-08, P-IDEM-07: attempts of a waiting prompt get one answer", async () => {
    const end = gate();
    const { taken, prompt } = counting();
    const { client, sessionId } = await open({
      prompt: (turn) => (textOf(turn) === "First" ? end.promise : prompt(turn)),
    });
    await client.ask(sessionId, "First");
    const tries = sendAll(client, deploy(sessionId), deploy(sessionId), deploy(sessionId));
    end.open();
    const answers = await Promise.all(tries.map((id) => client.answer(id)));
    expect(new Set(answers.map(({ result }) => result.messageId)).size).toBe(1);
    await idles(client, 1);
    expect(taken).toEqual(["Deploy"]);
  });

  test("P-IDEM-08: a cancel of one attempt withdraws that attempt, and a cancel of the last one the prompt", async () => {
    const end = gate();
    const { taken, prompt } = counting();
    const { client, sessionId } = await open({
      prompt: (turn) => (textOf(turn) === "First" ? end.promise : prompt(turn)),
    });
    await client.ask(sessionId, "First");
    const [one, two] = sendAll(client, deploy(sessionId), deploy(sessionId));
    const gone = sendAll(client, deploy(sessionId, "Gone", { idempotencyKey: "k-2" }))[0];
    client.notify("$/cancel_request", { requestId: one });
    expect((await client.answer(one)).error).toMatchObject({ code: -32800 });
    client.notify("$/cancel_request", { requestId: gone });
    expect((await client.answer(gone)).error).toMatchObject({ code: -32800 });
    end.open();
    expect((await client.answer(two)).result).toHaveProperty("messageId");
    await idles(client, 1);
    expect(taken).toEqual(["Deploy"]);
  });

  test("P-IDEM-07: an error answer releases the key", async () => {
    const end = gate();
    const { taken, prompt } = counting();
    const { client, sessionId } = await open({
      prompt: (turn) => (textOf(turn) === "First" ? end.promise : prompt(turn)),
    });
    const image = { prompt: [{ type: "image", data: "AA==", mimeType: "image/png" }] };
    expect(await client.error("session/prompt", deploy(sessionId, "", image))).toMatchObject({ code: -32602 });
    await client.ask(sessionId, "First");
    const [waiting] = sendAll(client, deploy(sessionId));
    client.notify("$/cancel_request", { requestId: waiting });
    expect((await client.answer(waiting)).error).toMatchObject({ code: -32800 });
    end.open();
    await idles(client);
    expect(await client.result("session/prompt", deploy(sessionId, "Again"))).toHaveProperty("messageId");
    await idles(client, 1);
    expect(taken).toEqual(["Again"]);
  });

  test("P-IDEM-10: a key of another prompt is refused, whatever the order of members and metadata", async () => {
    const { client, sessionId } = await open({ promptCapabilities: { image: true } });
    const block = { type: "image", data: "AA==", mimeType: "image/png" };
    const turned = { mimeType: "image/png", data: "AA==", type: "image" };
    const first = await client.result("session/prompt", deploy(sessionId, "", { prompt: [block] }));
    const again = deploy(sessionId, "", { prompt: [turned], _meta: { "example.com": 1 } });
    expect(await client.result("session/prompt", again)).toEqual(first);
    expect(await client.error("session/prompt", deploy(sessionId, "Other"))).toMatchObject({
      code: -32602,
      data: { sessionId, idempotencyKey: "k-1", reason: "key_reused" },
    });
    expect(client.updates("user_message")).toHaveLength(1);
  });

  test("P-IDEM-10: with onKeyReuse original, a key of another prompt gets the first answer", async () => {
    const { client, sessionId } = await open({ onKeyReuse: "original" });
    const first = await client.result("session/prompt", deploy(sessionId));
    expect(await client.result("session/prompt", deploy(sessionId, "Other"))).toEqual(first);
  });

  test("P-IDEM-12: a retry of an inserted prompt is no error, though a new prompt would be refused", async () => {
    const end = gate();
    const { client, sessionId } = await open({ whilePrompting: "reject", prompt: () => end.promise });
    const first = await client.result("session/prompt", deploy(sessionId));
    expect(await client.error("session/prompt", deploy(sessionId, "New", { idempotencyKey: "k-2" }))).toMatchObject({
      code: -32600,
    });
    expect(await client.result("session/prompt", deploy(sessionId))).toEqual(first);
    end.open();
  });

  test("P-IDEM-06: prompts without a key, or with null, are all inserted", async () => {
    const { client, sessionId } = await open({});
    const ids = new Set<unknown>();
    for (const idempotencyKey of [undefined, null, null]) {
      const { messageId } = await client.result("session/prompt", deploy(sessionId, "Deploy", { idempotencyKey }));
      ids.add(messageId);
    }
    expect(ids.size).toBe(3);
  });

  test("P-IDEM-11: keys belong to one session", async () => {
    const { client, sessionId } = await open({});
    const other = await client.newSession();
    const first = await client.result("session/prompt", deploy(sessionId));
    const second = await client.result("session/prompt", deploy(other));
    expect(second.messageId).not.toBe(first.messageId);
  });
});

/** Logs of both kinds, and a function that returns what a new process would have. */
const logs: readonly [string, () => SessionLog][] = [
  ["memory", createMemoryLog],
  [
    "a file",
    () => {
      const folder = mkdtempSync(join(tmpdir(), "turnkit-keys-"));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
      return createFileLog(folder);
    },
  ],
];

describe.each(logs)("keys in a log in %s", (_name, createLog) => {
  async function inserted(log: SessionLog, prompt: object = {}) {
    const { client, sessionId } = await openAs(v2Hello, { log });
    const first = await client.result("session/prompt", deploy(sessionId, "Deploy", prompt));
    await idles(client);
    await client.result("session/close", { sessionId });
    return { sessionId, first };
  }

  test("P-IDEM-07, P-IDEM-09, P-IDEM-11: survive a restart; the message is sent once before the answer", async () => {
    const log = createLog();
    const { sessionId, first } = await inserted(log);
    const { taken, prompt } = counting();
    const { client } = await connectAs(v2Hello, { log, prompt });
    await client.result("session/resume", { sessionId, ...place });
    const [one, two] = sendAll(client, deploy(sessionId), deploy(sessionId));
    expect([(await client.answer(one)).result, (await client.answer(two)).result]).toEqual([first, first]);
    await setImmediate();
    expect(client.updates()).toMatchObject([
      { sessionUpdate: "state_update", state: "idle" },
      { sessionUpdate: "user_message", ...first, content: [{ type: "text", text: "Deploy" }] },
    ]);
    expect(client.story.indexOf("user_message")).toBeLessThan(client.story.indexOf(`#${one}`));
    expect(taken).toEqual([]);
  });

  test("P-IDEM-09: the message is sent with the first attempt that has its content", async () => {
    const log = createLog();
    const { sessionId, first } = await inserted(log);
    const { client } = await connectAs(v2Hello, { log, onKeyReuse: "original" });
    await client.result("session/resume", { sessionId, ...place });
    expect(await client.result("session/prompt", deploy(sessionId, "Other"))).toEqual(first);
    expect(client.updates("user_message")).toEqual([]);
    expect(await client.result("session/prompt", deploy(sessionId))).toEqual(first);
    expect(client.updates("user_message")).toMatchObject([first]);
  });

  test("P-IDEM-09: after a replay the message is not sent again", async () => {
    const log = createLog();
    const { sessionId, first } = await inserted(log);
    const { client } = await connectAs(v2Hello, { log });
    await client.result("session/resume", { sessionId, ...place, replayFrom: { type: "start" } });
    expect(await client.result("session/prompt", deploy(sessionId))).toEqual(first);
    expect(client.updates("user_message")).toHaveLength(1);
  });

  test("P-IDEM-04, P-IDEM-10: a retry in one write with the resume finds the message and the other prompt's key", async () => {
    const log = createLog();
    const { sessionId, first } = await inserted(log);
    const { taken, prompt } = counting();
    const { client } = await connectAs(v2Hello, { log, prompt });
    client.send(
      { id: "r", method: "session/resume", params: { sessionId, ...place } },
      { id: "p", method: "session/prompt", params: deploy(sessionId) },
      { id: "q", method: "session/prompt", params: deploy(sessionId, "Other", { idempotencyKey: "k-1" }) },
    );
    expect((await client.answer("p")).result).toEqual(first);
    expect((await client.answer("q")).error).toMatchObject({ code: -32602, data: { reason: "key_reused" } });
    expect(taken).toEqual([]);
  });

  test("P-IDEM-11: survive a compaction, also of a prompt in several pieces", async () => {
    const log = createLog();
    const pieces = ["one", "two"].map((text) => ({ type: "text", text }));
    const { sessionId, first } = await inserted(log, { prompt: pieces });
    const events: SessionEvent[] = [];
    for await (const event of log.read(sessionId)) events.push(event);
    const fewer = await compactEvents(events);
    const compacted: SessionLog = {
      ...log,
      read: async function* () {
        yield* fewer;
      },
    };
    const { client } = await connectAs(v2Hello, { log: compacted });
    await client.result("session/resume", { sessionId, ...place });
    const retry = deploy(sessionId, "", { prompt: pieces });
    expect(await client.result("session/prompt", retry)).toEqual(first);
  });

  test("P-IDEM-07: the client gets nothing of the prompt before the log has it", async () => {
    const log = createLog();
    const stored = gate();
    const asked = gate();
    const slow: SessionLog = {
      ...log,
      async open(id, info) {
        const writer = await log.open(id, info);
        return {
          append: (event) => writer.append(event),
          async commit() {
            asked.open();
            await stored.promise;
            await writer.commit();
          },
          [Symbol.asyncDispose]: () => writer[Symbol.asyncDispose]() as Promise<void>,
        };
      },
    };
    const { client, sessionId } = await openAs(v2Hello, { log: slow });
    const [one, two] = sendAll(client, deploy(sessionId), deploy(sessionId));
    await asked.promise;
    await setImmediate();
    expect(client.updates()).toEqual([]);
    stored.open();
    expect((await client.answer(one)).result).toEqual((await client.answer(two)).result);
    expect(client.updates("user_message")).toHaveLength(1);
  });

  test("P-IDEM-11: are gone with the session", async () => {
    const log = createLog();
    const { sessionId } = await inserted(log);
    const { client } = await connectAs(v2Hello, { log });
    await client.result("session/delete", { sessionId });
    expect(await client.error("session/resume", { sessionId, ...place })).toMatchObject({ code: -32002 });
    expect(await client.error("session/prompt", deploy(sessionId))).toMatchObject({ code: -32002 });
  });
});

test("P-IDEM-07: a prompt that cannot be stored is an error, and its key is free", async () => {
  const log = createMemoryLog();
  const failing: SessionLog = {
    ...log,
    async open(id, info) {
      const writer = await log.open(id, info);
      return {
        append: (event) => writer.append(event),
        commit: () => Promise.reject(new Error("the disk is full")),
        [Symbol.asyncDispose]: () => writer[Symbol.asyncDispose]() as Promise<void>,
      };
    },
  };
  const { taken, prompt } = counting();
  const { client, sessionId } = await openAs(v2Hello, { log: failing, prompt });
  for (let attempt = 0; attempt < 2; attempt += 1) {
    expect(await client.error("session/prompt", deploy(sessionId))).toMatchObject({ code: -32603 });
  }
  expect(taken).toEqual([]);
  expect(client.updates("user_message")).toEqual([]);
  expect(client.updates("state_update").map(({ state }) => state)).not.toContain("running");
});

test("P-IDEM-11: a restore of an open session keeps the keys, also when it fails", async () => {
  let isRefused = false;
  const { client, sessionId } = await openAs(v2Hello, {
    restoreSession() {
      if (isRefused) throw new Error("no");
    },
  });
  const first = await client.result("session/prompt", deploy(sessionId));
  await idles(client);
  for (isRefused of [false, true]) {
    await client.request("session/resume", { sessionId, ...place });
    expect(await client.result("session/prompt", deploy(sessionId))).toEqual(first);
  }
});
