import { describe, expect, it } from "vitest";
import { type Case, expectOutcome, fine } from "../../../test/outcome.js";
import type { Contract } from "../../contract.js";
import {
  contract,
  initializeProxyRequest,
  initializeProxyResponse,
  initializeRequest,
  initializeResponse,
  type ProxySuccessorRequest,
  proxyContract,
  proxySuccessorNotification,
  proxySuccessorRequest,
  proxySuccessorResponse,
  unstableContract,
} from "./index.js";

const hello = { protocolVersion: 2, info: { name: "a", version: "1" } };
const wrapped = { method: "session/new", params: { cwd: "/a", _meta: { inner: 1 } }, _meta: { outer: 1 } };

describe("proxies (V2-EXT-09)", () => {
  it("are greeted like agents", () => {
    expect(initializeProxyRequest).toBe(initializeRequest);
    expect(initializeProxyResponse).toBe(initializeResponse);
  });

  it("have methods that nobody else has: in both directions, asked and told", () => {
    const rows: Contract = proxyContract;
    expect(rows["proxy/initialize"]).toMatchObject({ from: "client", scope: "connection" });
    expect(rows["proxy/successor"]).toMatchObject({ from: "both", notification: { from: "both" } });
    for (const method of Object.keys(rows)) expect({ ...contract, ...unstableContract }).not.toHaveProperty([method]);
  });

  it.each<Case>([
    ["a greeting", initializeProxyRequest, hello, fine],
    ["a greeting without a version", initializeProxyRequest, { info: hello.info }, { refused: ["protocolVersion"] }],
    ["an answer of the chain", initializeProxyResponse, { ...hello, capabilities: { session: { fork: {} } } }, fine],
    ["a request to the next one", proxySuccessorRequest, wrapped, fine],
    ["positional params", proxySuccessorRequest, { method: "_x", params: [1] }, fine],
    ["no params", proxySuccessorRequest, { method: "_x", params: null }, fine],
    [
      "a bad outer `_meta`, which is not the inner one",
      proxySuccessorRequest,
      { ...wrapped, _meta: 5 },
      { salvaged: ["_meta"], as: { method: wrapped.method, params: wrapped.params } },
    ],
    ["nothing to call", proxySuccessorRequest, { params: {} }, { refused: ["method"] }],
    ["a notification", proxySuccessorNotification, { method: "session/cancel", params: { sessionId: "s" } }, fine],
    ...[null, 0, "a", [], { stopReason: "end_turn" }].map(
      (result): Case => [
        `${JSON.stringify(result)} as the result of the next one, unchanged`,
        proxySuccessorResponse,
        result,
        fine,
      ],
    ),
  ])("%s", (_, schema, value, outcome) => expectOutcome(schema, value, outcome));

  it("params are written as JSON-RPC has them", () => {
    const list: ProxySuccessorRequest = { method: "_x", params: [1] };
    // @ts-expect-error neither an object nor a list
    const text: ProxySuccessorRequest = { method: "_x", params: "a" };
    expect([list, text]).toHaveLength(2);
  });
});
