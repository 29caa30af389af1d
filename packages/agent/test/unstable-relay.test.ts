import { mcpErrorCodes } from "@turnkit/schema/v2/unstable";
import type { Connection, InboundCall } from "@turnkit/transport";
import { describe, expect, test } from "vitest";
import { serveContract, versions } from "./merged-contract.js";
import type { Frame } from "./raw-client.js";

const place = { cwd: "/a", mcpServers: [] };

describe.each(versions)("P-MCP-01: MCP through %s", (_, contract) => {
  const call = { serverId: "1", requestId: "r", method: "tools/list" };
  const ask = ({ connection }: { connection: Connection }, params: object = call, signal?: AbortSignal) => {
    const result = contract["mcp/message"]?.result;
    return connection.request("mcp/message", params, { ...(result && { result }), ...(signal && { signal }) });
  };

  test("V1-UNST-08 V2-MCP-06: ids are the caller's own and say nothing about those of the messages", async () => {
    const reported: unknown[] = [];
    const served = serveContract(contract, { "mcp/message": (params: unknown) => void reported.push(params) });
    const { client } = served;
    const answers = [ask(served), ask(served, { ...call, serverId: "2" })];
    const [first, second] = [await client.call("mcp/message"), await client.call("mcp/message", 1)];
    expect(first.id).not.toBe(second.id);
    expect([first.params.requestId, second.params.requestId]).toEqual(["r", "r"]);
    client.notify("mcp/message", { ...call, method: "notifications/progress", params: { progress: 1 } });
    client.notify("mcp/message", { ...call, requestId: 5 });
    client.reply(second, { error: { code: -32601, message: "no tools" } });
    client.reply(first, { result: null });
    expect(await Promise.all(answers)).toEqual([{ result: null }, { error: { code: -32601, message: "no tools" } }]);
    expect(reported).toMatchObject([{ requestId: "r", params: { progress: 1 } }]);
  });

  test("V2-MCP-07: what fails on the way is an error of the call, and no result", async () => {
    const served = serveContract(contract, {});
    for (const [index, code] of Object.values(mcpErrorCodes).entries()) {
      const asked = ask(served);
      served.client.send({
        id: (await served.client.call("mcp/message", index)).id,
        error: { code, message: "m" },
      });
      await expect(asked).rejects.toMatchObject({ code });
    }
    const empty = ask(served);
    served.client.reply(await served.client.call("mcp/message", 3), {});
    await expect(empty).rejects.toMatchObject({ code: "invalid_message" });
  });

  test("V2-MCP-08: metadata of the call through stays apart from that of the call", async () => {
    const served = serveContract(contract, {});
    const inner = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
    const params = { ...call, params: { _meta: inner }, _meta: { trace: 1 } };
    const asked = ask(served, params);
    const received = await served.client.call("mcp/message");
    expect(received.params).toEqual(params);
    served.client.reply(received, { result: { _meta: inner, tools: [] } });
    expect(await asked).toEqual({ result: { _meta: inner, tools: [] } });
  });
});

describe.each(versions)("a proxy in %s", (_, contract) => {
  const info = { name: "a", version: "1" };
  const greeting = { protocolVersion: contract === versions[0]?.[1] ? 1 : 2, info, _meta: { chain: 1 } };

  /** Passes on everything that comes from the one before, except what is its own. */
  function proxy() {
    const { connection, client: conductor } = serveContract(contract, {
      "proxy/initialize": (params: object) => connection.request("proxy/successor", { method: "initialize", params }),
      "proxy/successor": () => ({}),
      "session/new": (params: object, { signal }: InboundCall) =>
        connection.request("proxy/successor", { method: "session/new", params }, { signal }),
    });
    return conductor;
  }

  test("V1-UNST-11 V2-EXT-09: asks the next one before it answers the greeting, and keeps the version", async () => {
    const conductor = proxy();
    conductor.send({ id: "c", method: "proxy/initialize", params: greeting });
    const forwarded = await conductor.call("proxy/successor");
    expect(forwarded.params).toEqual({ method: "initialize", params: greeting });
    expect(conductor.received).toHaveLength(1);
    conductor.reply(forwarded, greeting);
    expect((await conductor.answer("c")).result).toEqual(greeting);
    conductor.send({ id: "d", method: "proxy/successor", params: { method: "session/update", params: [] } });
    expect((await conductor.answer("d")).result).toEqual({});
    conductor.send({ id: "e", method: "proxy/successor", params: {} });
    expect((await conductor.answer("e")).error).toMatchObject({ code: -32602 });
  });

  test("V1-UNST-11 V2-EXT-09: results and errors pass unchanged, a cancel names the outer id alone", async () => {
    const conductor = proxy();
    const start = async (id: string, n: number): Promise<Frame> => {
      conductor.send({ id, method: "session/new", params: place });
      return conductor.call("proxy/successor", n);
    };
    const result = { sessionId: "s", later: { deep: [null] } };
    conductor.reply(await start("1", 0), result);
    expect((await conductor.answer("1")).result).toEqual(result);
    const error = { code: 4711, message: "odd", data: { sessionId: "s" } };
    conductor.send({ id: (await start("2", 1)).id, error });
    expect((await conductor.answer("2")).error).toEqual(error);
    const outer = await start("3", 2);
    conductor.notify("$/cancel_request", { requestId: "3" });
    expect((await conductor.call("$/cancel_request")).params).toEqual({ requestId: outer.id });
    conductor.send({ id: outer.id, error: { code: -32800, message: "Request cancelled" } });
    expect((await conductor.answer("3")).error).toMatchObject({ code: -32800 });
    expect(conductor.received.filter(({ method }) => method === "proxy/successor")).toHaveLength(3);
  });
});
