import { describe, expect, it } from "vitest";
import { type Case, expectOutcome, fine } from "../../../test/outcome.js";
import type { Contract } from "../../contract.js";
import {
  agentCapabilities,
  mcpServer,
  messageMcpNotification,
  messageMcpRequest,
  messageMcpResponse,
  newSessionRequest,
  unstableContract,
} from "./index.js";

describe("MCP through the protocol (V1-UNST-08)", () => {
  const server = { type: "acp", name: "n", serverId: "1" };
  const call = { serverId: "1", requestId: "r", method: "tools/list" };
  const error = { code: -32_601, message: "m" };

  it.each<Case>([
    ["is offered", agentCapabilities, { mcpCapabilities: { acp: true } }, fine],
    ["a server", mcpServer, server, fine],
    ["a server of a session", newSessionRequest, { cwd: "/a", mcpServers: [server] }, fine],
    ["a server without its id", mcpServer, { type: "acp", name: "n" }, { refused: ["serverId"] }],
    ["a call", messageMcpRequest, call, fine],
    ["a call with params", messageMcpRequest, { ...call, params: { cursor: "a" } }, fine],
    ["a call with null for them", messageMcpRequest, { ...call, params: null }, fine],
    ["a call with positional params", messageMcpRequest, { ...call, params: [] }, { refused: ["params"] }],
    ["a call with a number for its id", messageMcpRequest, { ...call, requestId: 7 }, { refused: ["requestId"] }],
    ["a call of nothing", messageMcpRequest, { serverId: "1", requestId: "r" }, { refused: ["method"] }],
    ["a notification", messageMcpNotification, { ...call, method: "notifications/progress" }, fine],
    [
      "a notification about no call",
      messageMcpNotification,
      { ...call, requestId: undefined },
      { refused: ["requestId"] },
    ],
    ["a result", messageMcpResponse, { result: { tools: [] } }, fine],
    ["null as the result", messageMcpResponse, { result: null }, fine],
    ["an error", messageMcpResponse, { error: { ...error, data: [1] } }, fine],
    ["an error beside a result, which counts", messageMcpResponse, { result: null, error: "bad" }, fine],
    ["an error without its code", messageMcpResponse, { error: { message: "m" } }, { refused: ["error.code"] }],
    ["an error with half a code", messageMcpResponse, { error: { ...error, code: 0.5 } }, { refused: ["error.code"] }],
    ["neither", messageMcpResponse, {}, { refused: ["result"] }],
  ])("%s", (_, schema, value, outcome) => expectOutcome(schema, value, outcome));

  it("is asked by the agent and told by the client", () => {
    const row: Contract[string] = unstableContract["mcp/message"];
    expect([row.from, row.notification?.from]).toEqual(["agent", "client"]);
  });
});
