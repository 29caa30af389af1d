import { describe, expect, it } from "vitest";
import { type Contract, createRoutes } from "./index.js";

const anything = {
  "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) },
} as const;

const contract: Contract = {
  "session/prompt": { from: "client", scope: "session", params: anything, result: anything },
  "session/update": { from: "agent", scope: "session", params: anything },
  "mcp/message": {
    from: "agent",
    scope: "connection",
    params: anything,
    result: anything,
    notification: { from: "client", params: anything },
  },
};

const handle = () => undefined;

describe("routes from a contract", () => {
  it("hold what has a handler, with the params of the contract, and nothing else", () => {
    const routes = createRoutes(contract, "agent", { "session/prompt": handle, "session/update": undefined });
    expect(routes("session/prompt")).toEqual({ receive: handle, params: anything });
    expect(routes("session/update")).toBeUndefined();
    expect(routes("constructor")).toBeUndefined();
  });

  it("hand params on unchecked where the contract has no schema for them", () => {
    const unchecked: Contract = { "session/prompt": { from: "client", scope: "session" } };
    expect(createRoutes(unchecked, "agent", { "session/prompt": handle })("session/prompt")).toEqual({
      receive: handle,
    });
  });

  it("V1-EXT-04: take extensions, which begin with _, unchecked", () => {
    expect(createRoutes(contract, "agent", { "_mine/ping": handle })("_mine/ping")).toEqual({ receive: handle });
  });

  it("refuse a handler for what is not in the contract, or what this side sends itself", () => {
    expect(() => createRoutes(contract, "agent", { "session/dance": handle })).toThrow("session/dance");
    expect(() => createRoutes(contract, "agent", { "session/update": handle })).toThrow("sent by the agent");
  });

  it("V2-MCP-05: know a method that one side sends as a request and the other as a notification", () => {
    expect(createRoutes(contract, "client", { "mcp/message": handle })("mcp/message")).toBeDefined();
    expect(createRoutes(contract, "agent", { "mcp/message": handle })("mcp/message")).toBeDefined();
  });
});
