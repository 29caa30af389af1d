import { createAgent } from "@turnkit/agent";
import { describe, expect, it } from "vitest";
import { RawHttp } from "./raw-http.js";
import { startRemoteAgent } from "./remote-server.js";

const info = { name: "remote", version: "1.0.0" };

async function start() {
  const opened: string[] = [];
  const remote = await startRemoteAgent(
    createAgent({
      info,
      newSession: (_, session) => void opened.push(session.id),
      closeSession: (session) => void opened.splice(opened.indexOf(session.id), 1),
      async prompt(turn) {
        const allowed = await turn.toolCall({ title: "Dig" }).ask();
        turn.say(allowed ? "dug" : "left");
      },
    }),
  );
  return { remote, opened, http: new RawHttp(remote.http) };
}

describe("requests to our agent over HTTP", () => {
  it("V2-REM-08: nothing but initialize opens a connection, and its answer comes with the connection's id", async () => {
    const { remote, http } = await start();
    const early = await http.post({ id: 1, method: "session/new", params: { cwd: "/srv", mcpServers: [] } });
    expect(early.status).toBe(400);
    expect((await http.post({ method: "initialize", params: {} })).status).toBe(400);
    expect(remote.served).toHaveLength(0);
    const answer = await http.initialize(2);
    expect(answer).toMatchObject({ jsonrpc: "2.0", id: 0, result: { protocolVersion: 2, info } });
    expect(http.connectionId).toMatch(/^[0-9a-f-]{36}$/);
    expect(remote.served).toHaveLength(1);
    const again = { id: 2, method: "initialize", params: { protocolVersion: 1, clientCapabilities: {} } };
    expect((await http.post(again, http.headers())).status).toBe(400);
  });

  it("V2-REM-08: our refusal of a hello is an answer too", async () => {
    const { http } = await start();
    const response = await http.post({ id: 0, method: "initialize", params: { protocolVersion: "two" } });
    expect(response.status).toBe(200);
    expect(response.headers.get("acp-connection-id")).not.toBeNull();
    expect(await response.json()).toMatchObject({ id: 0, error: { code: -32602 } });
  });

  it("V2-REM-03: a message that names a session carries its header, also the answer to our agent's question", async () => {
    const { http } = await start();
    await http.initialize();
    const connection = await http.read();
    const id = await http.newSession(connection);
    const session = await http.read(id);
    const prompt = {
      id: 2,
      method: "session/prompt",
      params: { sessionId: id, prompt: [{ type: "text", text: "go" }] },
    };
    expect((await http.post(prompt, http.headers())).status).toBe(400);
    expect((await http.post(prompt, http.headers("another"))).status).toBe(400);
    await http.send(prompt, id);
    const question = await session.call("session/request_permission");
    const outcome = { outcome: "selected", optionId: question.params.options[0].optionId };
    const answer = { id: question.id, result: { outcome } };
    expect((await http.post(answer, http.headers())).status).toBe(400);
    expect((await http.post(answer, http.headers("another"))).status).toBe(400);
    await http.send(answer, id);
    expect(await session.answer(2)).toMatchObject({ result: { stopReason: "end_turn" } });
    expect(session.text).toContain("dug");
  });

  it("V2-TRA-05: what is no message of the protocol is refused, and our agent serves on", async () => {
    const { http } = await start();
    await http.initialize();
    const on = http.headers();
    expect((await http.post("{}", { ...on, "Content-Type": "text/plain" })).status).toBe(415);
    expect((await http.post("{", on)).status).toBe(400);
    expect((await http.post("7", on)).status).toBe(400);
    const batch = await http.post('[{"jsonrpc":"2.0","id":1,"method":"session/new"}]', on);
    expect([batch.status, await batch.json()]).toMatchObject([400, { id: null, error: { code: -32600 } }]);
    expect((await http.ask("GET", on)).status).toBe(406);
    expect((await http.ask("PUT", on)).status).toBe(405);
    expect((await http.post({ id: 1, method: "x" }, { "Acp-Connection-Id": "none" })).status).toBe(404);
    const connection = await http.read();
    expect(await http.newSession(connection)).toBeTypeOf("string");
    await http.send({ id: 9, method: 7 });
    expect(await connection.answer(null)).toMatchObject({ error: { code: -32600 } });
  });

  it("V2-TRA-05: the end of an HTTP connection is the end of our agent's, with its turns and sessions", async () => {
    const { remote, opened, http } = await start();
    await http.initialize();
    const connection = await http.read();
    const id = await http.newSession(connection);
    const session = await http.read(id);
    await http.prompt(id, 2);
    await session.call("session/request_permission");
    expect(opened).toEqual([id]);
    expect((await http.ask("DELETE", http.headers())).status).toBe(202);
    expect((await remote.served[0]?.closed)?.kind).toBe("remote");
    expect(opened).toEqual([]);
    await Promise.all([connection.ended, session.ended]);
    expect((await http.post({ id: 3, method: "session/list" }, http.headers())).status).toBe(404);
  });
});
