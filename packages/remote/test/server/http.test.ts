import { describe, expect, it } from "vitest";
import { texts, update } from "../client/remote-client.js";
import { address, eventHeaders, Stage } from "./raw-client.js";

describe("a connection over HTTP", () => {
  it("REM-03, REM-04, REM-16: initialize begins it, messages are accepted, answers come on its stream, DELETE ends it", async () => {
    const stage = new Stage();
    const hello = await stage.initialize();
    expect(hello.status).toBe(200);
    expect(hello.headers.get("Content-Type")).toBe("application/json");
    expect(hello.headers.get("Acp-Connection-Id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(await hello.json()).toEqual({ jsonrpc: "2.0", id: 0, result: { protocolVersion: 1 } });
    const events = await stage.events();
    expect(events.response.headers.get("Content-Type")).toBe("text/event-stream");
    const posted = await stage.post({ id: 1, method: "session/list", params: {} });
    expect([posted.status, await posted.text()]).toEqual([202, ""]);
    const { side } = stage.agent;
    expect(await side.call("session/list")).toEqual({ jsonrpc: "2.0", id: 1, method: "session/list", params: {} });
    side.answer(1, { sessions: [] });
    expect(await events.next()).toEqual({ jsonrpc: "2.0", id: 1, result: { sessions: [] } });
    expect((await stage.ask("DELETE", stage.headers())).status).toBe(202);
    expect(await events.next()).toBeUndefined();
    await side.closed;
    expect((await stage.ask("DELETE", stage.headers())).status).toBe(404);
    expect((await stage.ask("DELETE")).status).toBe(400);
  });

  it("REM-13: updates and answers go to the stream of their session, answers of session/new and session/load do not", async () => {
    const stage = await Stage.connected();
    const { side } = stage.agent;
    const connection = await stage.events();
    await stage.post({ id: 1, method: "session/new", params: { cwd: "/srv" } });
    await stage.post({ id: 2, method: "session/load", params: { sessionId: "s" } }, stage.headers("s"));
    await stage.post({ id: 3, method: "session/resume", params: { sessionId: "s" } }, stage.headers("s"));
    await stage.prompt(4, "s");
    side.send(update("s", "hi"), { id: 3, result: {} }, { id: 4, result: {} }, { method: "_note", params: {} });
    side.send({ id: 2, result: {} }, { id: 1, result: { sessionId: "t" } });
    const session = await stage.events("s");
    expect(texts([(await session.next())!])).toEqual(["hi"]);
    expect([(await session.next())?.id, (await session.next())?.id]).toEqual([3, 4]);
    expect([await connection.next(), await connection.next(), await connection.next()]).toMatchObject([
      { method: "_note" },
      { id: 2 },
      { id: 1 },
    ]);
  });

  it("REM-01: any path is served", async () => {
    const { server } = await Stage.connected();
    const request = new Request(new URL("/other?x=1", address), { headers: eventHeaders });
    expect((await server.fetch(request)).status).toBe(400);
  });
});
