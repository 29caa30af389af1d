import type { Channel } from "@turnkit/transport";
import { describe, expect, it, vi } from "vitest";
import type { RemoteServerOptions } from "../../src/server/index.js";
import { RawAgent } from "./raw-agent.js";
import { address, Stage } from "./raw-client.js";
import { SocketStage } from "./raw-socket.js";

describe("the beginning of a connection", () => {
  it("REM-03: a refusal of the agent is an answer with an id, and its connection is over", async () => {
    const stage = new Stage();
    stage.agent.answers = false;
    const refused = stage.initialize();
    await vi.waitFor(() => stage.agent.side.call("initialize"));
    void stage.agent.side.send({ id: 0, error: { code: -32602, message: "no" } });
    const response = await refused;
    expect([response.status, await response.json()]).toMatchObject([200, { id: 0, error: { code: -32602 } }]);
    expect(stage.connectionId).not.toBe("");
    await stage.agent.side.closed;
    expect((await stage.ask("DELETE", stage.headers())).status).toBe(404);
  });

  it("an initialize that the agent does not answer is 502 after its time, and its agent ends", async () => {
    const stage = new Stage({ limits: { initializeMs: 10 } });
    stage.agent.answers = false;
    expect((await stage.initialize()).status).toBe(502);
    await stage.agent.side.closed;
  });

  it("defect M8: an initialize that the channel to the agent refuses is answered, over HTTP and on a WebSocket", async () => {
    const open = () => new RawAgent().channel("initialize");
    const refusal = {
      id: 0,
      error: { code: -32603, message: "The agent did not get the message: It is too large." },
    };
    const response = await new Stage({ agent: undefined, open }).initialize();
    expect([response.status, await response.json()]).toMatchObject([200, refusal]);
    const socket = await new SocketStage({ agent: undefined, open }).begin();
    expect(socket.frames).toMatchObject([refusal]);
  });

  it("the agent of an initialize whose client has gone ends", async () => {
    const stage = new Stage();
    stage.agent.answers = false;
    const { signal, abort } = ((controller) => ({ signal: controller.signal, abort: () => controller.abort() }))(
      new AbortController(),
    );
    const body = JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize" });
    const asked = stage.ask("POST", { "Content-Type": "application/json" }, { body, signal });
    await vi.waitFor(() => stage.agent.side.call("initialize"));
    abort();
    await stage.agent.side.closed;
    expect((await asked).status).toBe(502);
  });

  it("an agent that ends instead of an answer is 502", async () => {
    const stage = new Stage();
    stage.agent.answers = false;
    const asked = stage.initialize();
    await vi.waitFor(() => stage.agent.side.call("initialize"));
    await stage.agent.side.channel.close();
    expect((await asked).status).toBe(502);
  });

  it("one connection too many is 503, until one ends", async () => {
    const stage = new Stage({ limits: { connections: 1 } });
    expect((await stage.initialize()).status).toBe(200);
    const { connectionId } = stage;
    const refused = await stage.initialize();
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, "5"]);
    stage.connectionId = connectionId;
    await stage.ask("DELETE", stage.headers());
    expect((await stage.initialize()).status).toBe(200);
    expect(stage.agent.sides).toHaveLength(2);
  });

  it("`open` gives a channel to each principal; one that fails is 502, and is reported", async () => {
    const agent = new RawAgent();
    const names: string[] = [];
    const reported: string[] = [];
    const stage = new Stage({
      authorize: (request) => ({ id: request.headers.get("Authorization") ?? "" }),
      open: async ({ id }) => {
        names.push(id);
        if (id === "none") throw new Error("no program");
        return agent.channel();
      },
      agent: undefined,
      onDiagnostic: ({ code }) => reported.push(code),
    } as Partial<RemoteServerOptions> & { agent: undefined });
    expect((await stage.initialize({}, { Authorization: "one" })).status).toBe(200);
    expect((await stage.initialize({}, { Authorization: "none" })).status).toBe(502);
    expect([names, reported]).toEqual([["one", "none"], ["handler_failed"]]);
  });

  it("an `open` that does not settle is 502 after its time; a channel that comes later is closed", async () => {
    let opened = (_: Channel) => {};
    const open = () =>
      new Promise<Channel>((resolve) => {
        opened = resolve;
      });
    const stage = new Stage({ open, agent: undefined, limits: { initializeMs: 10, connections: 1 } } as object);
    expect((await stage.initialize()).status).toBe(502);
    expect((await stage.initialize()).status).toBe(502);
    opened(stage.agent.channel());
    await vi.waitFor(() => expect(stage.agent.side.isClosed).toBe(true));
  });

  it("REM-19: cookies that the caller adds reach the answer unmerged", async () => {
    const response = await new Stage().initialize();
    response.headers.append("Set-Cookie", "a=1");
    response.headers.append("Set-Cookie", "b=2");
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  });

  it("REM-02: every answer is free of headers that HTTP/2 forbids", async () => {
    const stage = await Stage.connected();
    const answers = [await stage.get(), await stage.post({ method: "_a" }), await stage.ask("DELETE", stage.headers())];
    for (const { headers } of answers)
      for (const name of ["Connection", "Keep-Alive", "Transfer-Encoding", "Upgrade"])
        expect(headers.has(name)).toBe(false);
    expect(new URL(address).protocol).toBe("http:");
  });
});
