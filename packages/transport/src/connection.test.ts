import { describe, expect, it } from "vitest";
import { open, RawPeer, rawPeer } from "../test/raw-peer.js";
import { createMemoryPair } from "./channels/index.js";
import { type Channel, createConnection, type Diagnostic, InvalidMessageError, RpcError } from "./index.js";

const integer = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: (value: unknown) =>
      Number.isInteger(value) ? { value: value as number } : { issues: [{ message: "expected integer" }] },
  },
} as const;

describe("answers to our questions", () => {
  it("V1-RPC-05, V2-ENV-03: counts ids from 0 and never uses one twice", async () => {
    const { connection, peer } = open();
    const first = connection.request("a", {});
    const second = connection.request("b", {});
    await peer.call("b");
    expect(peer.received.map(({ id }) => id)).toEqual([0, 1]);
    peer.send({ jsonrpc: "2.0", id: 1, result: "B" }, { jsonrpc: "2.0", id: 0, result: "A" });
    expect(await Promise.all([first, second])).toEqual(["A", "B"]);
  });

  it("V1-RPC-04, V2-ENV-03: an equal id in the other direction is another request", async () => {
    const { connection, peer } = open({ ping: () => "pong" });
    const answer = connection.request("ask", {});
    await peer.call("ask");
    peer.request(0, "ping");
    expect(await peer.answerTo(0)).toEqual({ jsonrpc: "2.0", id: 0, result: "pong" });
    peer.send({ jsonrpc: "2.0", id: 0, result: "answer" });
    expect(await answer).toBe("answer");
  });

  it("V1-ERR-02: an error keeps its code, message and data", async () => {
    const { connection, peer } = open();
    const answer = connection.request("ask", {});
    await peer.call("ask");
    peer.send({ jsonrpc: "2.0", id: 0, error: { code: 4711, message: "no", data: { why: 1 } } });
    await expect(answer).rejects.toMatchObject({ name: "RpcError", code: 4711, message: "no", data: { why: 1 } });
  });

  it.each([
    ["Internal error", { details: "no key" }, "Internal error: no key"],
    ["Internal error: no key", { details: "no key" }, "Internal error: no key"],
    ["Internal error", { details: 7 }, "Internal error"],
    ["Internal error", null, "Internal error"],
    ["no", { details: "x".repeat(5_000) }, `no: ${"x".repeat(2_000)}`],
  ])("defect F3: the message %j of an error with the data %j tells the cause", async (message, data, reported) => {
    const { connection, peer } = open();
    const answer = connection.request("ask", {});
    await peer.call("ask");
    peer.send({ jsonrpc: "2.0", id: 0, error: { code: -32603, message, data } });
    await expect(answer).rejects.toMatchObject({ code: -32603, message: reported });
  });

  it.each([
    ["both", { result: 1, error: { code: 1, message: "x" } }],
    ["neither", {}],
    ["a malformed error", { error: "bad" }],
  ])("V1-RPC-10: a response with %s fails its call and nothing else", async (_, body) => {
    const { connection, peer } = open();
    const answer = connection.request("ask", {});
    await peer.call("ask");
    peer.send({ jsonrpc: "2.0", id: 0, ...body });
    await expect(answer).rejects.toMatchObject({ code: "invalid_message", method: "ask" });
    const next = connection.request("again", {});
    peer.send({ jsonrpc: "2.0", id: 1, result: 2 });
    expect(await next).toBe(2);
    expect(peer.received.filter((frame) => !("method" in frame))).toEqual([]);
  });

  it("V1-RPC-26: a result of the wrong shape rejects with method and fault", async () => {
    const { connection, peer } = open();
    const answer = connection.request("ask", {}, { result: integer });
    await peer.call("ask");
    peer.send({ jsonrpc: "2.0", id: 0, result: "text" });
    await expect(answer).rejects.toThrow("ask: invalid result: expected integer.");
  });

  it("V1-RPC-11: an answer to no question is dropped and reported", async () => {
    const { connection, peer, diagnostics } = open();
    peer.send({ jsonrpc: "2.0", id: 99, result: 1 }, { jsonrpc: "2.0", error: { code: 1, message: "no id" } });
    const answer = connection.request("ask", {});
    await peer.call("ask");
    peer.send({ jsonrpc: "2.0", id: 0, result: 1 });
    await answer;
    expect(diagnostics.map(({ code }) => code)).toEqual(["unknown_response", "unknown_response"]);
  });

  it("run `received` before the next message of the same write is looked at", async () => {
    const seen: string[] = [];
    const { connection, peer } = open({ note: () => void seen.push("note") });
    const answer = connection.request("ask", {}, { received: () => void seen.push("received") });
    await peer.call("ask");
    peer.send({ jsonrpc: "2.0", id: 0, result: {} }, { jsonrpc: "2.0", method: "note" });
    await answer;
    expect(seen).toEqual(["received", "note"]);
  });
});

