import { describe, expect, test, vi } from "vitest";
import { type AgentHandlers, type AgentSession, MAX_TITLE_LENGTH, RpcError, type SessionInfo } from "../src/index.js";
import { clientInfo, connectAs, type RawClient, v2Hello } from "./raw-client.js";

const v1Hello = { protocolVersion: 1, clientInfo };
const place = { cwd: "/work", mcpServers: [] };

/** An agent that keeps what it is told of its sessions, with two of them to a page. */
function keepsSessions(more: Partial<AgentHandlers> = {}) {
  const kept = new Map<string, SessionInfo>();
  const keep = ({ id, cwd, state }: AgentSession) =>
    void kept.set(id, { sessionId: id, cwd, ...(state.title != null && { title: state.title }) });
  const handlers: Partial<AgentHandlers> = {
    newSession: (_, session) => keep(session),
    prompt(turn) {
      turn.session.setTitle("Fix the parser");
      keep(turn.session);
    },
    restoreSession({ sessionId }) {
      if (!kept.has(sessionId)) throw RpcError.resourceNotFound({ sessionId });
    },
    deleteSession(sessionId) {
      if (!kept.delete(sessionId)) throw RpcError.resourceNotFound({ sessionId });
    },
    listSessions({ cursor }) {
      const ids = [...kept.keys()];
      const from = cursor == null ? 0 : ids.indexOf(cursor);
      if (from < 0) throw RpcError.invalidParams("there is no such cursor");
      const next = ids[from + 2];
      const sessions = [...kept.values()].slice(from, from + 2);
      return next === undefined ? { sessions } : { sessions, nextCursor: next };
    },
    ...more,
  };
  return { kept, handlers };
}

const listed = async (client: RawClient, params: object = {}): Promise<string[]> =>
  (await client.result("session/list", params)).sessions.map(({ sessionId }: SessionInfo) => sessionId);

