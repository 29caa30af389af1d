import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { createConnection, RpcError } from "../src/index.js";
import { createStdioChannel } from "../src/node/index.js";
import { lineTaker } from "./line-taker.js";
import { open } from "./raw-peer.js";

const routes = { ping: () => "pong", tell: () => undefined };

describe("what we send", () => {
  it("V1-RPC-01, V2-ENV-01: requests, notifications, results and errors have just the members of their kind", async () => {
    const { connection, peer } = open({
      ...routes,
      fail: () => {
        throw new RpcError(7, "No.");
      },
      explain: () => {
        throw new RpcError(7, "No.", { why: 1 });
      },
    });
    void connection.request("ask", { a: 1 }).catch(() => undefined);
    void connection.notify("note", {});
    for (const [id, method] of ["ping", "tell", "fail", "explain"].entries()) peer.request(id, method);
    await peer.answerTo(3);
    expect(peer.received).toEqual([
      { jsonrpc: "2.0", id: 0, method: "ask", params: { a: 1 } },
      { jsonrpc: "2.0", method: "note", params: {} },
      { jsonrpc: "2.0", id: 0, result: "pong" },
      { jsonrpc: "2.0", id: 1, result: {} },
      { jsonrpc: "2.0", id: 2, error: { code: 7, message: "No." } },
      { jsonrpc: "2.0", id: 3, error: { code: 7, message: "No.", data: { why: 1 } } },
    ]);
  });
});

describe("what we receive", () => {
  it("V1-RPC-01, V1-RPC-03, V2-ENV-01: members tell requests, notifications and answers apart", async () => {
    const kinds: unknown[] = [];
    const { connection, peer, diagnostics } = open({
      m: (params, { message }) => {
        kinds.push([params, "id" in message ? message.id : "notification"]);
        return "answered";
      },
    });
    const asked = connection.request("ask", {});
    await peer.call("ask");
    peer.send(
      { jsonrpc: "2.0", method: "m", params: { n: 1 } },
      { jsonrpc: "2.0", id: null, method: "m", params: { n: 2 } },
      { jsonrpc: "2.0", id: 0, method: "m", params: { n: 3 } },
      { jsonrpc: "2.0", id: 0, result: "ours" },
    );
    expect(await asked).toBe("ours");
    expect(kinds).toEqual([
      [{ n: 1 }, "notification"],
      [{ n: 2 }, null],
      [{ n: 3 }, 0],
    ]);
    expect(await peer.answerTo(null)).toEqual({ jsonrpc: "2.0", id: null, result: "answered" });
    expect(await peer.answerTo(0)).toEqual({ jsonrpc: "2.0", id: 0, result: "answered" });
    expect(peer.received).toHaveLength(3);
    expect(diagnostics).toEqual([]);
  });

  it.each([
    ["a call of another JSON-RPC", { jsonrpc: "1.0", id: 1, method: "ping" }],
    ["a notification of none", { method: "ping" }],
  ])("V1-RPC-01, V2-ENV-01: %s is no message", async (_, frame) => {
    const { peer } = open(routes);
    peer.send(frame);
    expect(await peer.answerTo(null)).toMatchObject({ error: { code: -32600 } });
  });
});

describe("ids", () => {
  it.each([
    ["a text", '"1"'],
    ["an empty text", '""'],
    ["zero", "0"],
    ["a negative number", "-1"],
    ["the largest int64", "9223372036854775807"],
    ["the smallest int64", "-9223372036854775808"],
    ["null", "null"],
  ])("V1-RPC-02, V2-ENV-02: %s comes back as it was written", async (_, id) => {
    const { answers } = await overLines(`{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`, 1);
    expect(answers.map((line) => line.replaceAll(" ", ""))).toEqual([expect.stringContaining(`"id":${id},`)]);
    expect(JSON.parse(answers[0] as string)).toHaveProperty("result", "pong");
  });

  it("V1-RPC-02, V2-ENV-02: ours are integers, and an answer with an equal text is not ours", async () => {
    const { connection, peer, diagnostics } = open();
    const asked = connection.request("ask", {});
    expect((await peer.call("ask")).id).toSatisfy(Number.isSafeInteger);
    peer.send({ jsonrpc: "2.0", id: "0", result: "not ours" }, { jsonrpc: "2.0", id: 0, result: "ours" });
    expect(await asked).toBe("ours");
    expect(diagnostics).toMatchObject([{ code: "unknown_response" }]);
  });

  it.each([
    ["null", null],
    ["a fraction", 1.5],
    ["a truth value", true],
    ["an array", [1]],
    ["an object", { id: 1 }],
  ])("V2-ENV-04, V2-ENV-05: where null is no id, %s gets -32600 with id null and is not processed", async (_, id) => {
    let pings = 0;
    const { peer } = open({ ping: () => ++pings }, { nullIds: () => false });
    peer.request(id, "ping");
    peer.request(1, "ping");
    await peer.answerTo(1);
    expect(pings).toBe(1);
    expect(peer.received).toMatchObject([
      { id: null, error: { code: -32600 } },
      { id: 1, result: 1 },
    ]);
  });

  it("V2-ENV-04: errors of requests that could be read carry their id, and no success has none", async () => {
    const params = { "~standard": { version: 1, vendor: "test", validate: () => ({ issues: [{ message: "bad" }] }) } };
    const { peer } = open(
      {},
      {
        nullIds: () => false,
        route(method) {
          if (method === "bad params") return { params: params as never, receive: () => "never" };
          if (method === "fails") return { receive: () => Promise.reject(new Error("x")) };
          return method === "works" ? { receive: () => "result" } : undefined;
        },
      },
    );
    const methods = ["bad params", "fails", "no such method", "works"];
    for (const method of methods) peer.request(method, method);
    peer.request(null, "works");
    for (const method of methods) await peer.answerTo(method);
    const codes = Object.fromEntries(peer.received.map(({ id, error }) => [id, (error as RpcError | undefined)?.code]));
    expect(codes).toEqual({
      "bad params": -32602,
      fails: -32603,
      "no such method": -32601,
      works: undefined,
      null: -32600,
    });
  });
});

