import { createAgent } from "@turnkit/agent";
import { RpcError } from "@turnkit/transport";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { RawHttp } from "./raw-http.js";
import { startRemoteAgent } from "./remote-server.js";

const info = { name: "remote", version: "1.0.0" };

/** An agent that repeats its prompt, asks at `ask`, and has every method that routing treats in its own way. */
const agent = createAgent({
  info,
  newSession() {},
  async prompt(turn) {
    const [block] = turn.prompt;
    const text = block?.type === "text" ? block.text : "";
    if (text === "ask") await turn.toolCall({ title: "Dig" }).requestPermission();
    turn.say(`You said ${text}.`);
  },
  restoreSession: ({ replay }, session) => {
    if (replay) session.emit({ type: "user_message_chunk", content: { type: "text", text: "before" } } as never);
  },
  listSessions: () => ({ sessions: [] }),
  deleteSession() {},
  authMethods: [{ type: "agent", methodId: "key", name: "Key" }],
  login() {
    throw RpcError.authRequired();
  },
});

/** A raw client that is connected to the agent, and reads the stream of its connection. */
async function connected(protocolVersion: 1 | 2 = 1) {
  const remote = await startRemoteAgent(agent);
  const http = new RawHttp(remote.http);
  await http.initialize(protocolVersion);
  return { remote, http, connection: await http.read() };
}

const texts = (frames: readonly { params?: { update?: { content?: { text?: string } } } }[]) =>
  frames.flatMap(({ params }) => params?.update?.content?.text ?? []);

describe("the streams of our agent over HTTP", () => {
  it("V2-REM-01: one stream for the connection and one for each session, as event streams", async () => {
    const { http, connection } = await connected();
    const one = await http.newSession(connection, 1);
    const two = await http.newSession(connection, 2);
    const sessions = [await http.read(one), await http.read(two)];
    for (const { response } of [connection, ...sessions]) {
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("text/event-stream");
      expect(response.headers.get("cache-control")).toBe("no-cache");
      expect(response.headers.get("connection")).toBe("keep-alive");
    }
    await http.prompt(one, 3, "one");
    await http.prompt(two, 4, "two");
    await sessions[0]?.answer(3);
    await sessions[1]?.answer(4);
    expect(sessions.map(({ frames }) => texts(frames))).toEqual([["You said one."], ["You said two."]]);
    expect(connection.frames.map(({ id }) => id)).toEqual([1, 2]);
  });

  it("V2-REM-02: a message is one event of one data line, and a comment keeps a waiting reader alive", async () => {
    vi.useFakeTimers({ toFake: ["setInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const { http, connection } = await connected();
    const id = await http.newSession(connection);
    const session = await http.read(id);
    await http.prompt(id, 2, "line\nbreak");
    await session.answer(2);
    const events = session.text.split("\n\n");
    expect(events.pop()).toBe("");
    expect(events.length).toBe(session.frames.length);
    for (const event of events) expect(event).toMatch(/^data: \{[^\n\r]*\}$/);
    expect(texts(session.frames)).toEqual(["You said line\nbreak."]);

    const before = session.text;
    vi.advanceTimersByTime(14_999);
    await http.prompt(id, 3);
    await session.answer(3);
    expect(session.text).not.toContain("\n:\n");
    vi.advanceTimersByTime(1);
    await session.until(() => session.text.endsWith("\n\n:\n\n"));
    expect(session.text.startsWith(before)).toBe(true);
  });

  it("V2-REM-03: what names a session goes to its stream, with the answers to its calls; the rest to the connection", async () => {
    const { http, connection } = await connected(2);
    const id = await http.newSession(connection, "new");
    const session = await http.read(id);
    await http.send({ id: "list", method: "session/list", params: {} });
    await http.send({ id: "login", method: "auth/login", params: { methodId: "key" } });
    await http.prompt(id, "prompt", "ask");
    const question = await session.call("session/request_permission");
    const cancel = { sessionId: id, toolCallId: question.params.subject.toolCall.toolCallId };
    await http.send({ id: "stop", method: "tool_call/cancel", params: cancel }, id);
    const { optionId } = question.params.options[0];
    const outcome = { outcome: "selected", optionId };
    await http.send({ id: question.id, result: { outcome } }, id);
    await session.next(({ params }) => params?.update?.state === "idle");
    await http.send({ id: "delete", method: "session/delete", params: { sessionId: id } }, id);
    for (const answered of ["prompt", "stop", "delete"]) await session.answer(answered);
    for (const answered of ["new", "list", "login"]) await connection.answer(answered);

    const place = { cwd: "/srv", replayFrom: { type: "start" } };
    const other = await http.read("elsewhere");
    await http.send(
      { id: "resume", method: "session/resume", params: { sessionId: "elsewhere", ...place } },
      "elsewhere",
    );
    expect(await other.answer("resume")).toHaveProperty("result");
    const calls = [...session.frames, ...other.frames].filter(({ method }) => method !== undefined);
    expect(calls.every(({ params }) => params.sessionId === id || params.sessionId === "elsewhere")).toBe(true);
    expect(connection.frames.map((frame) => frame.id)).toEqual(["new", "list", "login"]);
  });

  it("V2-REM-03: the answer of session/load goes to the connection, its replay to the session", async () => {
    const { http, connection } = await connected(1);
    const session = await http.read("old");
    const params = { sessionId: "old", cwd: "/srv", mcpServers: [] };
    await http.send({ id: "load", method: "session/load", params }, "old");
    expect(await connection.answer("load")).toHaveProperty("result");
    await session.call("session/update");
    expect(texts(session.frames)).toEqual(["before"]);
    expect(session.frames.some(({ id }) => id === "load")).toBe(false);
  });

  it("V2-REM-04: a stream without a reader keeps everything for its first reader", async () => {
    const { http, connection } = await connected();
    const id = await http.newSession(connection);
    await http.prompt(id, 2, "one");
    await http.prompt(id, 3, "two");
    const late = await http.read(id);
    await late.answer(3);
    expect(texts(late.frames)).toEqual(["You said one.", "You said two."]);
  });

  it("V2-REM-05: a stream has one reader, and what a reader was given is never given again", async () => {
    const { http, connection } = await connected();
    const id = await http.newSession(connection);
    const first = await http.read(id);
    expect((await http.read(id)).response.status).toBe(409);
    expect((await http.read()).response.status).toBe(409);
    await http.prompt(id, 2, "one");
    await first.answer(2);
    await first.cancel();

    let second = await http.read(id, { "Last-Event-ID": "0" });
    // The server hears that its reader left a moment later.
    while (second.response.status === 409) second = await http.read(id, { "Last-Event-ID": "0" });
    await http.prompt(id, 3, "two");
    await second.answer(3);
    expect(texts(second.frames)).toEqual(["You said two."]);
    expect(first.text + second.text).not.toMatch(/^id:/m);
  });
});
