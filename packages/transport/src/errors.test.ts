import { describe, expect, it } from "vitest";
import { open, rawPeer } from "../test/raw-peer.js";
import { asSentence, type Channel, createConnection, RpcError, rpcErrorCode, toRpcError } from "./index.js";

/** The catalogues' table: the code, its named constructor, and the data by which it is told what is meant. */
const TABLE: readonly (readonly [code: number, name: keyof typeof rpcErrorCode, made: RpcError, data: unknown])[] = [
  [-32700, "parseError", RpcError.parseError("x"), undefined],
  [-32600, "invalidRequest", RpcError.invalidRequest("x"), undefined],
  [-32601, "methodNotFound", RpcError.methodNotFound("no/such"), { method: "no/such" }],
  [-32602, "invalidParams", RpcError.invalidParams("x", { at: 1 }), { at: 1 }],
  [-32603, "internalError", RpcError.internalError("broke"), { details: "broke" }],
  [-32800, "requestCancelled", RpcError.requestCancelled(), undefined],
  [-32000, "authRequired", RpcError.authRequired(), undefined],
  [-32002, "resourceNotFound", RpcError.resourceNotFound({ sessionId: "s" }), { sessionId: "s" }],
  [-32022, "unsupportedProtocolVersion", RpcError.unsupportedProtocolVersion(1, [2]), { requested: 1, supported: [2] }],
];

describe("asSentence", () => {
  it.each(["It broke.", "Is it open?", "Stop!", "wait…"])("leaves the end of %s", (text) => {
    expect(asSentence(text)).toBe(text);
  });

  it.each(["", "It broke", "It has no file (a.txt)"])("adds a point to %j", (text) => {
    expect(asSentence(text)).toBe(`${text}.`);
  });
});

describe("the codes of the protocol", () => {
  it.each(TABLE)("V1-ERR-01, V2-ERR-03: %i is %s, by name and on the wire", async (code, name, made, data) => {
    expect(rpcErrorCode[name]).toBe(code);
    const { connection, peer } = open({
      fail: () => {
        throw made;
      },
    });
    peer.request(1, "fail");
    const answer = await peer.answerTo(1);
    expect(answer.error).toEqual({ code, message: made.message, ...(data !== undefined && { data }) });
    const asked = connection.request("ask", {});
    peer.send({ ...answer, id: (await peer.call("ask")).id });
    const back = await asked.catch((error: unknown) => error);
    expect(back).toBeInstanceOf(RpcError);
    expect(back).toMatchObject({ code, message: made.message });
    expect((back as RpcError).data).toEqual(data);
  });

  it.each([
    ["at once", (error: Error) => Promise.reject(error)],
    [
      "by a throw",
      (error: Error) => {
        throw error;
      },
    ],
  ])("V1-ERR-01: an error whose members cannot be read is an internal error, %s", async (_, fail) => {
    const unreadable = () => {
      throw new Error("no");
    };
    const error = Object.defineProperty(new Error("x"), "code", { get: unreadable });
    const { peer } = open({ fail: () => fail(error), ping: () => "pong" });
    peer.send({ jsonrpc: "2.0", method: "fail", params: {} });
    peer.request(1, "fail");
    expect((await peer.answerTo(1)).error).toMatchObject({ code: rpcErrorCode.internalError });
    peer.request(2, "ping");
    expect(await peer.answerTo(2)).toMatchObject({ result: "pong" });
  });

  it("V2-ERR-03: no code of the table lacks its named constructor", () => {
    expect(TABLE.map(([, name]) => name).sort()).toEqual(Object.keys(rpcErrorCode).sort());
    for (const [, name] of TABLE) expect(RpcError[name]).toBeTypeOf("function");
  });

  it("V1-ERR-01, V2-DEC-10: each fault that a connection sees itself has its code", async () => {
    const peers = rawPeer();
    let makeNoise = (_sample: string) => {};
    const channel: Channel = {
      closed: peers.channel.closed,
      send: (message) => peers.channel.send(message),
      pause: () => peers.channel.pause(),
      resume: () => peers.channel.resume(),
      close: () => peers.channel.close(),
      start: (receiver) => {
        makeNoise = (sample) => receiver.invalidLine(sample);
        peers.channel.start(receiver);
      },
    };
    const validate = () => ({ issues: [{ message: "bad" }] });
    const routes = {
      strict: { params: { "~standard": { version: 1, vendor: "test", validate } } as const, receive: () => "never" },
      fail: { receive: () => Promise.reject(new Error("boom")) },
      slow: {
        receive: (_: unknown, { signal }: { signal: AbortSignal }) =>
          new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("stopped")))),
      },
    };
    createConnection(channel, { invalidLines: "answer", route: (method) => routes[method as keyof typeof routes] });
    const { peer } = peers;
    makeNoise("{broken");
    for (const method of ["unknown", "strict", "fail", "slow"]) peer.request(method, method);
    peer.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: "slow" } }, []);
    await peer.answerTo("slow");
    await peer.next(({ error }) => (error as RpcError | undefined)?.code === -32600);
    expect(Object.fromEntries(peer.received.map(({ id, error }) => [(error as RpcError).code, id]))).toEqual({
      "-32700": null,
      "-32600": null,
      "-32601": "unknown",
      "-32602": "strict",
      "-32603": "fail",
      "-32800": "slow",
    });
  });

  it("V1-ERR-03: `data` names the method that is not there, and why a handler failed", async () => {
    const { peer } = open({
      fail: () => {
        throw new Error("disk full");
      },
      odd: () => Promise.reject("no error at all"),
      file: () => Promise.reject(RpcError.resourceNotFound({ uri: "file:///a" })),
    });
    for (const method of ["no/such", "fail", "odd", "file"]) peer.request(method, method);
    expect(await peer.answerTo("no/such")).toMatchObject({ error: { code: -32601, data: { method: "no/such" } } });
    expect(await peer.answerTo("fail")).toMatchObject({ error: { code: -32603, data: { details: "disk full" } } });
    expect(await peer.answerTo("odd")).toMatchObject({ error: { data: { details: "a handler failed" } } });
    expect(await peer.answerTo("file")).toMatchObject({ error: { code: -32002, data: { uri: "file:///a" } } });
  });
});

