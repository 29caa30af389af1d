import { describe, expect, it } from "vitest";
import { type Case, expectOutcome, fine } from "../../test/outcome.js";
import { parse } from "../index.js";
import {
  listSessionsRequest,
  listSessionsResponse,
  loadSessionRequest,
  mcpServer,
  newSessionRequest,
  newSessionResponse,
  resumeSessionRequest,
  sessionInfo,
} from "./index.js";

const start = { cwd: "/srv/app", mcpServers: [] };
const stdio = { name: "notes", command: "/bin/notes", args: [], env: [] };

describe("starting and restoring sessions", () => {
  it("needs `mcpServers` on new and load, not on resume (V1-SESS-01, V1-SESS-19, V1-SESS-26)", () => {
    expect(parse(newSessionRequest, { cwd: "/a" }).issues).toMatchObject([{ path: ["mcpServers"] }]);
    expect(parse(loadSessionRequest, { cwd: "/a", sessionId: "s" }).issues).toMatchObject([{ path: ["mcpServers"] }]);
    expect(parse(resumeSessionRequest, { cwd: "/a", sessionId: "s" }).issues).toBeUndefined();
  });

  it("null for `mcpServers` and `additionalDirectories` reads as none (V1-LEN-03, V1-SESS-09)", () => {
    expect(parse(newSessionRequest, { cwd: "/a", mcpServers: null, additionalDirectories: null })).toMatchObject({
      value: { cwd: "/a", mcpServers: [], additionalDirectories: [] },
      salvaged: [{ path: ["additionalDirectories"] }, { path: ["mcpServers"] }],
    });
    expect(parse(resumeSessionRequest, { cwd: "/a", sessionId: "s", mcpServers: null })).toMatchObject({
      value: { mcpServers: [] },
    });
  });

  it("never drops roots or servers: a bad one fails the request (V1-LEN-05, V1-SESS-10, V1-SESS-18)", () => {
    expect(parse(newSessionRequest, { ...start, additionalDirectories: ["/b", 5] }).issues).toMatchObject([
      { path: ["additionalDirectories", 1] },
    ]);
    expect(parse(newSessionRequest, { cwd: "/a", mcpServers: [stdio, { ...stdio, args: [1] }] }).issues).toMatchObject([
      { path: ["mcpServers", 1, "args", 0] },
    ]);
    expect(parse(newSessionRequest, { ...start, cwd: null }).issues).toHaveLength(1);
  });

  it("reads malformed modes, config options and models as absent (V1-SESS-02)", () => {
    const read = parse(newSessionResponse, {
      sessionId: "s",
      modes: { currentModeId: 1 },
      configOptions: {},
      models: [],
    });
    expect(read).toMatchObject({ value: { sessionId: "s" } });
    expect("value" in read && Object.keys(read.value)).toEqual(["sessionId"]);
    expect(parse(newSessionResponse, { sessionId: "s", modes: null, configOptions: null, models: null })).toEqual({
      value: { sessionId: "s", modes: null, configOptions: null, models: null },
    });
    expect(parse(newSessionResponse, { sessionId: 5 }).issues).toHaveLength(1);
  });

  it("drops bad modes and models from their lists (V1-LEN-04, V1-MODEL-01)", () => {
    const modes = { currentModeId: "a", availableModes: [{ id: "a", name: "A" }, { id: "b" }] };
    const models = { currentModelId: "m", availableModels: [{ modelId: "m", name: "M" }, 5] };
    expect(parse(newSessionResponse, { sessionId: "s", modes, models })).toMatchObject({
      value: { modes: { availableModes: [{ id: "a" }] }, models: { availableModels: [{ modelId: "m" }] } },
    });
    expect(parse(newSessionResponse, { sessionId: "s", modes: { currentModeId: "a" } })).toMatchObject({
      value: { sessionId: "s" },
      salvaged: [{ path: ["modes"] }],
    });
  });
});

describe("MCP servers", () => {
  it.each([{}, { type: "stdio" }, { type: "other" }, { type: null }])(
    "with %j and a command is one to start",
    (more) => {
      expect(parse(mcpServer, { ...stdio, ...more })).toMatchObject({ value: { ...stdio, ...more } });
    },
  );

  it("with an unknown type and no command is an error (V1-SESS-18)", () => {
    expect(parse(mcpServer, { type: "acp", name: "n", serverId: "x" }).issues?.length).toBeGreaterThan(0);
  });

  it("with type http or sse needs an address and headers (V1-SESS-14)", () => {
    for (const type of ["http", "sse"]) {
      expect(parse(mcpServer, { type, name: "n", url: "https://x.test", headers: null })).toMatchObject({
        value: { headers: [] },
      });
      expect(parse(mcpServer, { type, name: "n", url: "https://x.test" }).issues).toMatchObject([
        { path: ["headers"] },
      ]);
      expect(parse(mcpServer, { ...stdio, type }).issues?.length).toBeGreaterThan(0);
    }
  });
});

describe("listing sessions", () => {
  it("takes an empty request and is strict about the filter and cursor (V1-SESS-28)", () => {
    expect(parse(listSessionsRequest, {})).toEqual({ value: {} });
    expect(parse(listSessionsRequest, { cwd: null, cursor: null }).issues).toBeUndefined();
    expect(parse(listSessionsRequest, { cwd: 5 }).issues).toHaveLength(1);
    expect(parse(listSessionsRequest, { cursor: 5 }).issues).toHaveLength(1);
  });

  it("drops bad sessions, and a malformed cursor ends the paging (V1-SESS-29, V1-SESS-31)", () => {
    const good = { sessionId: "s", cwd: "/a", title: null };
    const sessions = [good, { sessionId: "t" }, { ...good, additionalDirectories: ["/b", 5], updatedAt: 5 }];
    const read = parse(listSessionsResponse, { sessions, nextCursor: 7 });
    expect(read).toMatchObject({ value: { sessions: [good, { ...good, additionalDirectories: ["/b"] }] } });
    expect("value" in read && "nextCursor" in read.value).toBe(false);
    expect(parse(listSessionsResponse, {}).issues).toHaveLength(1);
    expect(parse(listSessionsResponse, { sessions: null })).toMatchObject({ value: { sessions: [] } });
  });
});

describe("a session in the list (V1-SESS-30)", () => {
  const least = { sessionId: "s", cwd: "/a" };

  it.each<Case>([
    ["its id and folder", sessionInfo, least, fine],
    [
      "everything",
      sessionInfo,
      { ...least, additionalDirectories: ["/b"], title: "T", updatedAt: "2026-01-01T00:00:00Z" },
      fine,
    ],
    ["nulls", sessionInfo, { ...least, title: null, updatedAt: null }, fine],
    [
      "garbage",
      sessionInfo,
      { ...least, additionalDirectories: "/b", title: 5, updatedAt: 5 },
      { salvaged: ["additionalDirectories", "title", "updatedAt"], as: least },
    ],
    [
      "a folder that is none, among others",
      sessionInfo,
      { ...least, additionalDirectories: ["/b", null] },
      { salvaged: ["additionalDirectories.1"], as: { ...least, additionalDirectories: ["/b"] } },
    ],
    ["no id", sessionInfo, { cwd: "/a" }, { refused: ["sessionId"] }],
    ["no folder", sessionInfo, { sessionId: "s" }, { refused: ["cwd"] }],
  ])("%s", (_, schema, value, outcome) => expectOutcome(schema, value, outcome));
});
