import type { Client } from "@turnkit/client";
import { describe, expect, it } from "vitest";
import { chunk, newSession, openClient, refuse, shown, stage } from "./http-stage.js";
import { type ScriptedServer, startScriptedServer } from "./scripted-server.js";

const end = { stopReason: "end_turn" };

/** Checks that the connection is gone: our client reports it with `message`, and the server got a DELETE. */
async function expectGone(client: Client, server: ScriptedServer, message: string): Promise<void> {
  const reason = await client.closed;
  expect(reason).toMatchObject({ kind: "failed", message: expect.stringContaining(message) });
  await server.ask("DELETE end");
  expect(() => client.notify("_x", {})).not.toThrow();
  await expect(client.newSession({ cwd: "/srv" })).rejects.toMatchObject({ code: "connection_closed" });
}

describe("our client over HTTP: failures of one session or request", () => {
  it("V2-REM-07: 409 fails one session until it is restored; the others go on", async () => {
    let taken = true;
    const { server, client, session } = await stage((ask) =>
      taken ? refuse("POST session/prompt s-1", 409, "taken")(ask) : undefined,
    );
    const other = await newSession(server, client, "s-2", 1);
    const refused = { code: -32603, data: { status: 409, body: "taken" } };
    expect(await session.prompt("go").ended).toMatchObject({ stopReason: "error", error: refused });
    taken = false;
    // Still failed, though the server would take it: nothing of this session is posted any more.
    expect(await session.prompt("again").ended).toMatchObject({ error: refused });
    expect(server.log.filter((line) => line === "POST session/prompt s-1")).toHaveLength(1);

    const turn = other.prompt("go");
    const prompt = await server.ask("POST session/prompt s-2");
    server.send("s-2", { id: prompt.frame.id, result: end });
    expect(await turn.ended).toMatchObject(end);

    const restoring = client.restore("s-1", { cwd: "/srv" });
    const load = await server.ask("POST session/load s-1");
    server.send("s-1", chunk("s-1", "before"));
    server.send(undefined, { id: load.frame.id, result: {} });
    const outcome = await restoring;
    if (outcome.status === "unavailable") throw outcome.error;
    const { session: restored } = outcome;
    const next = restored.prompt("go");
    const { frame } = await server.ask("POST session/prompt s-1", 1);
    server.send("s-1", chunk("s-1", ", after"), { id: frame.id, result: end });
    expect(await next.ended).toMatchObject(end);
    expect(shown(restored)).toContain("after");
  });

  it("V2-REM-07: 409 on the stream of a session is the failure of that session alone", async () => {
    const { server, client } = await stage(refuse("GET stream s-2", 409));
    const opening = await newSession(server, client, "s-2", 1);
    expect(await opening.prompt("go").ended).toMatchObject({ error: { code: -32603, data: { status: 409 } } });
    expect(await newSession(server, client, "s-3", 2)).toMatchObject({ id: "s-3" });
  });

  it("V2-REM-07, V2-REM-06: another status fails that request, with status and at most 8 KiB of body", async () => {
    const { server, client, session } = await stage(refuse("POST session/prompt s-1", 502, "x".repeat(20_000)));
    const { error } = await session.prompt("go").ended;
    expect(error).toMatchObject({ code: -32603, data: { status: 502, body: "x".repeat(8 * 1024) } });
    expect(await newSession(server, client, "s-2", 1)).toMatchObject({ id: "s-2" });
  });

  it("V2-REM-07: the end of a session's stream fails its open requests; the next message reads it anew", async () => {
    const { server, session } = await stage();
    const turn = session.prompt("go");
    await server.ask("POST session/prompt s-1");
    server.send("s-1", chunk("s-1", "one, "));
    server.end("s-1");
    expect(await turn.ended).toMatchObject({ error: { code: -32603 } });
    const next = session.prompt("again");
    await server.ask("GET stream s-1", 1);
    const { frame } = await server.ask("POST session/prompt s-1", 1);
    server.send("s-1", chunk("s-1", "two"), { id: frame.id, result: end });
    expect(await next.ended).toMatchObject(end);
    expect(shown(session)).toBe("one, two");
  });
});

describe("our client over HTTP: failures of the connection", () => {
  it.each([401, 403, 404, 410])("V2-REM-07: %i to a request closes the channel", async (status) => {
    const { server, client, session } = await stage(refuse("POST session/prompt s-1", status));
    await expect(session.prompt("go").ended).rejects.toMatchObject({ code: "connection_closed" });
    await expectGone(client, server, `${status}`);
  });

  it("V2-REM-07: a notification that is refused closes the channel", async () => {
    const { server, client, session } = await stage(refuse("POST session/cancel s-1", 500));
    const turn = session.prompt("go");
    turn.ended.catch(() => {});
    await server.ask("POST session/prompt s-1");
    void session.cancel();
    await expectGone(client, server, "500");
  });

  it("V2-REM-07: an answer of ours that is refused closes the channel", async () => {
    const { server, client } = await stage(refuse("POST answer s-1", 500));
    await server.ask("GET stream s-1");
    server.send("s-1", { id: "q", method: "_turnkit.test/ping", params: { sessionId: "s-1" } });
    await expectGone(client, server, "500");
  });

  it("V2-REM-07: a refused stream closes the channel", async () => {
    const { server, client } = await stage(refuse("GET stream s-1", 500));
    await expectGone(client, server, "500");
  });

  it("V2-REM-07: a refused stream of the connection closes it too, also by 409", async () => {
    const server = await startScriptedServer(refuse("GET stream", 409));
    await expectGone(await openClient(server), server, "409");
  });

  it("V2-REM-07: the end of the connection's stream closes the channel", async () => {
    const { server, client } = await stage();
    server.end(undefined);
    await expectGone(client, server, "connection SSE stream closed");
  });

  it("V2-REM-07: a network error closes the channel", async () => {
    const { server, client, session } = await stage(({ about, destroy }) => {
      if (about !== "session/prompt") return undefined;
      destroy();
      return true;
    });
    await expect(session.prompt("go").ended).rejects.toMatchObject({ code: "connection_closed" });
    await expectGone(client, server, "failed");
  });

  it("V2-REM-07: a client that closes tells the server", async () => {
    const { server, client } = await stage();
    await client.close();
    expect((await client.closed).kind).toBe("local");
    expect((await server.ask("DELETE end")).headers["acp-connection-id"]).toBe("c-1");
  });
});
