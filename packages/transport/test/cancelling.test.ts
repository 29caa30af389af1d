import { describe, expect, it } from "vitest";
import { isAcpError, RpcError, toRpcError } from "../src/index.js";
import { open } from "./raw-peer.js";

describe("cancelling our own calls", () => {
  it("V1-CANCEL-20, V2-CAN-10: an abort sends $/cancel_request once and waits for the answer", async () => {
    const { connection, peer } = open();
    const abort = new AbortController();
    const answer = connection.request("ask", {}, { signal: abort.signal });
    await peer.call("ask");
    abort.abort();
    expect(await peer.call("$/cancel_request")).toMatchObject({ params: { requestId: 0 } });
    peer.send({ jsonrpc: "2.0", id: 0, result: "partial" });
    expect(await answer).toBe("partial");
  });

  it("V1-CANCEL-19, V2-CAN-10: an abandoned call rejects at once, and its late answer is dropped without a word", async () => {
    const { connection, peer, diagnostics } = open({ ping: () => "pong" });
    const abort = new AbortController();
    let received = false;
    const answer = connection.request(
      "ask",
      {},
      {
        signal: abort.signal,
        onAbort: "abandon",
        received: () => {
          received = true;
        },
      },
    );
    await peer.call("ask");
    abort.abort();
    await expect(answer).rejects.toMatchObject({ code: "aborted", method: "ask" });
    expect(toRpcError(await answer.catch((error: unknown) => error)).code).toBe(-32800);
    peer.send({ jsonrpc: "2.0", id: 0, result: "late" });
    peer.request(1, "ping");
    await peer.answerTo(1);
    expect(received).toBe(false);
    expect(diagnostics).toEqual([]);
  });

  it("an aborted signal sends nothing", async () => {
    const { connection, peer } = open({ ping: () => "pong" });
    await expect(connection.request("ask", {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "aborted",
    });
    peer.request(1, "ping");
    await peer.answerTo(1);
    expect(peer.received).toHaveLength(1);
  });
});

describe("the peer cancels", () => {
  it("V1-CANCEL-15, V2-CAN-11: a cancelled handler that aborts is answered with -32800", async () => {
    const { peer } = open({
      slow: (_params, call) =>
        new Promise((_, reject) => call.signal.addEventListener("abort", () => reject(call.signal.reason))),
      odd: (_params, call) =>
        new Promise((_, reject) => {
          call.signal.addEventListener("abort", () =>
            reject(new DOMException("The operation was aborted", "AbortError")),
          );
        }),
    });
    peer.request(5, "slow");
    peer.request(6, "odd");
    for (const requestId of [5, 6]) peer.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId } });
    expect(await peer.answerTo(5)).toMatchObject({ error: { code: -32800 } });
    expect(await peer.answerTo(6)).toMatchObject({ error: { code: -32800 } });
    expect(peer.received).toHaveLength(2);
  });

  it("V1-CANCEL-16: unknown, finished and malformed ids are ignored", async () => {
    const { peer } = open({ ping: () => "pong" });
    for (const requestId of [1, "1", null, {}, undefined]) {
      peer.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId } });
    }
    peer.request(1, "ping");
    expect(await peer.answerTo(1)).toMatchObject({ result: "pong" });
    expect(peer.received).toHaveLength(1);
  });

  it("V1-RPC-06: asked as a request, with an id, it is a method that nobody has, and is answered", async () => {
    const { peer } = open({ slow: () => new Promise(() => undefined) });
    peer.request(1, "slow");
    peer.request(2, "$/cancel_request", { requestId: 1 });
    expect(await peer.answerTo(2)).toMatchObject({ error: { code: -32601 } });
    expect(peer.received).toHaveLength(1);
  });
});

describe("this side cancels", () => {
  it("V1-CANCEL-18, V2-CAN-09: a close answers open and held requests with -32800, after what their abort still says", async () => {
    const reasons: unknown[] = [];
    const { connection, peer } = open({
      slow: (_params, call) =>
        new Promise(() => {
          call.signal.addEventListener("abort", () => {
            reasons.push(call.signal.reason);
            void connection.notify("last words", {});
          });
        }),
    });
    peer.request(1, "slow");
    peer.request("b", "slow");
    peer.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: 99 } });
    const asked = connection.request("ask", {}).catch((error: unknown) => error);
    await peer.call("ask");
    connection.hold();
    peer.request(3, "slow");
    const other = connection.request("other", {}).catch((error: unknown) => error);
    await peer.call("other");
    await connection.close();
    const said = peer.received.slice(2).map((frame) => frame.method ?? [frame.id, (frame.error as RpcError).code]);
    expect(said).toEqual([[3, -32800], "last words", [1, -32800], "last words", ["b", -32800]]);
    expect(reasons).toMatchObject([{ code: -32800 }, { code: -32800 }]);
    expect(isAcpError(await asked, "connection_closed")).toBe(true);
    expect(isAcpError(await other, "connection_closed")).toBe(true);
  });

  it("V1-CANCEL-18, V2-CAN-09: so do a handler that gives up by itself, and one whose own call was aborted", async () => {
    const { connection, peer } = open({
      limit: () => {
        throw RpcError.requestCancelled();
      },
      nested: async () => {
        const abort = new AbortController();
        const asked = connection.request("ask", {}, { signal: abort.signal, onAbort: "abandon" });
        abort.abort();
        return asked;
      },
    });
    peer.request(1, "limit");
    peer.request(2, "nested");
    expect(await peer.answerTo(1)).toMatchObject({ error: { code: -32800, message: "Request cancelled" } });
    expect(await peer.answerTo(2)).toMatchObject({ error: { code: -32800, message: "Request cancelled" } });
  });
});
