import { contract } from "@turnkit/schema/v1";
import { describe, expect, it } from "vitest";
import type { Calls, ClientCapabilities } from "../../call.js";
import type { Loss } from "../losses.js";
import { calls } from "./calls.js";

type CallName = keyof typeof calls;

const everything: ClientCapabilities = {
  files: { read: true, write: true },
  terminals: true,
  terminalLogin: true,
  elicitation: { form: true, url: true },
  notices: true,
  compaction: true,
  booleanOptions: true,
  subagents: false,
  plans: false,
};
const info = { name: "n", version: "1", title: "N" };
const place = {
  cwd: "/srv",
  additionalDirectories: ["/lib"],
  mcpServers: [
    { type: "stdio", name: "a", command: "/a", args: ["x"], env: [{ name: "K", value: "v" }] },
    { type: "http", name: "b", url: "https://b", headers: [] },
  ],
} as const;
const options = [
  {
    configId: "mode",
    name: "Mode",
    category: "mode",
    type: "select",
    currentValue: "ask",
    options: [{ value: "ask", name: "Ask" }],
  },
  { configId: "fast", name: "Fast", type: "boolean", currentValue: true },
] as const;
const own = { ...options[0], setBy: "session/set_mode" } as const;
const toolCall = { toolCallId: "t", title: "Edit", status: "pending" } as const;
const allow = { optionId: "y", name: "Yes", kind: "allow_once" } as const;

/** One example of params and result for each call that comes back as it was. */
const examples: { readonly [K in CallName]: readonly [Calls[K]["params"], Calls[K]["result"]] } = {
  initialize: [
    { protocolVersion: 1, info, capabilities: everything },
    {
      protocolVersion: 1,
      info,
      capabilities: {
        load: true,
        resume: true,
        list: true,
        close: true,
        delete: true,
        additionalDirectories: true,
        logout: true,
        prompt: { image: true, audio: true, embeddedContext: true },
        mcp: { stdio: true, http: true, sse: true },
      },
      authMethods: [
        { type: "agent", methodId: "web", name: "Web" },
        { type: "terminal", methodId: "tui", name: "TUI", args: ["login"], env: [{ name: "A", value: "1" }] },
      ],
    },
  ],
  login: [{ methodId: "web" }, {}],
  logout: [{}, {}],
  listSessions: [
    { cwd: "/srv", cursor: "" },
    { sessions: [{ sessionId: "s", cwd: "/srv", title: null, updatedAt: "2026-11-21T00:00:00Z" }], nextCursor: "" },
  ],
  closeSession: [{ sessionId: "s" }, {}],
  deleteSession: [{ sessionId: "s" }, {}],
  elicit: [
    {
      mode: "form",
      message: "Who?",
      requestedSchema: { type: "object", properties: { name: { type: "string", minLength: 1 } }, required: ["name"] },
      scope: { sessionId: "s", toolCallId: "t" },
    },
    { action: "accept", content: { name: "Ada" } },
  ],
  completeElicitation: [{ elicitationId: "e" }, {}],
  newSession: [place, { sessionId: "s", configOptions: options }],
  loadSession: [{ ...place, sessionId: "s" }, { configOptions: [own] }],
  resumeSession: [{ ...place, sessionId: "s" }, {}],
  prompt: [{ sessionId: "s", prompt: [{ type: "text", text: "hi" }] }, { stopReason: "end_turn" }],
  setConfigOption: [{ sessionId: "s", configId: "fast", value: true }, { configOptions: options }],
  setMode: [{ sessionId: "s", value: "ask" }, {}],
  setModel: [{ sessionId: "s", value: "m" }, {}],
  askPermission: [
    { sessionId: "s", title: "Edit", subject: { type: "tool_call", toolCall }, options: [allow] },
    { outcome: { outcome: "selected", optionId: "y" } },
  ],
};