describe("session/list", () => {
  test("V1-SESS-32: a page at a time by the agent's cursors; a bad one is -32602", async () => {
    const { client } = await connectAs(v1Hello, keepsSessions().handlers);
    const ids = [await client.newSession(), await client.newSession(), await client.newSession()];
    const first = await client.result("session/list");
    expect(first.sessions).toHaveLength(2);
    expect(await client.result("session/list", { cursor: first.nextCursor })).toEqual({
      sessions: [{ sessionId: ids[2], cwd: "/work" }],
    });
    expect(await listed(client)).toEqual(ids.slice(0, 2));
    expect(await client.error("session/list", { cursor: "nonsense" })).toMatchObject({ code: -32602 });
  });

  test.each([
    ["v1", v1Hello],
    ["v2", v2Hello],
  ])("V1-SESS-29: only an absolute folder can be asked for (%s)", async (_, hello) => {
    const { client } = await connectAs(hello, keepsSessions().handlers);
    await client.newSession();
    for (const cwd of ["work", "", "/wo\0rk"]) {
      expect(await client.error("session/list", { cwd })).toMatchObject({ code: -32602 });
    }
    expect(await listed(client, { cwd: "/work" })).toHaveLength(1);
    expect(await client.error("session/new", { ...place, cwd: "/wo\0rk" })).toMatchObject({ code: -32602 });
  });

  test("V1-SESS-32: what the runtime lists by itself is paged too, and its cursors outlive their sessions", async () => {
    const { client } = await connectAs(v2Hello, {});
    const ids: string[] = [];
    for (let n = 0; n < 201; n++) ids.push(await client.newSession());
    const { sessions, nextCursor: first } = await client.result("session/list");
    expect(sessions).toHaveLength(100);
    await client.result("session/close", { sessionId: ids[99] });
    const { nextCursor: second } = await client.result("session/list", { cursor: first });
    expect(await listed(client, { cursor: first })).toEqual(ids.slice(100, 200));
    expect(await client.result("session/list", { cursor: second })).toEqual({
      sessions: [{ sessionId: ids[200], cwd: "/work" }],
    });
    for (const cursor of ["", "0", "-1", "202", "1.5", "x"]) {
      expect(await client.error("session/list", { cursor })).toMatchObject({ code: -32602 });
    }
  });

  test("V1-SESS-33: it opens and changes nothing; what it names is gone on with by load", async () => {
    const restoreSession = vi.fn();
    const { handlers } = keepsSessions();
    const writer = await connectAs(v1Hello, handlers);
    const sessionId = await writer.client.newSession();
    const { client } = await connectAs(v1Hello, { ...handlers, restoreSession });
    expect(await listed(client)).toEqual([sessionId]);
    expect(restoreSession).not.toHaveBeenCalled();
    expect(client.updates()).toEqual([]);
    expect((await client.ask(sessionId)).error).toMatchObject({ code: -32002 });
    await client.result("session/load", { sessionId, ...place });
    expect((await client.ask(sessionId)).result).toEqual({ stopReason: "end_turn" });
  });

  test.each([
    ["with", { additionalDirectories: true }, { additionalDirectories: ["/lib"] }],
    ["without", {}, {}],
  ])(
    "V1-SESS-33: directories are told by agents %s the capability only so",
    async (_, sessionCapabilities, directories) => {
      const session = { sessionId: "s", cwd: "/work" };
      const { client } = await connectAs(v1Hello, {
        sessionCapabilities,
        listSessions: () => ({ sessions: [{ ...session, additionalDirectories: ["/lib"] }], nextCursor: "n" }),
      });
      expect(await client.result("session/list")).toEqual({
        sessions: [{ ...session, ...directories }],
        nextCursor: "n",
      });
    },
  );

  test("V1-UPD-28: a title shows in later lists, and what tells it tells nothing else", async () => {
    const { client } = await connectAs(v1Hello, keepsSessions().handlers);
    const sessionId = await client.newSession();
    await client.ask(sessionId);
    expect(client.updates()).toEqual([{ sessionUpdate: "session_info_update", title: "Fix the parser" }]);
    await client.result("session/close", { sessionId });
    expect((await client.result("session/list")).sessions).toEqual([
      { sessionId, cwd: "/work", title: "Fix the parser" },
    ]);
  });

  test("V1-UPD-28: titles are kept short, between two characters", async () => {
    const { client } = await connectAs(v1Hello, {
      newSession(_, session) {
        for (const title of ["t".repeat(500), "t".repeat(501), `${"t".repeat(498)}😀😀`]) session.setTitle(title);
      },
    });
    await client.newSession();
    await client.update("session_info_update", 2);
    const titles = client.updates("session_info_update").map(({ title }) => title);
    expect(titles).toEqual(["t".repeat(500), `${"t".repeat(499)}…`, `${"t".repeat(498)}…`]);
    expect(titles.every((title) => title.length <= MAX_TITLE_LENGTH)).toBe(true);
  });
});

describe("the life of a session", () => {
  test("V1-SESS-38: closed is not deleted: it is listed, loaded and resumed", async () => {
    const { client } = await connectAs(v1Hello, keepsSessions().handlers);
    const sessionId = await client.newSession();
    for (const method of ["session/load", "session/resume"]) {
      await client.result("session/close", { sessionId });
      expect(await listed(client)).toEqual([sessionId]);
      await client.result(method, { sessionId, ...place });
      expect((await client.ask(sessionId)).result).toEqual({ stopReason: "end_turn" });
    }
  });

  test.each([
    ["version 1", v1Hello],
    ["version 2", v2Hello],
  ])("V1-SESS-40 V1-SESS-41: deleted is not listed any more, and deleting it again succeeds: %s", async (_, hello) => {
    const { handlers } = keepsSessions();
    const { client } = await connectAs(hello, handlers);
    const [kept, gone] = [await client.newSession(), await client.newSession()];
    expect(await client.result("session/delete", { sessionId: gone })).toEqual({});
    expect(await listed(client)).toEqual([kept]);
    expect((await client.ask(String(gone))).error).toMatchObject({ code: -32002 });
    for (const sessionId of [gone, "never"]) {
      expect(await client.result("session/delete", { sessionId })).toEqual({});
    }
    const refuses = { ...handlers, deleteSession: () => Promise.reject(new Error("disk")) };
    const { client: other } = await connectAs(hello, refuses);
    expect(await other.error("session/delete", { sessionId: "s" })).toMatchObject({ code: -32603 });
  });
});
