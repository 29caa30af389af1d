import { describe, expect, expectTypeOf, it } from "vitest";
import { parse } from "../index.js";
import { type AuthMethod, authMethod, initializeResponse } from "./index.js";

const agent = { id: "web", name: "Web" };

describe("auth methods", () => {
  it.each([undefined, "agent", "quantum", null])("type %j is one that the agent runs (V1-AUTH-02)", (type) => {
    const method = type === undefined ? agent : { ...agent, type };
    expect(parse(authMethod, method)).toMatchObject({ value: method });
  });

  it("a malformed terminal method is dropped and never becomes one that the agent runs (V1-AUTH-03)", () => {
    const terminal = { type: "terminal", id: "tui", name: "TUI", args: ["login"], env: { A: "1" } };
    const authMethods = [
      agent,
      { ...terminal, args: "login" },
      { ...terminal, env: [{ name: "A", value: "1" }] },
      terminal,
    ];
    expect(parse(initializeResponse, { protocolVersion: 1, authMethods })).toMatchObject({
      value: { authMethods: [agent, terminal] },
      salvaged: [{ path: ["authMethods", 1] }, { path: ["authMethods", 2] }],
    });
  });

  it("null arguments and environment of a terminal method read as empty (V1-LEN-03)", () => {
    expect(parse(authMethod, { type: "terminal", id: "a", name: "b", args: null, env: null })).toMatchObject({
      value: { args: [], env: {} },
    });
  });

  it("narrows by `type`, and an agent method is written without it", () => {
    const login = (method: AuthMethod) => (method.type === "terminal" ? (method.args ?? []) : method.name);
    expect(login({ id: "web", name: "Web" })).toBe("Web");
    expect(login({ type: "terminal", id: "tui", name: "TUI", args: ["x"] })).toEqual(["x"]);
    expectTypeOf<Extract<AuthMethod, { type: "terminal" }>["env"]>().toEqualTypeOf<
      { readonly [key: string]: string } | undefined
    >();
  });
});
