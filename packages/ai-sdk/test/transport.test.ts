import { messageText, type SessionState } from "@turnkit/session";
import { describe, expect, test, vi } from "vitest";
import { type AcpUIMessage, selectMessages } from "../src/index.js";
import { chatOver, read, shortly, user } from "./chat.js";
import { call, open, openSession, openV2, output, patch, say, think } from "./conversation.js";

const running = { sessionUpdate: "state_update", state: "running", background: [] };
const idle = { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" };
const textsOf = (state: SessionState) =>
  [...state.timeline].map((entry) => (entry.type === "message" ? messageText(entry) : entry.type));

describe("a turn", () => {
  test.each([
    ["end_turn", "stop"],
    ["max_tokens", "length"],
    ["max_turn_requests", "other"],
    ["refusal", "content-filter"],
  ])("with the stop reason %s finishes as %s", async (stopReason, finishReason) => {
    const { agent, session } = await openSession();
    const reading = await chatOver(session).ask("Hi");
    await agent.answer(await agent.call("session/prompt"), { stopReason });
    const { finish, message } = await reading.done;
    expect(finish).toEqual({ type: "finish", finishReason });
    expect(message.metadata).toEqual({ stopReason });
  });

  test("ends with the error of the agent, after its last words", async () => {
    const { agent, session } = await openSession();
    const reading = await chatOver(session).ask("Hi");
    const prompt = await agent.call("session/prompt");
    await agent.update(say("I try."));
    await agent.refuse(prompt, -32603, "No model");
    const { errors, finish, message } = await reading.done;
    expect(errors).toEqual(["No model"]);
    expect(finish).toMatchObject({ finishReason: "error" });
    expect(message).toMatchObject({
      metadata: { stopReason: "error", error: { code: -32603 } },
      parts: [{ state: "done" }],
    });
  });

  test("whose prompt the client refuses rejects", async () => {
    const { session } = await openV2();
    const image = { type: "file" as const, mediaType: "image/png", url: "data:image/png;base64,aGk=" };
    await expect(chatOver(session).send([user("Hi", image)])).rejects.toMatchObject({ code: "capability" });
  });

  test("whose connection is lost fails as chats expect it of a network", async () => {
    const { agent, session } = await openSession();
    const reading = await chatOver(session).ask("Hi");
    await agent.call("session/prompt");
    await agent.update(say("I"));
    await agent.close();
    await expect(reading.done).rejects.toThrow(TypeError);
    await expect(reading.done).rejects.toThrow(/network/);
    expect(reading.chunks).toContainEqual({ type: "text-delta", id: "m1", delta: "I" });
  });

  test("is cancelled by the signal, and shows its unfinished calls as cancelled", async () => {
    const { agent, session } = await openSession();
    const stop = new AbortController();
    const reading = await chatOver(session).ask("Hi", stop.signal);
    const prompt = await agent.call("session/prompt");
    await agent.update(call("c1", { status: "in_progress" }));
    stop.abort();
    await agent.call("session/cancel");
    await agent.answer(prompt, { stopReason: "cancelled" });
    const { message, chunks } = await reading.done;
    expect(message.parts).toMatchObject([{ state: "output-error", errorText: "cancelled" }]);
    expect(chunks.map(({ type }) => type).slice(-2)).toEqual(["abort", "finish"]);
  });

  test("is cancelled by the signal of a later request too, and a signal that has aborted sends nothing", async () => {
    const { agent, session } = await openSession();
    const chat = chatOver(session);
    const reading = await chat.ask("Hi");
    await agent.call("session/prompt");
    await agent.ask("q");
    const { message } = await reading.done;
    const stop = new AbortController();
    await chat.send([message], stop.signal);
    stop.abort();
    await agent.call("session/cancel");
    await expect(chat.send([user("More")], stop.signal)).rejects.toMatchObject({ name: "AbortError" });
    expect(agent.count("session/prompt")).toBe(1);
  });

  test("goes on without its reader", async () => {
    const { agent, session } = await openSession();
    const stream = await chatOver(session).send([user("Hi")]);
    const prompt = await agent.call("session/prompt");
    await stream.cancel();
    await agent.update(say("Still here."));
    await agent.answer(prompt, { stopReason: "end_turn" });
    expect(agent.count("session/cancel")).toBe(0);
    expect(textsOf(session.state)).toEqual(["Hi", "Still here."]);
  });

  test("sends texts and files of the newest message only", async () => {
    const { agent, session } = await openSession();
    const file = (mediaType: string, url: string, filename?: string) => ({
      type: "file" as const,
      mediaType,
      url,
      filename,
    });
    const earlier: AcpUIMessage = { id: "a", role: "assistant", parts: [{ type: "text", text: "Hello." }] };
    const newest = user(
      "Look",
      file("image/png", "data:image/png;base64,aGk="),
      file("audio/wav", "data:audio/wav;base64,aGk="),
      file("text/plain", "data:text/plain;base64,aGk=", "notes 1.txt"),
      file("text/html", "https://example.org/page", "page"),
      { type: "text", text: "" },
      { type: "data-acp-plan", id: "main", data: null },
    );
    await chatOver(session).send([user("Hi"), earlier, newest]);
    const { params } = await agent.call("session/prompt");
    expect(params.prompt).toEqual([
      { type: "image", data: "aGk=", mimeType: "image/png" },
      { type: "audio", data: "aGk=", mimeType: "audio/wav" },
      { type: "resource", resource: { uri: "attachment:notes%201.txt", blob: "aGk=", mimeType: "text/plain" } },
      { type: "resource_link", uri: "https://example.org/page", name: "page", mimeType: "text/html" },
      { type: "text", text: "Look" },
    ]);
  });

  test("cannot be had again", async () => {
    const { transport } = chatOver((await openSession()).session);
    const again = { chatId: "chat", messageId: "m", abortSignal: undefined, messages: [user("Hi")] };
    await expect(transport.sendMessages({ ...again, trigger: "regenerate-message" })).rejects.toThrow(
      /send a new message/,
    );
  });

  test("of each chat is one of its session", async () => {
    const one = await openSession();
    const asked: string[] = [];
    const chat = chatOver((chatId) => {
      asked.push(chatId);
      return one.session;
    });
    await chat.ask("Hi");
    await one.agent.call("session/prompt");
    expect(asked).toEqual(["chat"]);
  });
});

describe("reconnectToStream", () => {
  test("is null while nothing works", async () => {
    const { agent, session } = await openSession();
    const chat = chatOver(session);
    expect(await chat.reconnect()).toBeNull();
    const reading = await chat.ask("Hi");
    await agent.answer(await agent.call("session/prompt"), { stopReason: "end_turn" });
    await reading.done;
    expect(await chat.reconnect()).toBeNull();
  });

  const diff = { type: "diff", path: "/a", oldText: "a", newText: "b" };
  const turn = [
    ...[think("Let "), think("me see."), say("I "), call("c1", { kind: "edit", status: "in_progress" })],
    patch("c1", { content: [diff] }),
    { sessionUpdate: "plan", entries: [{ content: "Look", priority: "high", status: "pending" }] },
    patch("c1", { status: "completed", content: [diff, ...output("ok")] }),
    ...[say("edit", "m2"), say("ed.", "m2"), { sessionUpdate: "usage_update", used: 1, size: 9 }],
  ];

  test("at every event of a turn has the whole answer, without gap or double", async () => {
    const { agent, session } = await openSession();
    const chat = chatOver(session);
    const readings = [await chat.ask("Hi")];
    const prompt = await agent.call("session/prompt");
    for (const update of turn) {
      readings.push(read((await chat.transport.reconnectToStream({ chatId: "chat" })) as never));
      await agent.update(update);
    }
    readings.push(read((await chat.transport.reconnectToStream({ chatId: "chat" })) as never));
    await agent.answer(prompt, { stopReason: "end_turn" });
    const results = await Promise.all(readings.map(({ done }) => done));
    const [first] = results;
    expect(shortly(first?.message ?? user(""))).toEqual([
      ...["reasoning done: Let me see.", "text done: I ", "edit output-available", "data-acp-diff c1/0"],
      ...["data-acp-plan main", "text done: edited.", "data-acp-usage usage"],
    ]);
    for (const { message, errors } of results) {
      expect(errors).toEqual([]);
      expect(message.id).toBe(first?.message.id);
      expect(message.metadata).toEqual(first?.message.metadata);
      expect(sorted(message)).toEqual(sorted(first?.message as AcpUIMessage));
    }
  });

  /** Parts without their order: a plan that came before the last text is sent after it, because the state has no order of both. */
  const sorted = ({ parts }: AcpUIMessage) => parts.map((part) => JSON.stringify(part)).sort();

  test("after a reload begins with what the restored session has, under the same id, and goes on", async () => {
    const v2 = { protocolVersion: 2, info: { name: "a", version: "1" }, capabilities: { session: {} } };
    const { agent, client } = await open({}, v2);
    const restoring = client.restore("s-1", { cwd: "/work" });
    const resume = await agent.call("session/resume");
    const prompt = (text: string, messageId: string) => ({
      ...{ sessionUpdate: "user_message", messageId, content: [{ type: "text", text }] },
    });
    await agent.update(prompt("One", "u-1"), say("First.", "m0"), prompt("Two", "u-2"), think("Hm"), say("Sec"));
    await agent.update({ sessionUpdate: "replay_complete" }, running);
    await agent.answer(resume, {});
    const outcome = await restoring;
    if (outcome.status === "unavailable") throw outcome.error;
    const { session } = outcome;
    const history = selectMessages(session.state);
    expect(history.map(({ id, role }) => `${role} ${id}`)).toEqual([
      ...["user u-1", "assistant s-1/1", "user u-2", "assistant s-1/2"],
    ]);

    const chat = chatOver(session);
    expect(chat.transport.resumeStreamIsReplay).toBe(true);
    const reading = await chat.reconnect();
    await vi.waitFor(() => expect(reading?.chunks.length).toBeGreaterThan(3));
    await agent.update(say("ond."), idle);
    const result = await reading?.done;
    expect(result?.message.id).toBe("s-1/2");
    expect(shortly(result?.message ?? user(""))).toEqual(["reasoning done: Hm", "text done: Second."]);
    expect(result?.finish).toMatchObject({ finishReason: "stop" });
    expect(shortly(history[3] as AcpUIMessage)).toEqual(["reasoning done: Hm", "text streaming: Sec"]);
    expect(selectMessages(session.state)[3]?.parts).toEqual(result?.message.parts);
  });
});

describe("selectMessages", () => {
  test("has the conversation that the streams had", async () => {
    const { agent, session } = await openSession();
    const chat = chatOver(session);
    const shown: AcpUIMessage[] = [];
    for (const [text, ...updates] of [
      ["One", say("a", "m1"), call("c1", { status: "completed", content: output("x") }), say("b", "m2")],
      ["Two", say("c", "m3")],
    ] as const) {
      const reading = await chat.ask(text);
      const prompt = await agent.call("session/prompt");
      for (const update of updates) await agent.update(update);
      await agent.answer(prompt, { stopReason: "end_turn" });
      shown.push((await reading.done).message);
    }
    const messages = JSON.parse(JSON.stringify(selectMessages(session.state)));
    expect(messages).toMatchObject([
      ...[
        { role: "user", parts: [{ type: "text", text: "One" }] },
        { id: shown[0]?.id, parts: shown[0]?.parts },
      ],
      ...[
        { role: "user", parts: [{ type: "text", text: "Two" }] },
        { id: shown[1]?.id, parts: shown[1]?.parts },
      ],
    ]);
  });

  test("of an empty conversation is empty", async () => {
    expect(selectMessages((await openSession()).session.state)).toEqual([]);
  });

  test("has the images of the user", async () => {
    const { session } = await openSession();
    void session.prompt([{ type: "image", data: "aGk=", mimeType: "image/png" }]).ended.catch(() => undefined);
    expect(selectMessages(session.state)[0]?.parts).toMatchObject([
      { type: "file", url: "data:image/png;base64,aGk=" },
    ]);
  });
});