describe("the peer's calls", () => {
  it("V1-RPC-06, V1-RPC-22: every id comes back as it came, digit by digit", async () => {
    const { peer } = open({ ping: () => "pong" });
    const ids = [0, "", "1", 1, -7, 9007199254740993n, null];
    for (const id of ids) peer.request(id, "ping");
    await peer.answerTo(null);
    expect(peer.received.map(({ id }) => id)).toEqual(ids);
  });

  it("V1-RPC-12: an unknown request is -32601, an unknown notification nothing", async () => {
    const { peer } = open({ ping: () => "pong" });
    peer.send({ jsonrpc: "2.0", method: "unknown" });
    peer.request(1, "unknown");
    expect(await peer.answerTo(1)).toMatchObject({ error: { code: -32601, data: { method: "unknown" } } });
    expect(peer.received).toHaveLength(1);
  });

  it.each([
    ["an array", [{ jsonrpc: "2.0", id: 1, method: "ping" }]],
    ["an empty array", []],
    ["a number", 7],
    ["null", null],
    ["an object that is neither call nor answer", { hello: 1 }],
    ["a call without jsonrpc", { id: 1, method: "ping" }],
    ["a method that is not a string", { jsonrpc: "2.0", id: 1, method: 5 }],
    ["an id with a fraction", { jsonrpc: "2.0", id: 1.5, method: "ping" }],
    ["an id that is an object", { jsonrpc: "2.0", id: {}, method: "ping" }],
  ])("V1-RPC-14, V1-RPC-15: %s gets one -32600 with id null, and reading goes on", async (_, frame) => {
    const { peer } = open({ ping: () => "pong" });
    peer.send(frame);
    peer.request(2, "ping");
    await peer.answerTo(2);
    expect(peer.received).toHaveLength(2);
    expect(peer.received[0]).toMatchObject({ id: null, error: { code: -32600 } });
  });

  it("V1-RPC-07: missing and null params read as {}, positional params are -32602", async () => {
    const { peer } = open({ echo: (params) => ({ params }) });
    peer.request(1, "echo");
    peer.request(2, "echo", null);
    peer.request(3, "echo", [1]);
    await peer.answerTo(3);
    expect(peer.received).toMatchObject([
      { id: 1, result: { params: {} } },
      { id: 2, result: { params: {} } },
      { id: 3, error: { code: -32602 } },
    ]);
  });

  it("V1-RPC-13: params that break their schema are -32602 with the path of the fault", async () => {
    const params = {
      "~standard": { ...integer["~standard"], validate: () => ({ issues: [{ message: "bad", path: ["a", 0] }] }) },
    };
    const { peer } = open({}, { route: () => ({ params, receive: () => "never" }) });
    peer.request(1, "set", { a: [1] });
    expect(await peer.answerTo(1)).toMatchObject({
      error: {
        code: -32602,
        message: expect.stringContaining("set"),
        data: { issues: [{ path: "a.0", message: "bad" }] },
      },
    });
  });

  it("params of a validator that says issues: undefined are valid", async () => {
    const validate = (value: unknown) => ({ value, issues: undefined });
    const params = { "~standard": { ...integer["~standard"], validate } };
    const { peer } = open({}, { route: () => ({ params, receive: (read: unknown) => ({ read }) }) });
    peer.request(1, "set", { a: [1] });
    expect(await peer.answerTo(1)).toMatchObject({ result: { read: { a: [1] } } });
  });

  it("V1-RPC-16: a failing handler is -32603, an RpcError is itself", async () => {
    const { peer } = open({
      fail: () => {
        throw new Error("boom");
      },
      refuse: async () => {
        throw RpcError.resourceNotFound({ uri: "x" });
      },
    });
    peer.request(1, "fail");
    peer.request(2, "refuse");
    expect(await peer.answerTo(1)).toMatchObject({ error: { code: -32603, data: { details: "boom" } } });
    expect(await peer.answerTo(2)).toMatchObject({ error: { code: -32002, data: { uri: "x" } } });
  });

  it("V1-RPC-06: a failing notification is reported and not answered", async () => {
    const { peer, diagnostics } = open({
      ping: () => "pong",
      note: () => {
        throw new Error("boom");
      },
    });
    peer.send({ jsonrpc: "2.0", method: "note" });
    peer.request(1, "ping");
    await peer.answerTo(1);
    expect(peer.received).toHaveLength(1);
    expect(diagnostics).toMatchObject([{ code: "notification_failed", method: "note" }]);
  });

  it("defect F3: an exception of a handler is reported with its stack, and its answer tells the cause", async () => {
    const error = new Error("no key");
    const { peer, diagnostics } = open({
      ping: () => {
        throw error;
      },
    });
    peer.request(1, "ping");
    expect(await peer.answerTo(1)).toMatchObject({ error: { code: -32603, message: "Internal error: no key" } });
    expect(diagnostics).toEqual([
      { code: "handler_failed", method: "ping", error, message: "The handler of ping failed: no key" },
    ]);
  });

  it("defect F3: an answer that a handler chose is not reported", async () => {
    const { peer, diagnostics } = open({
      ping: async () => {
        throw RpcError.invalidParams("no such file");
      },
    });
    peer.request(1, "ping");
    await peer.answerTo(1);
    expect(diagnostics).toEqual([]);
  });

  it.each([
    [
      "the fault of its params",
      new InvalidMessageError("note", "params", [{ path: ["a", 0], message: "expected text" }]),
      "A note of the peer was dropped: invalid params at a.0: expected text.",
    ],
    [
      "the refusal of its handler",
      RpcError.invalidParams("no such session"),
      "A note of the peer was dropped: Invalid params: no such session.",
    ],
    [
      "the cause, for a failure of its handler",
      new Error("no such note"),
      "A note of the peer was dropped: its handler failed: no such note.",
    ],
  ])("defect F15: the report of a dropped notification says %s", async (_, error, message) => {
    const { peer, diagnostics } = open({
      ping: () => "pong",
      note: () => {
        throw error;
      },
    });
    peer.send({ jsonrpc: "2.0", method: "note" });
    peer.request(1, "ping");
    await peer.answerTo(1);
    expect(diagnostics).toMatchObject([{ method: "note", message, error }]);
  });

  it("an id that is still open is refused without touching the running request", async () => {
    let finish = (_: string) => {};
    const { peer } = open({ slow: () => new Promise((resolve) => (finish = resolve)) });
    peer.request(1, "slow");
    peer.request(1, "slow");
    expect(await peer.next(({ id }) => id === null)).toMatchObject({ error: { code: -32600 } });
    finish("done");
    expect(await peer.answerTo(1)).toMatchObject({ result: "done" });
  });

  it("beyond the bound of open requests, one more is answered with an error at receipt", async () => {
    const { peer } = open({ slow: () => new Promise(() => {}) }, { limits: { incomingRequests: 2 } });
    for (const id of [1, 2, 3]) peer.request(id, "slow");
    expect(await peer.answerTo(3)).toMatchObject({ error: { code: -32603 } });
    expect(peer.received).toHaveLength(1);
  });

  it("afterResponse runs in the tick in which the answer was sent: what it sends follows the answer", async () => {
    const { connection, peer } = open({
      new: (_params, call) => {
        call.afterResponse(() => connection.notify("first", {}));
        return { sessionId: "s" };
      },
    });
    peer.request(1, "new");
    await peer.call("first");
    expect(peer.received.map(({ id, method }) => id ?? method)).toEqual([1, "first"]);
  });
});