describe("errors on the wire", () => {
  it.each([-32_099, -32_000, -32_899, -33_001, 0, 1, 2_147_483_647, -2_147_483_648])(
    "V2-ERR-01, V2-ERR-03: the unknown code %i passes through, both ways",
    async (code) => {
      const { connection, peer } = open({ fail: () => Promise.reject(new RpcError(code, "Odd.", ["data"])) });
      peer.request(1, "fail");
      const answer = await peer.answerTo(1);
      expect(answer).toEqual({ jsonrpc: "2.0", id: 1, error: { code, message: "Odd.", data: ["data"] } });
      const asked = connection.request("ask", {});
      peer.send({ ...answer, id: (await peer.call("ask")).id });
      await expect(asked).rejects.toMatchObject({ name: "RpcError", code, message: "Odd.", data: ["data"] });
    },
  );

  it("V2-ERR-01: absent and null data are equal, and a falsy one is data", async () => {
    const errors = [{}, { data: null }, { data: false }, { data: 0 }];
    const read = errors.map(async (more) => {
      const { connection, peer } = open();
      const asked = connection.request("ask", {});
      await peer.call("ask");
      peer.send({ jsonrpc: "2.0", id: 0, error: { code: 1, message: "m", ...more } });
      return asked.catch((error: RpcError) => error.data);
    });
    expect(await Promise.all(read)).toEqual([undefined, undefined, false, 0]);
    const { peer } = open({ fail: () => Promise.reject(new RpcError(1, "m", null)) });
    peer.request(1, "fail");
    expect((await peer.answerTo(1)).error).toEqual({ code: 1, message: "m" });
  });

  it.each([1.5, 2_147_483_648, "1", null, undefined])(
    "V2-ERR-01: %s is no code: it fails its call as malformed, and is never sent",
    async (code) => {
      const { connection, peer } = open();
      const asked = connection.request("ask", {});
      await peer.call("ask");
      peer.send({ jsonrpc: "2.0", id: 0, error: { code, message: "m" } });
      await expect(asked).rejects.toMatchObject({ code: "invalid_message", issues: [{ path: ["error"] }] });
      const error = Object.assign(new RpcError(1, "m"), { code });
      expect(toRpcError(error)).toMatchObject({ code: -32603, data: { details: "m" } });
    },
  );
});

it("defect N59: the message of a resource that does not exist names it, and not more than 200 characters of it", () => {
  expect(RpcError.resourceNotFound({ path: "/a/b.ts" }).message).toBe("Resource not found: /a/b.ts");
  expect(RpcError.resourceNotFound("file:///a").message).toBe("Resource not found: file:///a");
  expect(RpcError.resourceNotFound({ sessionId: "x".repeat(1_000) }).message).toHaveLength(220);
  for (const data of [undefined, null, {}, { terminalId: 1 }])
    expect(RpcError.resourceNotFound(data).message).toBe("Resource not found");
});

it.each<[string, unknown, unknown]>([
  ["the message first", "bad", -32000],
  ["no message", -32000, undefined],
  ["a code as text", "-32000", "bad"],
])(
  "defect N78: an RpcError whose code is no number, or whose message is no text, is refused: %s",
  (_name, code, message) => {
    expect(() => new RpcError(code as never, message as never)).toThrow("pass the code, then the message");
  },
);