describe("the calls of version 1", () => {
  it.each(Object.keys(examples) as CallName[])("%s comes back as it was, and is valid on the wire", (name) => {
    const codec = calls[name] as (typeof calls)["prompt"];
    const [params, result] = examples[name] as (typeof examples)["prompt"];
    const wire = [codec.encodeParams(params), codec.encodeResult(result, everything)] as const;
    expect(codec.decodeParams(JSON.parse(JSON.stringify(wire[0])))).toEqual(params);
    expect(codec.decodeResult(JSON.parse(JSON.stringify(wire[1])))).toEqual(result);
    const route = Object.entries(contract).find(([method]) => method === codec.method)?.[1] as unknown as {
      readonly params: typeof contract.initialize.params;
      readonly result: typeof contract.initialize.result;
    };
    expect(route?.params["~standard"].validate(wire[0])).toEqual({ value: wire[0] });
    if (name === "completeElicitation") return;
    expect(route?.result["~standard"].validate(wire[1])).toEqual({ value: wire[1] });
  });

  it("V1-INIT-09: marks are objects, booleans are true, everything else is no", () => {
    const capabilities = { loadSession: {}, sessionCapabilities: { list: true, resume: {}, close: null }, auth: 1 };
    const { capabilities: read } = calls.initialize.decodeResult({
      protocolVersion: 1,
      agentCapabilities: capabilities,
    });
    expect(read).toMatchObject({ load: false, list: false, resume: true, close: false, logout: false });
    expect(calls.initialize.decodeParams({ protocolVersion: 1 })).toMatchObject({
      info: { name: "unknown", version: "unknown" },
      capabilities: { terminals: false, booleanOptions: false, files: { read: false } },
    });
  });

  it("V1-AUTH-02, V1-AUTH-03: unknown types are the agent's own, broken terminal ones are dropped", () => {
    const authMethods = [
      { id: "a", name: "A", type: "passkey" },
      { id: "b", name: "B", type: "terminal", args: null, env: null },
      { id: "c", name: "C", type: "terminal", args: [1] },
      { id: "d", name: "D", type: "terminal", env: [{ name: "X", value: "1" }] },
    ];
    expect(calls.initialize.decodeResult({ protocolVersion: 1, authMethods }).authMethods).toEqual([
      { type: "agent", methodId: "a", name: "A" },
      { type: "terminal", methodId: "b", name: "B", args: [], env: [] },
    ]);
  });

  it("V1-SESS-14: servers over stdio have no type, and modes become an option", () => {
    expect(
      calls.newSession.encodeParams({ cwd: "/", mcpServers: [{ type: "stdio", name: "a", command: "/a" }] }),
    ).toEqual({
      cwd: "/",
      mcpServers: [{ name: "a", command: "/a", args: [], env: [] }],
    });
    expect(calls.newSession.encodeParams({ cwd: "/" })).toEqual({ cwd: "/", mcpServers: [] });
  });

  it("V1-MODE-07, V1-MODEL-01: modes and models are options unless there are such options", () => {
    const modes = { currentModeId: "ask", availableModes: [{ id: "ask", name: "Ask" }, 5] };
    const models = { currentModelId: "m", availableModels: [{ modelId: "m", name: "M", description: "d" }] };
    expect(calls.newSession.decodeResult({ sessionId: "s", modes, models }).configOptions).toEqual([
      own,
      {
        configId: "model",
        name: "Model",
        category: "model",
        setBy: "session/set_model",
        type: "select",
        currentValue: "m",
        options: [{ value: "m", name: "M", description: "d" }],
      },
    ]);
    const configOptions = [{ id: "mine", name: "M", category: "mode", type: "select", currentValue: "x", options: [] }];
    expect(calls.newSession.decodeResult({ sessionId: "s", modes, configOptions }).configOptions).toMatchObject([
      { configId: "mine" },
    ]);
    expect(calls.newSession.decodeResult({ sessionId: "s" })).toEqual({ sessionId: "s" });
    expect(calls.newSession.encodeResult({ sessionId: "s", configOptions: options }, everything)).toMatchObject({
      modes: { currentModeId: "ask", availableModes: [{ id: "ask", name: "Ask" }] },
      configOptions: [{ id: "mode" }, { id: "fast", type: "boolean" }],
    });
  });

  it("V1-MODEL-06: a peer of 2025 says none of what came later, and calls the metadata of a mode's answer meta", () => {
    expect(calls.initialize.decodeResult({ protocolVersion: 1 })).toMatchObject({
      info: { name: "unknown" },
      capabilities: { load: false, resume: false, list: false, prompt: { image: false } },
      authMethods: [],
    });
    expect(calls.newSession.decodeResult({ sessionId: "s" })).toEqual({ sessionId: "s" });
    expect(calls.prompt.decodeResult({ stopReason: "end_turn" })).toEqual({ stopReason: "end_turn" });
    expect(calls.setMode.decodeResult({ meta: { a: 1 } })).toEqual({ _meta: { a: 1 } });
    expect(calls.setMode.decodeResult({ _meta: { b: 2 }, meta: { a: 1 } })).toEqual({ _meta: { b: 2 } });
    expect(calls.setMode.decodeResult({ meta: "x", later: 1 })).toEqual({ later: 1 });
  });

  it("V1-CFG-04: a client that did not ask for boolean options gets selects", () => {
    expect(calls.newSession.encodeResult({ sessionId: "s", configOptions: [options[1]] })).toMatchObject({
      configOptions: [{ id: "fast", type: "select", currentValue: "on" }],
    });
  });

  it("V1-RPC-08: null is an empty answer", () => {
    expect(calls.loadSession.decodeResult(null as never)).toEqual({});
    expect(calls.setMode.decodeResult(null as never)).toEqual({});
  });

  it("V2-INIT-19: a client of a later version is read under later names, where it says no older ones", () => {
    const later = { protocolVersion: 2, info, capabilities: { auth: { terminal: {} }, elicitation: { url: {} } } };
    expect(calls.initialize.decodeParams(later)).toMatchObject({
      info,
      capabilities: { terminalLogin: true, elicitation: { form: false, url: true }, booleanOptions: true },
    });
    const both = { ...later, clientInfo: info, clientCapabilities: { terminal: true } };
    expect(calls.initialize.decodeParams(both).capabilities).toMatchObject({ terminals: true, terminalLogin: false });
  });

  it("V2-BRG-13: names what a call loses", () => {
    const lost: (readonly [string, string, string?])[] = [];
    const onLoss = ({ id, event, entity }: Loss): void => void lost.push(entity ? [id, event, entity] : [id, event]);
    const wire = calls.initialize.decodeResult({ protocolVersion: 1 });
    const passkey = { type: "passkey" as never, methodId: "p", name: "P" };
    expect(calls.initialize.encodeResult({ ...wire, authMethods: [passkey] }, undefined, onLoss)).toMatchObject({
      authMethods: [],
    });
    const replayFrom = { type: "start" } as const;
    calls.resumeSession.encodeParams({ sessionId: "s", cwd: "/", replayFrom }, onLoss);
    calls.setConfigOption.encodeResult({ configOptions: [options[1]] }, undefined, onLoss);
    calls.prompt.encodeResult({ stopReason: "error" }, undefined, onLoss);
    const paused = { toolCallId: "t", title: "Edit", status: "paused", rawInput: null } as const;
    const subject = { type: "tool_call", toolCall: paused } as const;
    calls.askPermission.encodeParams({ sessionId: "s", title: "Sure?", subject, options: [allow] }, onLoss);
    expect(lost).toEqual([
      ["unknown", "initialize", "p"],
      ["replay-from", "resumeSession", "start"],
      ["boolean-option", "setConfigOption", "fast"],
      ["stop-reason", "prompt", "error"],
      ["tool-call-status", "askPermission", "t"],
      ["tool-call-clear", "askPermission", "t"],
      ["permission", "askPermission", "t"],
    ]);
  });

  it("V2-BRG-08: a custom stop reason goes as end_turn", () => {
    expect(calls.prompt.encodeResult({ stopReason: "_paused" as never })).toEqual({
      stopReason: "end_turn",
      _meta: { "turnkit.stopReason": "_paused" },
    });
  });

  it("V2-BRG-07: a question about no tool call gets a call of its own", () => {
    const question = {
      sessionId: "s",
      title: "Run it?",
      description: "Once.",
      subject: { type: "command", command: "make", cwd: "/srv" },
      options: [allow, { ...allow, optionId: "z", kind: "_later" as never }],
    } as const;
    const wire = calls.askPermission.encodeParams(question) as { toolCall: { toolCallId: string } };
    expect(wire).toMatchObject({
      toolCall: {
        title: "Run it?",
        kind: "execute",
        content: [{ content: { text: "Once." } }, { content: { text: "make\n(in /srv)" } }],
      },
      options: [allow],
    });
    expect(wire.toolCall.toolCallId).toMatch(/^permission:/);
    expect(calls.askPermission.decodeParams(wire)).toMatchObject({ title: "Run it?" });
  });

  it("V1-PERM-07: whatever is not a choice is no approval", () => {
    for (const outcome of [{ outcome: "granted", optionId: "y" }, { outcome: "selected" }, undefined, 1]) {
      expect(calls.askPermission.decodeResult({ outcome })).toEqual({ outcome: { outcome: "cancelled" } });
    }
  });
});
