import { describe, expect, it } from "vitest";
import { seedCodec } from "../dialects.js";
import type { Loss } from "../losses.js";
import { calls } from "./calls.js";

const info = { name: "n", version: "1" };
const allow = { optionId: "y", name: "Yes", kind: "allow_once" } as const;

describe("the calls of seed", () => {
  it("V2-SEED-24: the answer to the hello has the older names and marks", () => {
    const lost: Loss[] = [];
    const result = {
      protocolVersion: 2,
      info,
      capabilities: {
        load: true,
        resume: false,
        list: true,
        close: true,
        delete: false,
        additionalDirectories: false,
        logout: false,
        prompt: { image: true, audio: false, embeddedContext: false },
        mcp: { stdio: true, http: false, sse: false },
      },
      authMethods: [
        { type: "agent", methodId: "web", name: "Web" },
        { type: "terminal", methodId: "tui", name: "TUI", args: [], env: [] },
      ],
    } as const;
    const wire = calls.initialize.encodeResult(result, undefined, (loss) => lost.push(loss));
    expect(wire).toEqual({
      protocolVersion: 2,
      agentInfo: info,
      capabilities: {
        session: { load: {}, list: {}, close: {}, prompt: { image: {} }, mcp: { stdio: {} } },
        auth: { logout: {} },
      },
      authMethods: [{ type: "agent", id: "web", methodId: "web", name: "Web" }],
    });
    expect(lost).toEqual([{ id: "auth-method", to: "seed", event: "initialize", entity: "tui" }]);
    expect(calls.initialize.decodeResult(wire)).toMatchObject({
      dialect: "seed",
      info,
      capabilities: { load: true, resume: false, list: true, logout: true },
    });
  });

  it("3.1: methods have their older names, and calls that came later are none", () => {
    expect(calls.login.method).toBe("authenticate");
    expect(calls.logout.method).toBe("logout");
    expect(calls.loadSession.method).toBe("session/load");
    for (const name of ["setMode", "setModel", "elicit", "cancelToolCall", "cancelTerminal"] as const) {
      expect(seedCodec.call[name]).toBeUndefined();
    }
  });

  it("V2-SEED-05: every list is written", () => {
    expect(calls.newSession.encodeParams({ cwd: "/" })).toEqual({ cwd: "/", mcpServers: [] });
    const mcpServers = [
      { type: "stdio", name: "a", command: "/a" },
      { type: "http", name: "b", url: "https://b" },
    ] as const;
    expect(calls.loadSession.encodeParams({ sessionId: "s", cwd: "/", mcpServers })).toEqual({
      sessionId: "s",
      cwd: "/",
      mcpServers: [
        { ...mcpServers[0], args: [], env: [] },
        { ...mcpServers[1], headers: [] },
      ],
    });
  });

  it("V2-SEED-22: custom ends pass, an error has to be an error response", () => {
    const lost: Loss[] = [];
    const write = (stopReason: string) =>
      calls.prompt.encodeResult({ stopReason: stopReason as "end_turn" }, undefined, (loss) => lost.push(loss));
    expect(write("_out")).toEqual({ stopReason: "_out" });
    expect(lost).toEqual([]);
    write("error");
    expect(lost).toEqual([{ id: "stop-reason", to: "seed", event: "prompt", entity: "error" }]);
    expect(calls.prompt.decodeResult({ stopReason: "end_turn" })).toEqual({ stopReason: "end_turn" });
  });

  it("V2-BRG-07, V2-SEED-23: a question is about a tool call, one of its own if need be", () => {
    const lost: string[] = [];
    const question = { sessionId: "s", title: "Run it?", options: [allow] };
    const subject = { type: "command", command: "make", cwd: "/srv" } as const;
    const asked = calls.askPermission.encodeParams({ ...question, subject }, ({ id }) => lost.push(id));
    expect(asked).toMatchObject({ toolCall: { title: "Run it?", kind: "execute" }, options: [allow] });
    expect(lost).toEqual(["permission"]);
    const toolCall = { toolCallId: "t", title: "Run it?", status: "paused", rawInput: null } as const;
    const about = { ...question, subject: { type: "tool_call", toolCall } } as const;
    expect(calls.askPermission.encodeParams(about, ({ id }) => lost.push(id))).toEqual({
      sessionId: "s",
      toolCall,
      options: [allow],
    });
    expect(lost).toEqual(["permission"]);
    expect(calls.askPermission.decodeParams(calls.askPermission.encodeParams(about))).toEqual(about);
  });

  it("V2-SEED-05: an option is set by a value that says its type beside it", () => {
    const params = { sessionId: "s", configId: "c", value: "x" };
    expect(calls.setConfigOption.encodeParams(params)).toEqual({ ...params, type: "id" });
    expect(calls.setConfigOption.decodeParams(params)).toEqual(params);
    const option = { configId: "c", name: "C", type: "boolean", currentValue: true } as const;
    expect(calls.setConfigOption.encodeResult({ configOptions: [option] })).toMatchObject({
      configOptions: [{ id: "c", type: "select", currentValue: "on" }],
    });
  });
});
