import { createHttpStream } from "@agentclientprotocol/sdk/experimental/http-client";
import { createConnection, isAcpError } from "@turnkit/transport";
import { createMessageStreamChannel } from "@turnkit/transport/channels";
import { describe, expect, it, vi } from "vitest";
import { chunk, openClient, refuse, shown, stage } from "./http-stage.js";
import { type Script, startScriptedServer } from "./scripted-server.js";

describe("our client over HTTP: streams", () => {
  it("V2-REM-04: reads the connection from initialize on, and a session before anything is sent about it", async () => {
    const held: (() => void)[] = [];
    const { server, session, client } = await stage(({ about, sessionId, accept }) => {
      if (about !== "stream" || sessionId !== "old") return undefined;
      held.push(accept);
      return true;
    });
    expect(server.log.slice(0, 3).sort()).toEqual(["GET stream", "POST initialize", "POST session/new"]);
    await server.ask("GET stream s-1");
    const turn = session.prompt("go");
    const { frame } = await server.ask("POST session/prompt s-1");
    expect(server.log.indexOf("GET stream s-1")).toBeLessThan(server.log.indexOf("POST session/prompt s-1"));
    server.send("s-1", chunk("s-1", "hi"), { id: frame.id, result: { stopReason: "end_turn" } });
    expect(await turn.ended).toMatchObject({ stopReason: "end_turn" });
    expect(shown(session)).toBe("hi");

    const restoring = client.restore("old", { cwd: "/srv" });
    await server.ask("GET stream old");
    // As long as a few requests take, nothing is posted.
    for (let round = 0; round < 5; round += 1) await fetch(server.url, { method: "PUT" });
    expect(server.log).not.toContain("POST session/load old");
    for (const answer of held) answer();
    const load = await server.ask("POST session/load old");
    server.send(undefined, { id: load.frame.id, result: {} });
    await restoring;
  });

  it("V2-REM-02: reads events with any line end, several data lines, comments, other fields and a BOM", async () => {
    const warned = vi.spyOn(console, "warn").mockImplementation(() => {});
    const { server, session } = await stage();
    await server.ask("GET stream s-1");
    const turn = session.prompt("go");
    const { frame } = await server.ask("POST session/prompt s-1");
    const json = (text: string) => JSON.stringify(chunk("s-1", text));
    server.write("s-1", `\ufeffdata: ${json("LF,")}\n\n`);
    server.write("s-1", `data: ${json("CRLF,")}\r\n\r\n`);
    server.write("s-1", `data: ${json("CR,")}\r\r`);
    server.write("s-1", `data:${json("no space,")}\n\n`);
    server.write("s-1", `:\n\nevent: message\nid: 7\nretry: 9\ndata: ${json("other fields,")}\n\n`);
    const [head, tail] = [json("several lines").slice(0, 17), json("several lines").slice(17)];
    server.write("s-1", `data: ${head}\ndata: ${tail}\n\n`);
    server.write("s-1", `data: [${json("array")}]\n\ndata: 7\n\ndata: nonsense\n\n`);
    server.send("s-1", { id: frame.id, result: { stopReason: "end_turn" } });
    await turn.ended;
    expect(shown(session)).toBe("LF,CRLF,CR,no space,other fields,several lines");
    expect(warned).toHaveBeenCalledTimes(3);
    warned.mockRestore();
  });
});

describe("our client over HTTP: hello", () => {
  const failing = async (script: Script) => {
    const error = await openClient(await startScriptedServer(script)).catch((error: unknown) => error);
    expect(isAcpError(error, "connection_closed")).toBe(true);
    return (error as Error).message;
  };
  const answering =
    (id: unknown, headers: Readonly<Record<string, string>>): Script =>
    ({ about, reply }) => {
      if (about !== "initialize") return undefined;
      reply(
        200,
        JSON.stringify({ jsonrpc: "2.0", id, result: { protocolVersion: 1, agentCapabilities: {} } }),
        headers,
      );
      return true;
    };

  it("V2-REM-08: needs the id of its connection, and the id of its question", async () => {
    expect(await failing(answering(0, {}))).toContain("Acp-Connection-Id");
    expect(await failing(answering("another", { "Acp-Connection-Id": "c-1" }))).toContain("id did not match");
    expect(await failing(refuse("POST initialize", 503, "busy"))).toContain("503");
  });

  it("V2-REM-08: nothing but initialize may come first", async () => {
    const server = await startScriptedServer();
    const connection = createConnection(createMessageStreamChannel(createHttpStream(server.url)));
    const asking = connection.request("session/new", { cwd: "/srv", mcpServers: [] });
    await expect(asking).rejects.toMatchObject({ code: "connection_closed" });
    expect((await connection.closed).message).toContain("first message must be initialize");
    expect(server.log).toEqual([]);
  });
});
