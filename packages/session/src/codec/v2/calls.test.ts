import { contract } from "@turnkit/schema/v2";
import { describe, expect, it } from "vitest";
import type { Calls, ClientCapabilities } from "../../call.js";
import type { Loss } from "../losses.js";
import { calls } from "./calls.js";

type CallName = keyof typeof calls;

const capabilities: ClientCapabilities = {
  files: { read: false, write: false },
  terminals: false,
  terminalLogin: true,
  elicitation: { form: true, url: false },
  notices: true,
  compaction: true,
  booleanOptions: true,
  subagents: true,
  plans: true,
};
const info = { name: "n", version: "1", title: "N" };
const place = {
  cwd: "/srv",
  additionalDirectories: ["/lib"],
  mcpServers: [
    { type: "stdio", name: "a", command: "/a", args: ["x"], env: [{ name: "K", value: "v" }] },
    { type: "http", name: "b", url: "https://b" },
  ],
} as const;
const lists = {
  configOptions: [{ configId: "fast", name: "Fast", type: "boolean", currentValue: true }],
  availableCommands: [{ type: "command", name: "go", description: "Go" }],
} as const;
const toolCall = { toolCallId: "t", title: "Edit", status: "pending", rawInput: null } as const;
const allow = { optionId: "y", name: "Yes", kind: "allow_once" } as const;

/** One example of params and result for each call that comes back as it was. */
const examples: { readonly [K in CallName]: readonly [Calls[K]["params"], Calls[K]["result"]] } = {
  initialize: [
    { protocolVersion: 2, info, capabilities, dialect: "v2" },
    {
      protocolVersion: 2,
      info,
      capabilities: {
        load: true,
        resume: true,
        list: true,
        close: true,
        delete: true,
        additionalDirectories: false,
        logout: true,
        prompt: { image: true, audio: false, embeddedContext: true },
        mcp: { stdio: true, http: false, sse: false },
      },
      authMethods: [
        { type: "agent", methodId: "web", name: "Web" },
        { type: "terminal", methodId: "tui", name: "TUI", args: ["login"], env: [{ name: "A", value: "1" }] },
      ],
      dialect: "v2",
    },
  ],
  login: [{ methodId: "web" }, {}],
  logout: [{}, {}],
  newSession: [place, { sessionId: "s", ...lists }],
  loadSession: [{ ...place, sessionId: "s" }, lists],
  resumeSession: [{ ...place, sessionId: "s", replayFrom: { type: "start" } }, {}],
  listSessions: [{ cursor: "" }, { sessions: [{ sessionId: "s", cwd: "/srv" }], nextCursor: null }],
  closeSession: [{ sessionId: "s" }, {}],
  deleteSession: [{ sessionId: "s" }, {}],
  prompt: [{ sessionId: "s", prompt: [{ type: "text", text: "hi" }] }, { messageId: "u" }],
  setConfigOption: [{ sessionId: "s", configId: "fast", value: true }, { configOptions: lists.configOptions }],
  askPermission: [
    {
      sessionId: "s",
      title: "May I?",
      description: "Once.",
      subject: { type: "tool_call", toolCall },
      options: [allow],
    },
    { outcome: { outcome: "selected", optionId: "y" } },
  ],
  elicit: [
    { mode: "url", message: "Log in", elicitationId: "e", url: "https://a", scope: { requestId: 3 } },
    { action: "accept" },
  ],
  completeElicitation: [{ elicitationId: "e" }, {}],
  cancelToolCall: [{ sessionId: "s", toolCallId: "t" }, {}],
  cancelTerminal: [{ sessionId: "s", terminalId: "r" }, {}],
};