describe("updates", () => {
  it("V2-ENV-12: are told in the order of receipt, session by session, however long a listener takes", async () => {
    const reported: string[] = [];
    const slow: (() => void)[] = [];
    const { channel, peer } = rawPeer();
    const connection = createConnection(channel);
    const lanes = { a: connection.openLane(), b: connection.openLane() };
    connection.route = () => ({
      receive: ({ session, n }: { session: "a" | "b"; n: number }, { bytes }) =>
        lanes[session].notify(bytes, async () => {
          if (session === "a") await new Promise<void>((resolve) => slow.push(resolve));
          reported.push(`${session}${n}`);
        }),
    });
    for (const n of [1, 2, 3]) {
      for (const session of ["a", "b"]) peer.send({ jsonrpc: "2.0", method: "update", params: { session, n } });
    }
    peer.request("last", "update", { session: "b", n: 4 });
    await peer.answerTo("last");
    await lanes.b.settled();
    expect(reported).toEqual(["b1", "b2", "b3", "b4"]);
    for (const turn of [1, 2, 3]) {
      expect(slow).toHaveLength(turn);
      slow[turn - 1]?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(reported.slice(4)).toEqual(["a1", "a2", "a3"]);
  });
});

describe("holding calls", () => {
  it("keeps the peer's calls until released, and lets answers pass", async () => {
    const seen: string[] = [];
    const { connection, peer } = open({ note: () => void seen.push("note"), ping: () => "pong" });
    const release = connection.hold();
    const answer = connection.request("initialize", {});
    await peer.call("initialize");
    peer.send({ jsonrpc: "2.0", method: "note" }, { jsonrpc: "2.0", id: 0, result: "hi" });
    peer.request(1, "ping");
    expect(await answer).toBe("hi");
    expect(seen).toEqual([]);
    release();
    expect(seen).toEqual(["note"]);
    expect(await peer.answerTo(1)).toMatchObject({ result: "pong" });
  });

  it("is bounded: beyond the budget requests are refused and notifications dropped", async () => {
    const { connection, peer, diagnostics } = open({}, { limits: { waitingMessages: 2 } });
    connection.hold();
    for (const id of [1, 2, 3]) peer.request(id, "ping");
    expect(await peer.answerTo(3)).toMatchObject({ error: { code: -32603 } });
    expect(diagnostics).toMatchObject([{ code: "dropped", method: "ping" }]);
  });

  it("a held request has its id like any other: a second one is refused, a withdrawn one never reaches its route", async () => {
    const seen: string[] = [];
    const { connection, peer } = open({ first: () => void seen.push("first"), next: () => void seen.push("next") });
    const release = connection.hold();
    for (const [id, method] of [
      [1, "first"],
      [1, "first"],
      [2, "next"],
    ] as const)
      peer.request(id, method);
    peer.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: 2 } });
    expect(await peer.answerTo(null)).toMatchObject({ error: { code: -32600 } });
    expect(await peer.answerTo(2)).toMatchObject({ error: { code: -32800 } });
    release();
    expect(await peer.answerTo(1)).toMatchObject({ result: {} });
    expect(seen).toEqual(["first"]);
    expect(peer.received).toHaveLength(3);
  });
});

