import { describe, expect, it } from "vitest";
import { texts, update } from "../client/remote-client.js";
import { type AgentSide, RawAgent } from "./raw-agent.js";
import { Stage } from "./raw-client.js";
import { SocketStage } from "./raw-socket.js";

const authorize = (request: Request) => ({ id: request.headers.get("Authorization") ?? "b" });
const greedy = { Authorization: "a" };
const asks = { _meta: { "acp/resumable": true } };
const long = "x".repeat(600);
const large = (id: unknown) => ({ id, method: "session/prompt", params: { sessionId: "s", prompt: [long] } });
const more = (stage: Stage) => stage.agent.sides.at(-1) as AgentSide;

/** Opens a connection over HTTP for a principal. Returns its headers, and the side of the agent. */
async function connect(stage: Stage, principal = {}, params = {}) {
  await (await stage.initialize(params, principal)).text();
  return { headers: { ...stage.headers(), ...principal }, side: more(stage) };
}

describe("open requests", () => {
  it("defect M2: have a size in common over HTTP; messages that free it still arrive", async () => {
    const stage = await Stage.connected({ limits: { requestCharacters: 1_000 } });
    expect((await stage.post(large(1))).status).toBe(202);
    expect((await stage.post(large(2))).status).toBe(429);
    expect((await stage.post({ method: "session/cancel", params: { sessionId: "s" } })).status).toBe(202);
    stage.agent.side.answer(1);
    expect((await (await stage.events("s")).next())?.id).toBe(1);
    expect((await stage.post(large(2))).status).toBe(202);
    expect(stage.agent.side.count("session/prompt")).toBe(2);
  });

  it("defect M2: have a size in common on a WebSocket", async () => {
    const stage = new SocketStage({ limits: { requestCharacters: 1_000 } });
    const socket = await stage.begin();
    socket.write(large(1), large(2));
    expect(await socket.answer(2)).toMatchObject({ error: { code: -32603 } });
    stage.agent.side.answer(1);
    await socket.answer(1);
    socket.write(large(3));
    expect((await stage.agent.side.call("session/prompt", 1)).id).toBe(3);
  });

  it("defect M2: of all connections of a principal have a bound, which others do not feel", async () => {
    const stage = new Stage({ authorize, limits: { principalCharacters: 1_000 } });
    const [first, second] = [await connect(stage, greedy), await connect(stage, greedy)];
    expect((await stage.post(large(1), first.headers)).status).toBe(202);
    expect((await stage.post(large(2), second.headers)).status).toBe(429);
    // A refusal ends nothing that goes on.
    expect((await stage.initialize({ clientInfo: "x".repeat(300) }, greedy)).status).toBe(429);
    expect(first.side.isClosed).toBe(false);
    const other = await connect(stage);
    expect((await stage.post(large(3), other.headers)).status).toBe(202);
    // The end of a connection frees what it held.
    await stage.ask("DELETE", first.headers);
    expect((await stage.post(large(2), second.headers)).status).toBe(202);
  });
});

it("defect M7: a message that the channel to the agent refuses counts for nothing afterwards", async () => {
  const agent = new RawAgent();
  const stage = new Stage({
    agent: undefined,
    open: () => agent.channel("_refused"),
    authorize,
    limits: { principalCharacters: 1_000 },
  });
  await (await stage.initialize({}, greedy)).text();
  const headers = { ...stage.headers(), ...greedy };
  for (let n = 0; n < 4; n += 1)
    expect((await stage.post({ method: "_refused", params: { long } }, headers)).status).toBe(202);
  expect((await stage.post(large(1), headers)).status).toBe(202);
  expect(agent.side.count("session/prompt")).toBe(1);
});

it("defect M2: principals that fill a server do not keep others out: the one that holds the most pays for the next one", async () => {
  const stage = new Stage({ authorize, limits: { principalCharacters: 1_000, serverCharacters: 2_500 } });
  const full = new Map<string, Awaited<ReturnType<typeof connect>>>();
  for (const id of ["c", "d", "e"]) full.set(id, await connect(stage, { Authorization: id }));
  const other = await connect(stage);
  for (const [id, { headers }] of full)
    expect((await stage.post(large(id === "d" ? `${id}${long.slice(0, 99)}` : id), headers)).status).toBe(202);
  expect((await stage.post(large(1), other.headers)).status).toBe(202);
  expect([...full].filter(([, { side }]) => side.isClosed).map(([id]) => id)).toEqual(["d"]);
  expect((await stage.initialize({}, { Authorization: "f" })).status).toBe(200);
});

