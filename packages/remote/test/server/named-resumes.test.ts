import { describe, expect, it } from "vitest";
import { SocketStage } from "./raw-socket.js";

// Upgrades that name a connection (`Acp-Connection-Id`) and have not sent `stream/resume`.

const asks = { _meta: { "acp/resumable": true } };

/** A server of Ann, who has the only connection that a principal may have, and the headers of her resumes. */
async function ofAnn() {
  const authorize = (request: Request) => ({ id: request.headers.get("Authorization") ?? "" });
  const stage = new SocketStage({ authorize, limits: { connections: 10, connectionsOfPrincipal: 1 } });
  const first = await stage.socket({ Authorization: "ann" });
  first.call(0, "initialize", { protocolVersion: 1, ...asks });
  await first.answer(0);
  return { stage, first, named: { Authorization: "ann", "Acp-Connection-Id": stage.connectionId } };
}

describe("WebSockets that name a connection and send no frame", () => {
  it("REM-40: leave the places of other principals free, and each closes the one before it with 1013", async () => {
    const { stage, first, named } = await ofAnn();
    const sockets = [];
    for (let count = 0; count < 10; count += 1) sockets.push(await stage.socket(named));
    expect(await stage.ask101({ Authorization: "bob" })).not.toBeInstanceOf(Response);
    expect(sockets.map(({ end }) => end?.code)).toEqual([...Array<number>(9).fill(1013), undefined]);
    expect(sockets[0]?.end?.reason).toBe("Another WebSocket resumes the connection.");
    // The last one continues the connection. Only then the first one ends.
    expect(first.end).toBeUndefined();
    const last = sockets.at(-1);
    last?.call("r", "stream/resume", { connectionId: stage.connectionId, streams: [] });
    expect(await last?.answer("r")).toMatchObject({ result: { received: 1 } });
    // One that has resumed no longer waits, so a newer upgrade alone does not close it.
    await stage.socket(named);
    expect(last?.end).toBeUndefined();
  });

  it("REM-40: end with 4404 together with their connection", async () => {
    const { stage, first, named } = await ofAnn();
    const waiting = await stage.socket(named);
    const late = await stage.ask101(named);
    first.listener.closed(1000);
    expect(waiting.end?.code).toBe(4404);
    const codes: number[] = [];
    if (!(late instanceof Response)) late.open({ bufferedAmount: 0, send() {}, close: (code) => codes.push(code) });
    expect(codes).toEqual([4404]);
  });

  it("REM-54: end with 1001 when the server closes", async () => {
    const { stage, named } = await ofAnn();
    const waiting = await stage.socket(named);
    await stage.server.close();
    expect(waiting.end?.code).toBe(1001);
  });
});
