import { describe, expect, it } from "vitest";
import { type Case, expectOutcome, fine } from "../../../test/outcome.js";
import type { Contract } from "../../contract.js";
import { mcpServerStdio } from "../index.js";
import {
  mcpErrorCodes,
  mcpServer,
  messageMcpNotification,
  messageMcpRequest,
  messageMcpResponse,
  unstableContract,
} from "./index.js";

const call = { serverId: "1", requestId: "r-1", method: "tools/list" };
const inner = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "a", version: "1" },
};

describe("MCP through the protocol", () => {
  it.each<Case>([
    ["V2-MCP-06 a call", messageMcpRequest, call, fine],
    [
      "V2-MCP-06 the same call again, which nothing here forbids to another server",
      messageMcpRequest,
      { ...call, serverId: "2" },
      fine,
    ],
    [
      "V2-MCP-06 a number for its id: it is no id of JSON-RPC",
      messageMcpRequest,
      { ...call, requestId: 1 },
      { refused: ["requestId"] },
    ],
    ["V2-MCP-06 no id", messageMcpRequest, { ...call, requestId: undefined }, { refused: ["requestId"] }],
    ["V2-MCP-06 no server", messageMcpRequest, { ...call, serverId: undefined }, { refused: ["serverId"] }],
    [
      "V2-MCP-06 a notification names the call that it belongs to",
      messageMcpNotification,
      { ...call, method: "notifications/progress", params: {} },
      fine,
    ],
    [
      "V2-MCP-06 a notification about nothing",
      messageMcpNotification,
      { ...call, requestId: undefined },
      { refused: ["requestId"] },
    ],
    ["V2-MCP-07 a result", messageMcpResponse, { result: null }, fine],
    [
      "V2-MCP-07 the server's own error is a result of the call through",
      messageMcpResponse,
      { error: { code: -32_601, message: "m" } },
      fine,
    ],
    ["V2-MCP-07 neither", messageMcpResponse, {}, { refused: ["result"] }],
    [
      "V2-MCP-08 metadata of the call and of the call through",
      messageMcpRequest,
      { ...call, params: { _meta: inner }, _meta: { trace: 1 } },
      fine,
    ],
    [
      "V2-MCP-08 garbage for the metadata of the call is the server's matter",
      messageMcpRequest,
      { ...call, params: { _meta: 5 } },
      fine,
    ],
    ["V2-MCP-08 positional params", messageMcpRequest, { ...call, params: [] }, { refused: ["params"] }],
    [
      "V2-MCP-08 a server as the older draft names it",
      mcpServer,
      { type: "acp", name: "n", acpId: "1" },
      { refused: ["serverId"] },
    ],
    [
      "V2-MCP-08 a call as the older draft names it",
      messageMcpRequest,
      { connectionId: "1", method: "tools/list" },
      { refused: ["serverId", "requestId"] },
    ],
  ])("%s", (_, schema, value, outcome) => expectOutcome(schema, value, outcome));

  it("has one method, to be asked by the agent and told by the client; those of the older draft are gone (V2-MCP-08)", () => {
    const methods = Object.keys(unstableContract).filter((method) => method.startsWith("mcp/"));
    expect(methods).toEqual(["mcp/message"]);
    const row: Contract[string] = unstableContract["mcp/message"];
    expect([row.from, row.notification?.from]).toEqual(["agent", "client"]);
  });

  it("has codes for what goes wrong on the way (V2-MCP-07)", () => {
    expect(mcpErrorCodes).toEqual({ tooManyRequests: -33_000, serverUnavailable: -33_001, backendFailed: -33_002 });
  });
});

describe("the environment of a server to start (V2-MCP-04)", () => {
  const server = { name: "n", command: "/n" };

  it("may name a variable twice: all of it comes, in its order, so that the last can win", () => {
    const env = [
      { name: "A", value: "1" },
      { name: "B", value: "2" },
      { name: "A", value: "3" },
    ];
    expectOutcome(mcpServerStdio, { ...server, env }, fine);
  });

  it.each<Case>([
    ["a variable without a value", mcpServerStdio, { ...server, env: [{ name: "A" }] }, { refused: ["env.0.value"] }],
    [
      "a value that is a number",
      mcpServerStdio,
      { ...server, env: [{ name: "A", value: 1 }] },
      { refused: ["env.0.value"] },
    ],
    ["a map", mcpServerStdio, { ...server, env: { A: "1" } }, { refused: ["env"] }],
  ])("%s", (_, schema, value, outcome) => expectOutcome(schema, value, outcome));
});