describe("room to write", () => {
  const always = Promise.resolve();

  /** A connection whose channel says of every notification when there is room for more. */
  function openFull(room: () => Promise<void>) {
    const { channel, peer } = rawPeer();
    const send = (message: Parameters<Channel["send"]>[0]) =>
      channel.send(message) ?? ("id" in message ? undefined : room());
    const full = new Proxy(channel, {
      get: (target, name) => {
        if (name === "send") return send;
        const member: unknown = Reflect.get(target, name, target);
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
    return { connection: createConnection(full, { limits: { waitingMessages: 2 } }), peer };
  }

  it("comes to everybody who waits for it, in the order in which they sent", async () => {
    let makeRoom = () => {};
    const room = new Promise<void>((resolve) => {
      makeRoom = resolve;
    });
    const { connection } = openFull(() => room);
    const wentOn: string[] = [];
    const sends = ["a", "b", "c"].map(async (method) => {
      await connection.notify(method, {});
      wentOn.push(method);
    });
    await Promise.resolve();
    expect(wentOn).toEqual([]);
    makeRoom();
    await Promise.all(sends);
    expect(wentOn).toEqual(["a", "b", "c"]);
  });

  it.each([
    ["one promise for ever", () => always],
    ["a promise for each send", () => Promise.resolve()],
  ])("that came lets a listener hold its lane again, with %s", async (_, next) => {
    const { connection, peer } = openFull(next);
    const lane = connection.openLane();
    const reported: number[] = [];
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    connection.route = () => ({ receive: ({ n }: { n: number }) => lane.notify(1, () => tell(n)) });
    const tell = (n: number) => {
      reported.push(n);
      return n === 0 ? finished : undefined;
    };
    const arrive = async (...numbers: number[]) => {
      for (const n of numbers) peer.send({ jsonrpc: "2.0", method: "note", params: { n } });
      await new Promise((resolve) => setImmediate(resolve));
    };
    await connection.notify("a", {});
    await arrive(0);
    await connection.notify("b", {});
    await arrive(1, 2);
    expect(reported).toEqual([0]);
    finish();
    await lane.settled();
    expect(reported).toEqual([0, 1, 2]);
  });
});

describe("the end of a connection", () => {
  it("V1-RPC-20, V2-TRA-06: fails open calls, aborts running handlers, writes nothing more, and settles `closed` last", async () => {
    const order: string[] = [];
    const { connection, peer } = open({
      slow: (_params, call) =>
        new Promise((resolve) => call.signal.addEventListener("abort", () => resolve(order.push("handler aborted")))),
    });
    peer.request(1, "slow");
    const answer = connection.request("ask", {}).catch((error) => order.push(error.code));
    await peer.call("ask");
    await peer.close();
    await answer;
    const reason = await connection.closed;
    order.push("closed");
    expect(reason.kind).toBe("remote");
    expect(order.sort()).toEqual(["closed", "connection_closed", "handler aborted"]);
    expect(peer.received).toHaveLength(1);
    await expect(connection.request("late", {})).rejects.toMatchObject({ code: "connection_closed" });
    expect(connection.notify("late", {})).toBeUndefined();
  });

  it("answers received before the end still settle, and lanes are told what was received", async () => {
    const reported: string[] = [];
    const { channel, peer } = rawPeer();
    const connection = createConnection(channel);
    const lane = connection.openLane();
    connection.route = () => ({
      receive: ({ n }: { n: number }) =>
        lane.notify(1, async () => {
          await Promise.resolve();
          reported.push(`update ${n}`);
        }),
    });
    const answer = connection.request("ask", {});
    await peer.call("ask");
    peer.send(
      { jsonrpc: "2.0", method: "u", params: { n: 1 } },
      { jsonrpc: "2.0", method: "u", params: { n: 2 } },
      { jsonrpc: "2.0", id: 0, result: "ok" },
    );
    await peer.close();
    expect(await answer).toBe("ok");
    await connection.closed;
    expect(reported).toEqual(["update 1", "update 2"]);
  });

  it("a message that JSON cannot express fails its caller, or is answered with -32603, and nothing else", async () => {
    const { channel, peer } = rawPeer();
    const unsendable: Channel = {
      closed: channel.closed,
      start: (receiver) => channel.start(receiver),
      pause: () => channel.pause(),
      resume: () => channel.resume(),
      close: () => channel.close(),
      send: (message) => {
        if (JSON.stringify(message).includes("cycle")) throw new TypeError("no JSON");
        return channel.send(message);
      },
    };
    const connection = createConnection(unsendable, { route: () => ({ receive: () => "cycle" }) });
    await expect(connection.request("ask", { cycle: 1 })).rejects.toThrow(TypeError);
    peer.request(1, "get");
    expect(await peer.answerTo(1)).toMatchObject({ error: { code: -32603 } });
    const next = connection.request("ask", {});
    peer.send({ jsonrpc: "2.0", id: 1, result: "fine" });
    expect(await next).toBe("fine");
  });

  it("too many open calls of ours fail at once", async () => {
    const { connection } = open({}, { limits: { outgoingRequests: 1 } });
    void connection.request("one", {}).catch(() => undefined);
    await expect(connection.request("two", {})).rejects.toMatchObject({ code: "too_many_requests" });
  });
});

describe("invalid lines", () => {
  function noisy(invalidLines: "report" | "answer") {
    const [channel, end] = createMemoryPair();
    const peer = new RawPeer(end);
    let makeNoise = (_sample: string) => {};
    const diagnostics: Diagnostic[] = [];
    const wrapped: Channel = {
      closed: channel.closed,
      send: (message) => channel.send(message),
      pause: () => channel.pause(),
      resume: () => channel.resume(),
      close: () => channel.close(),
      start: (receiver) => {
        makeNoise = (sample) => receiver.invalidLine(sample);
        channel.start(receiver);
      },
    };
    createConnection(wrapped, {
      invalidLines,
      route: () => ({ receive: () => "pong" }),
      onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    });
    return { peer, diagnostics, makeNoise };
  }

  it("is reported and never answered on the side that launched the other", async () => {
    const { peer, diagnostics, makeNoise } = noisy("report");
    makeNoise("npm WARN");
    peer.request(1, "ping");
    await peer.answerTo(1);
    expect(peer.received).toHaveLength(1);
    expect(diagnostics).toMatchObject([{ code: "invalid_line", message: expect.stringContaining("npm WARN") }]);
  });

  it("V1-RPC-14: is answered with -32700 where that is asked for", async () => {
    const { peer, makeNoise } = noisy("answer");
    makeNoise("{broken");
    expect(await peer.answerTo(null)).toMatchObject({ error: { code: -32700 } });
  });
});