describe("the calls of version 2", () => {
  it.each(Object.keys(examples) as CallName[])("%s comes back as it was, and is valid on the wire", (name) => {
    const codec = calls[name] as (typeof calls)["login"];
    const [params, result] = examples[name] as (typeof examples)["login"];
    const wire = [codec.encodeParams(params), codec.encodeResult(result, capabilities)] as const;
    expect(codec.decodeParams(JSON.parse(JSON.stringify(wire[0])))).toEqual(params);
    expect(codec.decodeResult(JSON.parse(JSON.stringify(wire[1])))).toEqual(result);
    const route = Object.entries(contract).find(([method]) => method === codec.method)?.[1] as unknown as {
      readonly params: typeof contract.initialize.params;
      readonly result?: typeof contract.initialize.result;
    };
    expect(route?.params["~standard"].validate(wire[0])).toEqual({ value: wire[0] });
    if (route.result) expect(route.result["~standard"].validate(wire[1])).toEqual({ value: wire[1] });
  });

  it("V2-INIT-18: the hello speaks to a version 1 agent too, unless it is told not to", () => {
    const params = { protocolVersion: 2, info, capabilities: { ...capabilities, files: { read: true, write: false } } };
    expect(calls.initialize.encodeParams(params)).toMatchObject({
      info,
      clientInfo: info,
      capabilities: { auth: { terminal: {} }, elicitation: { form: {} } },
      clientCapabilities: { fs: { readTextFile: true, writeTextFile: false }, auth: { terminal: true } },
    });
    const plain = calls.initialize.encodeParams({ ...params, plain: true });
    expect(Object.keys(plain)).toEqual(["protocolVersion", "info", "capabilities"]);
  });

  it("V2-INIT-12, V2-INIT-16: what is an object is offered, and sessions bring the rest", () => {
    const read = (capabilities: object) => calls.initialize.decodeResult({ protocolVersion: 2, info, capabilities });
    expect(read({ session: { delete: true, prompt: { image: {}, audio: null } } }).capabilities).toMatchObject({
      load: true,
      close: true,
      delete: false,
      logout: false,
      prompt: { image: true, audio: false },
      mcp: { stdio: false },
    });
    expect(read({}).capabilities).toMatchObject({ sessions: false, load: false, list: false });
  });

  it("V2-AUTH-01, V2-AUTH-04: a way to log in brings the way out; unknown ones stay as they came", () => {
    const authMethods = [
      { type: "passkey", methodId: "p", name: "P", rp: 1 },
      { type: "terminal", methodId: "t", name: "T", env: 5 },
      { id: "old", name: "Old" },
    ];
    const read = calls.initialize.decodeResult({ protocolVersion: 2, info, authMethods });
    expect(read.authMethods).toEqual([
      { type: "passkey", methodId: "p", name: "P", rp: 1 },
      { type: "agent", methodId: "old", name: "Old" },
    ]);
    expect(read.capabilities.logout).toBe(true);
  });

  it("V2-SEED-04: an agent of the seed draft shows by what it says", () => {
    const dialectOf = (result: object) => calls.initialize.decodeResult({ protocolVersion: 2, ...result }).dialect;
    expect(dialectOf({ info })).toBe("v2");
    expect(dialectOf({ agentInfo: info })).toBe("seed");
    expect(dialectOf({ capabilities: { session: { load: {} } } })).toBe("seed");
    expect(dialectOf({ authMethods: [{ type: "agent", id: "a", name: "A" }] })).toBe("seed");
    expect(dialectOf({})).toBe("v2");
    const seed = calls.initialize.decodeResult({
      protocolVersion: 2,
      agentInfo: info,
      capabilities: { session: { list: {} }, auth: { logout: {} } },
    });
    expect(seed).toMatchObject({ info, capabilities: { load: false, list: true, resume: false, logout: true } });
  });

  it("V2-SEED-20: so does a client", () => {
    expect(calls.initialize.decodeParams({ protocolVersion: 2, clientInfo: info })).toMatchObject({
      info,
      dialect: "seed",
      capabilities: { notices: false, booleanOptions: false },
    });
    expect(calls.initialize.decodeParams({ protocolVersion: 2, info }).dialect).toBe("v2");
  });

  it("V2-SES-08, V2-SES-09: a replay is asked for by name, and an odd wish is not taken for none", () => {
    expect(calls.loadSession.encodeParams({ sessionId: "s", cwd: "/" })).toMatchObject({
      replayFrom: { type: "start" },
    });
    expect(calls.resumeSession.encodeParams({ sessionId: "s", cwd: "/" })).not.toHaveProperty("replayFrom");
    const read = (replayFrom: unknown) => calls.resumeSession.decodeParams({ sessionId: "s", cwd: "/", replayFrom });
    expect(read(null).replayFrom).toBeUndefined();
    expect(read({ type: "cursor", at: 3 }).replayFrom).toEqual({ type: "cursor", at: 3 });
    expect(read(5).replayFrom).toEqual({ type: "" });
  });

  it("V2-SEED-02: a prompt's answer is read by its shape", () => {
    const read = calls.prompt.decodeResult;
    expect(read({ messageId: "u" })).toEqual({ messageId: "u" });
    expect(read({ stopReason: "_out", messageId: "u" })).toEqual({ stopReason: "_out", messageId: "u" });
    expect(read({})).toEqual({});
    expect(read(null as never)).toEqual({});
  });

  it("V2-CFG-03, V2-CFG-04: values say their type; one of an unknown type is told apart", () => {
    const set = { sessionId: "s", configId: "c" };
    expect(calls.setConfigOption.encodeParams({ ...set, value: "x" })).toEqual({ ...set, type: "id", value: "x" });
    const read = (wire: object) => calls.setConfigOption.decodeParams({ ...set, ...wire });
    expect(read({ value: "x" })).toEqual({ ...set, value: "x" });
    expect(read({ type: "dial", value: 3 })).toEqual({ ...set, value: "", type: "dial" });
    expect(read({ type: "boolean", value: "on" })).toMatchObject({ type: "boolean" });
  });

  it("V2-PERM-03, V2-SEED-06: subjects of every sort, and seed's tool call", () => {
    const command = { type: "command", command: "make", cwd: "/srv", terminalId: "r" } as const;
    const ask = (wire: object) => calls.askPermission.decodeParams({ sessionId: "s", options: [allow], ...wire });
    expect(ask({ title: "T", subject: command }).subject).toEqual(command);
    expect(ask({ title: "T", subject: { type: "spell", rune: 1 } }).subject).toEqual({ type: "spell", rune: 1 });
    expect(ask({ title: "T", subject: null }).subject).toBeUndefined();
    expect(ask({ toolCall: { toolCallId: "t", name: "edit" } })).toMatchObject({
      title: "edit",
      subject: { type: "tool_call", toolCall: { toolCallId: "t" } },
    });
  });

  it("V2-PERM-09, V2-EXT-05: whatever is not a choice is no approval", () => {
    for (const outcome of [{ outcome: "granted", optionId: "y" }, { outcome: "selected" }, undefined, null, 1]) {
      expect(calls.askPermission.decodeResult({ outcome })).toEqual({ outcome: { outcome: "cancelled" } });
    }
    expect(calls.askPermission.decodeResult(null as never)).toEqual({ outcome: { outcome: "cancelled" } });
  });

  it("V2-ELI-03, V2-ELI-05: unknown modes stay as they came, unknown answers are cancels", () => {
    const read = calls.elicit.decodeParams({ mode: "_scan", message: "M", beam: 1, sessionId: "s" });
    expect(read).toEqual({ mode: "_scan", message: "M", beam: 1, scope: { sessionId: "s" } });
    expect(calls.elicit.encodeParams(read)).toEqual({ mode: "_scan", message: "M", beam: 1, sessionId: "s" });
    expect(calls.elicit.decodeResult({ action: "maybe", content: {} })).toEqual({ action: "cancel" });
    expect(calls.elicit.decodeResult({ action: "decline", content: {} })).toEqual({ action: "decline" });
  });

  it("V2-MCP-02, V2-BRG-11: servers over SSE are left out and named", () => {
    const lost: Loss[] = [];
    const mcpServers = [{ type: "sse", name: "old", url: "https://a" }] as const;
    expect(calls.newSession.encodeParams({ cwd: "/", mcpServers }, (loss) => lost.push(loss))).toEqual({ cwd: "/" });
    expect(lost).toEqual([{ id: "mcp-server", to: "v2", event: "newSession", entity: "old" }]);
  });

  it("V2-DEC-03: null lists of a place are empty ones", () => {
    const server = { type: "stdio", name: "a", command: "/a", args: null, env: null };
    const read = calls.newSession.decodeParams({ cwd: "/", additionalDirectories: null, mcpServers: [server] });
    expect(read).toEqual({ cwd: "/", mcpServers: [{ type: "stdio", name: "a", command: "/a" }] });
  });
});
