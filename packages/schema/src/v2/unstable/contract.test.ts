import { describe, expect, expectTypeOf, it } from "vitest";
import { type Contract, parse } from "../../index.js";
import { contract } from "../index.js";
import {
  type ForkSessionRequest,
  type Method,
  type ParamsOf,
  proxyContract,
  type ResultOf,
  unstableContract,
} from "./index.js";

const rows: Contract = unstableContract;

describe("the unstable contract of version 2", () => {
  it("adds methods and extends others, without moving them", () => {
    const added = Object.keys(rows).filter((method) => !(method in contract));
    expect(added.toSorted()).toMatchInlineSnapshot(`
      [
        "auth/status",
        "auth/status_update",
        "mcp/message",
        "providers/disable",
        "providers/list",
        "providers/set",
        "session/archive",
        "session/fork",
        "session/set_title",
        "session/status",
        "session/unarchive",
      ]
    `);
    for (const [method, { from, scope }] of Object.entries<Contract[string]>(contract)) {
      expect(rows[method] ?? { from, scope }).toMatchObject({ from, scope });
    }
  });

  it("takes whatever the stable one takes", () => {
    for (const [method, { params }] of Object.entries<Contract[string]>(contract)) {
      const value = {
        protocolVersion: 1,
        info: { name: "a", version: "1" },
        cwd: "/a",
        mcpServers: [],
        sessionId: "s",
      };
      if (!parse(params, value).issues) expect(parse(rows[method]?.params ?? params, value), method).toEqual({ value });
    }
  });

  it("has one method that is a request one way and a notification the other, and keeps proxies apart", () => {
    expect(rows["mcp/message"]).toMatchObject({ from: "agent", notification: { from: "client" } });
    expect(Object.keys(proxyContract)).toEqual(["proxy/initialize", "proxy/successor"]);
    expect(Object.keys(proxyContract).filter((method) => method in rows)).toEqual([]);
  });

  it("gives the types of params and results, stable ones included", () => {
    expectTypeOf<ParamsOf<"session/fork">>().toEqualTypeOf<ForkSessionRequest>();
    expectTypeOf<ResultOf<"session/update">>().toBeNever();
    expectTypeOf<"session/close" | "mcp/message">().toExtend<Method>();
  });
});
