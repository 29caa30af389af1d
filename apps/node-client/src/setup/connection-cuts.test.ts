import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { AcpError, closeText, isAcpError } from "@turnkit/transport";
import { expect, it, onTestFinished } from "vitest";
import { lostError, lostText, notesOfCuts } from "./connection-cuts.js";
import { connectRemotely } from "./open-remote-agent.js";

it("one prompt to a remote agent notes the begin and the end of a cut, and no attempt between", () => {
  const notes: string[] = [];
  const cut = notesOfCuts((text) => notes.push(text));
  for (const state of [undefined, "Attempt 1.", "Attempt 2.", undefined, undefined, "Attempt 1."]) cut(state);
  const begin = "The connection is cut. Attempt 1.";
  expect(notes).toEqual([begin, "The connection is back.", begin]);
});

it("a connection that is cut and cannot continue is not told as back, and its end has no advice for programs", async () => {
  const result = {
    ...{ protocolVersion: 1, agentCapabilities: {}, authMethods: [], _meta: { "acp/connectionId": "c" } },
    capabilities: { transport: { resumable: { retentionMessages: 9, retentionSeconds: 9 } } },
  };
  let streams = 0;
  const server = createServer((request, response) => {
    if (request.method === "GET") streams += 1;
    if (request.method === "POST") {
      const headers = { "Content-Type": "application/json", "Acp-Connection-Id": "c" };
      response.writeHead(200, headers).end(JSON.stringify({ jsonrpc: "2.0", id: 1, result }));
    } else if (streams === 1) {
      response
        .writeHead(200, { "Content-Type": "text/event-stream" })
        .write(`id: 1\ndata: {"jsonrpc":"2.0","method":"_x"}\n\n`);
      setImmediate(() => response.destroy());
    } else response.writeHead(409).end(JSON.stringify({ reason: "cursor_expired" }));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close().closeAllConnections());
  await once(server, "listening");
  const cuts: (string | undefined)[] = [];
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/acp`);
  const end = await connectRemotely({ url }, { onCut: (cut) => cuts.push(cut) }, async (channel) => {
    channel.start({ message: () => {}, invalidLine: () => {} });
    void channel.send({ jsonrpc: "2.0", id: 1, method: "initialize", params: {} });
    return channel.closed;
  });
  const lastCut = cuts.findLastIndex((cut) => cut !== undefined);
  expect(cuts[lastCut]).toContain("Attempt 1 to connect again");
  expect(cuts.slice(lastCut + 1)).toEqual([]);
  expect(closeText(end)).toContain("client.restore");
  expect(lostText(closeText(end))).not.toMatch(/client\.restore|Open a new connection/);
});

it("defect N70: a server that does not know the connection is told in the words of a person, with the command to go on", () => {
  const lost = new AcpError(
    "connection_closed",
    "The WebSocket was not opened: Check its address (code 1006). Unexpected server response: 404 No attempt to reconnect succeeded. Open a new connection, and restore the session there: client.restore sends session/resume or session/load.",
  );
  const error = lostError(lost, new URL("ws://127.0.0.1:1/acp"), "s-1");
  expect(isAcpError(error, "connection_closed") && error.message).toBe(
    "The server does not know the connection any more. It was started again, or another server has answered.\nThe session may go on. To see it: turnkit --url ws://127.0.0.1:1/acp --session s-1",
  );
  expect(lostError(lost, undefined, "s-1")).toBe(lost);
});
