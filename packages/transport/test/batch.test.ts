import { describe, expect, it } from "vitest";
import { open } from "./raw-peer.js";

const call = (id: unknown, method = "ping") => ({ jsonrpc: "2.0", id, method });
const errorCode = (frame: { error?: unknown }) => (frame.error as { code: number } | undefined)?.code;

describe("arrays of messages", () => {
  it("V2-ENV-06, V2-SEED-13: each gets exactly one -32600 with id null, no entry is processed, and reading goes on", async () => {
    const called: string[] = [];
    const note = (name: string) => () => {
      called.push(name);
      return {};
    };
    const { connection, peer, diagnostics } = open({ ping: note("ping"), tell: note("tell"), after: note("after") });
    const asked = connection.request("ask", {});
    await peer.call("ask");
    peer.send([call(1), { jsonrpc: "2.0", method: "tell" }, { jsonrpc: "2.0", id: 0, result: "too soon" }], []);
    peer.request(2, "after");
    await peer.answerTo(2);
    expect(called).toEqual(["after"]);
    expect(peer.received.slice(1)).toEqual([
      { jsonrpc: "2.0", id: null, error: { code: -32600, message: expect.any(String) } },
      { jsonrpc: "2.0", id: null, error: { code: -32600, message: expect.any(String) } },
      { jsonrpc: "2.0", id: 2, result: {} },
    ]);
    expect(diagnostics.map(({ code }) => code)).toEqual(["invalid_message", "invalid_message"]);
    peer.send({ jsonrpc: "2.0", id: 0, result: "in time" });
    expect(await asked).toBe("in time");
  });
});

describe("with `batches: unpack`", () => {
  it("V2-SEED-13: entries are handled in order, and every request among them gets its own answer", async () => {
    const called: unknown[] = [];
    const { connection, peer } = open(
      {
        tell: ({ n }, { bytes }) => void called.push(n, bytes > 0),
        ping: () => {
          called.push("ping");
          return "pong";
        },
      },
      { batches: "unpack" },
    );
    const asked = connection.request("ask", {}, { received: () => void called.push("answer") });
    await peer.call("ask");
    peer.send([
      { jsonrpc: "2.0", method: "tell", params: { n: 1 } },
      call("a"),
      { jsonrpc: "2.0", id: 0, result: "answered" },
      { jsonrpc: "2.0", method: "tell", params: { n: 2 } },
      call(9, "unknown"),
      call("z"),
    ]);
    await peer.answerTo("z");
    expect(await asked).toBe("answered");
    expect(called).toEqual([1, true, "ping", "answer", 2, true, "ping"]);
    expect(peer.received.slice(1)).toMatchObject([
      { id: "a", result: "pong" },
      { id: 9, error: { code: -32601 } },
      { id: "z", result: "pong" },
    ]);
  });

  it("V2-SEED-13: an entry that is no message is refused by itself; so are an empty array and one inside another", async () => {
    const { peer } = open({ ping: () => "pong" }, { batches: "unpack" });
    peer.send([7, call(1), [call(2)], { hello: 1 }], []);
    peer.request(3, "ping");
    await peer.answerTo(3);
    expect(peer.received.map((frame) => [frame.id, errorCode(frame) ?? frame.result])).toEqual([
      [null, -32600],
      [1, "pong"],
      [null, -32600],
      [null, -32600],
      [null, -32600],
      [3, "pong"],
    ]);
  });

  it("V2-SEED-13: an array of more than 1 000 entries is refused as a whole, one of 1 000 is not", async () => {
    let pings = 0;
    const { peer } = open({ ping: () => ++pings }, { batches: "unpack" });
    const calls = Array.from({ length: 1_001 }, (_, id) => call(id));
    peer.send(calls);
    peer.request("between", "ping");
    await peer.answerTo("between");
    expect(peer.received).toMatchObject([{ id: null, error: { code: -32600 } }, { id: "between" }]);
    peer.send(calls.slice(1));
    await peer.answerTo(1_000);
    expect(pings).toBe(1_001);
  });

  it("entries after one that closed the connection are not handled", async () => {
    const called: string[] = [];
    const { connection, peer } = open(
      { bye: () => void connection.close(), ping: () => void called.push("ping") },
      { batches: "unpack" },
    );
    peer.send([call(1), call(2, "bye"), call(3)]);
    await connection.closed;
    expect(called).toEqual(["ping"]);
  });
});