describe("messages of agents that wait", () => {
  const limits = { principalCharacters: 1_000, serverCharacters: 2_500 };

  it("defect M2: at the bound of a principal its largest connection ends, and others go on", async () => {
    const reported: string[] = [];
    const onDiagnostic = ({ message }: { message: string }) => reported.push(message);
    const stage = new Stage({ authorize, limits, onDiagnostic });
    const [small, most] = [await connect(stage, greedy), await connect(stage, greedy)];
    const other = await connect(stage);
    most.side.send(update("s", long));
    small.side.send(update("s", "x".repeat(300)));
    await most.side.closed;
    other.side.send(update("s", long));
    expect([small.side.isClosed, other.side.isClosed]).toEqual([false, false]);
    expect(reported).toEqual(["A connection was ended. Its principal held too much."]);
    expect((await stage.post({ method: "_a" }, most.headers)).status).toBe(404);
    expect((await stage.post({ method: "_a" }, small.headers)).status).toBe(202);
  });

  it("defect M2: at the bound of the server the principal that holds the most loses its largest connection", async () => {
    const stage = new Stage({ authorize, limits });
    const sides = new Map<string, AgentSide>();
    for (const id of ["c", "d", "e", "b"]) sides.set(id, (await connect(stage, { Authorization: id })).side);
    for (const [id, size] of [
      ["c", 500],
      ["d", 700],
      ["e", 500],
      ["b", 300],
    ] as const)
      sides.get(id)?.send(update("s", "x".repeat(size)));
    await sides.get("d")?.closed;
    expect([...sides].filter(([, side]) => side.isClosed).map(([id]) => id)).toEqual(["d"]);
  });

  it("defect M2: without authorize only the bound of the server counts", async () => {
    const stage = new Stage({ limits });
    const [first, second] = [await connect(stage), await connect(stage)];
    for (const { side } of [first, second]) side.send(update("s", long));
    expect((await stage.post({ method: "_a" }, first.headers)).status).toBe(202);
    expect((await stage.post({ method: "_a" }, second.headers)).status).toBe(202);
  });

  it("defect M2: what is kept for a resume is dropped first", async () => {
    const stage = new Stage({ authorize, limits });
    const first = await connect(stage, greedy, asks);
    const events = await stage.events("s", first.headers);
    const cursor = (await events.event())?.id;
    first.side.send(update("s", long));
    expect((await events.event())?.data).toContain(long);
    const reading = events.event();
    const second = await connect(stage, greedy);
    second.side.send(update("s", "x".repeat(400)));
    first.side.send(update("s", "on"));
    expect((await reading)?.data).toContain("on");
    expect([first.side.isClosed, second.side.isClosed]).toEqual([false, false]);
    const again = await stage.ask("GET", {
      Accept: "text/event-stream",
      "Last-Event-ID": `${cursor}`,
      ...first.headers,
      "Acp-Session-Id": "s",
    });
    expect([again.status, await again.json()]).toEqual([409, { reason: "cursor_expired" }]);
  });

  it("defect M2: a message that was taken and not written counts, and its stream is cut", async () => {
    const stage = new Stage({ authorize, limits });
    const [first, second] = [await connect(stage, greedy), await connect(stage, greedy)];
    const events = await stage.events("s", first.headers);
    await events.read();
    const reading = events.read();
    first.side.send(update("s", long));
    await reading;
    second.side.send(update("s", "x".repeat(500)));
    await first.side.closed;
    await expect(events.read()).rejects.toThrow("did not read");
    expect(second.side.isClosed).toBe(false);
  });

  it("defect M2: a WebSocket whose client does not read is cut at the bound", async () => {
    const stage = new SocketStage({ authorize, limits: { principalCharacters: 1_000_000 } });
    const sockets = [await stage.begin(), await stage.begin()];
    for (const [at, socket] of sockets.entries()) {
      socket.isStuck = true;
      stage.agent.sides[at]?.send(update("s", "x".repeat(600_000 + at)));
      await socket.until(() => texts(socket.frames).length === 1 || socket.isTerminated);
    }
    await stage.agent.sides[1]?.closed;
    expect(sockets.map(({ isTerminated }) => isTerminated)).toEqual([false, true]);
  });
});

describe("frames before the agent is opened", () => {
  it("defect M9: an initialize is counted once, by the WebSocket and then by its connection", async () => {
    const stage = new SocketStage({ authorize, limits: { principalCharacters: 1_000 } });
    const socket = await stage.begin({ clientInfo: long });
    expect([socket.isTerminated, socket.end]).toEqual([false, undefined]);
  });

  it("defect M2: have a bound for each principal, and the one above it is closed with 1013", async () => {
    const agent = new RawAgent();
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const stage = new SocketStage({
      agent: undefined,
      open: async () => {
        await opened;
        return agent.channel();
      },
      authorize,
      limits: { principalCharacters: 4_000 },
    });
    const sockets = [await stage.socket(greedy), await stage.socket(greedy), await stage.socket()];
    for (const socket of sockets) {
      socket.call(0, "initialize", { protocolVersion: 1 });
      socket.write(large(1));
    }
    sockets[1]?.write(large(2), large(3));
    expect(sockets.map(({ end }) => end?.code)).toEqual([undefined, 1013, undefined]);
    open();
    for (const socket of [sockets[0], sockets[2]]) await socket?.answer(0);
    expect(agent.sides.map((side) => side.count("session/prompt"))).toContain(1);
  });
});
