import { describe, expect, test } from "vitest";
import { type AgentHandlers, createMemoryLog } from "../src/index.js";
import { clientInfo, connectAs, v2Hello } from "./raw-client.js";

const hellos = { v1: { protocolVersion: 1, clientInfo }, v2: v2Hello };
const session = { sessionId: "s", cwd: "/work" };

const list = async (hello: object, page: unknown) => {
  const handlers = { restoreSession() {}, listSessions: () => page } as Partial<AgentHandlers>;
  const { client, diagnostics } = await connectAs(hello, handlers);
  const { error } = await client.request("session/list", {});
  return { error, diagnostics };
};

describe.each(Object.entries(hellos))("defect N140: a page of listSessions in %s", (_, hello) => {
  test.each<[string, object, string]>([
    [
      "a cursor of another name",
      { sessions: [session], next_cursor: "2" },
      "The option next_cursor of the result of listSessions is not used: there is no such option. Do you mean nextCursor?",
    ],
    [
      "a member of a session with another name",
      { sessions: [session, { ...session, updated_at: "2026-01-01T00:00:00Z" }, { ...session, updated_at: "" }] },
      "The option updated_at of a session of listSessions is not used: there is no such option. Do you mean updatedAt?",
    ],
    [
      "a member of the agent's own",
      { sessions: [{ ...session, model: "m" }] },
      "The option model of a session of listSessions is not used: there is no such option. Pass own members in _meta.",
    ],
    [
      "relative folders",
      {
        sessions: [
          { ...session, cwd: "b" },
          { ...session, cwd: "~/c" },
        ],
      },
      'The cwd "b" of a session of listSessions is relative. Return an absolute path.',
    ],
    [
      "a time of another form",
      { sessions: [{ ...session, updatedAt: String(new Date(0)) }] },
      "of a session of listSessions is not a time of RFC 3339. Return date.toISOString().",
    ],
  ])("is sent and reported for %s", async (_, page, message) => {
    const { error, diagnostics } = await list(hello, page);
    expect(error).toBeUndefined();
    expect(diagnostics).toMatchObject([{ code: "unused_option", message: expect.stringContaining(message) }]);
  });

  test.each<[string, object, string]>([
    [
      "a Date",
      { updatedAt: new Date(0) },
      "The result of listSessions session 1 updatedAt got an object of another form: return date.toISOString().",
    ],
    ["a time as a number", { updatedAt: 5 }, "session 1 updatedAt got 5: return date.toISOString()."],
    [
      "a title that is no text",
      { title: { text: "x" } },
      "session 1 title got an object of another form: return a text.",
    ],
    [
      "a folder in place of a list",
      { additionalDirectories: "/lib" },
      'session 1 additionalDirectories got "/lib": return a list of paths.',
    ],
  ])("is refused for %s", async (_, members, message) => {
    const { error, diagnostics } = await list(hello, { sessions: [session, { ...session, ...members }] });
    expect(error).toMatchObject({ code: -32603 });
    expect(diagnostics).toMatchObject([{ code: "handler_failed", message: expect.stringContaining(message) }]);
  });

  test("is not reported if every member has its form", async () => {
    const full = { ...session, title: null, updatedAt: null, additionalDirectories: ["/lib"], _meta: { a: 1 } };
    const dated = { ...session, title: "t", updatedAt: new Date(0).toISOString(), extra: undefined };
    const { error, diagnostics } = await list(hello, { sessions: [full, dated], nextCursor: null, _meta: {} });
    expect({ error, diagnostics }).toEqual({ error: undefined, diagnostics: [] });
  });

  test("is checked at its first 100 sessions, and reported with each mistake once", async () => {
    const many = Array.from({ length: 300 }, (_, at) => ({ ...session, ...(at < 100 ? { modle: 1 } : { late: 1 }) }));
    const { diagnostics } = await list(hello, { sessions: many });
    expect(diagnostics.map(({ message }) => message)).toEqual([expect.stringContaining("The option modle of")]);
  });
});

describe.each(Object.entries(hellos))("with a log, in %s", (_, hello) => {
  test.each([
    ["/work", "/work/"],
    ["/work/", "/work"],
    ["c:\\work", "C:/work/"],
  ])("defect N157: a session of %s is listed for %s, because a restore takes both", async (cwd, asked) => {
    const { client } = await connectAs(hello, { log: createMemoryLog() });
    const { sessionId } = await client.result("session/new", { cwd, mcpServers: [] });
    expect(await client.result("session/list", { cwd: asked })).toMatchObject({ sessions: [{ sessionId, cwd }] });
    expect(await client.result("session/list", { cwd: `${asked}x` })).toMatchObject({ sessions: [] });
  });
});

test("defect N152: a log in memory whose pages have no sessions is refused", () => {
  expect(() => createMemoryLog({ pageSize: 0 })).toThrow("createMemoryLog pageSize got 0: pass a number above 0");
});

test("defect R25: the open sessions of an agent without a log are also listed for a folder with a slash", async () => {
  const { client } = await connectAs(hellos.v2, {});
  const { sessionId } = await client.result("session/new", { cwd: "/work", mcpServers: [] });
  expect(await client.result("session/list", { cwd: "/work/" })).toMatchObject({ sessions: [{ sessionId }] });
  expect(await client.result("session/list", { cwd: "/work/x" })).toMatchObject({ sessions: [] });
});