describe("what nobody understands", () => {
  it("V2-ENV-07: text that is no JSON is -32700, JSON that is no message -32600, both with id null", async () => {
    const { answers } = await overLines('{"jsonrpc":\n7\n"text"\ntrue\nnull\n{}\n{"params":{}}\n', 7);
    expect(answers.map((line) => JSON.parse(line)).map(({ id, error }) => [id, error.code])).toEqual([
      [null, -32700],
      ...Array(6).fill([null, -32600]),
    ]);
  });

  it("V2-ENV-07: what has no method but an id, a result or an error is an answer, and never answered", async () => {
    const { peer, diagnostics } = open(routes);
    const answers = [
      { id: 5 },
      { result: 1 },
      { error: "x" },
      { id: null, error: { code: 1, message: "m" } },
      { id: {} },
    ];
    peer.send(...answers.map((answer) => ({ jsonrpc: "2.0", ...answer })));
    peer.request(1, "ping");
    await peer.answerTo(1);
    expect(peer.received).toHaveLength(1);
    expect(diagnostics.map(({ code }) => code)).toEqual(Array(5).fill("unknown_response"));
  });

  it("V1-RPC-25, V2-ENV-09: an unknown request is -32601; unknown notifications, those of $/ too, get nothing", async () => {
    const { peer, diagnostics } = open(routes);
    for (const method of ["unknown", "$/progress", "_mine"]) peer.send({ jsonrpc: "2.0", method, params: { a: 1 } });
    for (const method of ["unknown", "$/unknown", "_mine"]) peer.request(method, method);
    await peer.answerTo("_mine");
    expect(peer.received.map(({ id, error }) => [id, (error as RpcError).code])).toEqual([
      ["unknown", -32601],
      ["$/unknown", -32601],
      ["_mine", -32601],
    ]);
    expect(diagnostics).toEqual([]);
  });
});

describe("diagnostics", () => {
  it("V2-ENV-14: name what happened and never hold values of messages", async () => {
    const secret = "SECRET-42";
    const { answers, diagnostics } = await overLines(
      [
        `{"jsonrpc":"2.0","method":"tell","params":{"env":[{"name":"TOKEN","value":"${secret}"}]`,
        `","value":"${secret}"}]}}`,
        `{"jsonrpc":"2.0","method":"strict","params":{"token":"${secret}"}}`,
        `{"jsonrpc":"2.0","id":1,"method":"strict","params":{"token":"${secret}"}}`,
        `{"jsonrpc":"2.0","id":77,"result":{"token":"${secret}"}}`,
        `{"jsonrpc":"2.0","id":78,"error":{"code":1,"message":"m","data":"${secret}"}}`,
        `{"id":2,"method":"ping","params":{"token":"${secret}"}}`,
        `[{"token":"${secret}"}]`,
        "a plain log line",
        "",
      ].join("\n"),
      6,
    );
    expect(diagnostics.map(({ code }) => code)).toEqual([
      "invalid_line",
      "invalid_line",
      "invalid_message",
      "unknown_response",
      "unknown_response",
      "invalid_message",
      "invalid_message",
      "invalid_line",
    ]);
    expect(diagnostics[2]?.method).toBe("strict");
    expect(diagnostics[2]?.error).toMatchObject({ issues: [{ path: ["token"], message: "expected a number" }] });
    expect(diagnostics[7]?.message).toContain("a plain log line");
    for (const { message, error } of diagnostics) expect(`${message}${String(error)}`).not.toContain(secret);
    expect(JSON.stringify(diagnostics)).not.toContain(secret);
    expect(answers.join()).not.toContain(secret);
  });
});

const strict = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: () => ({ issues: [{ path: ["token"], message: "expected a number" }] }),
  },
} as const;

/** Writes text to a connection over lines, as an agent has it, and waits for so many lines in return. */
async function overLines(text: string, count: number) {
  const input = new PassThrough();
  const output = new PassThrough();
  const diagnostics: { code: string; message: string; method?: string; error?: unknown }[] = [];
  const { lines, take } = lineTaker();
  output.on("data", take);
  const connection = createConnection(createStdioChannel({ input, output }), {
    invalidLines: "answer",
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    route: (method) =>
      method === "strict"
        ? { params: strict, receive: () => "never" }
        : method === "ping"
          ? { receive: () => "pong" }
          : undefined,
  });
  input.write(text);
  const answers = [...(await lines.atLeast(count))];
  await connection.close();
  return { answers, diagnostics };
}
