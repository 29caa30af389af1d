import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Frame } from "../client/raw-server.js";
import { texts, update } from "../client/remote-client.js";
import { Stage } from "./raw-client.js";
import { type RawSocket, SocketStage } from "./raw-socket.js";

const asks = { _meta: { "acp/packed": true, "acp/resumable": true } };

/** Messages of one frame. */
const linesIn = (frame = ""): readonly Frame[] => frame.split("\n").map((line) => JSON.parse(line) as Frame);

/** Texts of the updates of each frame after the answer of `initialize`. */
const framesOf = (socket: RawSocket) => socket.texts.slice(1).map((frame) => texts(linesIn(frame)));

const cursorOf = (frame: Frame | undefined) =>
  (frame as { _meta?: Record<string, string> } | undefined)?._meta?.["acp/cursor"];

const numbers = (count: number) => Array.from({ length: count }, (_, at) => `${at}`);

const say = ({ agent: { side } }: Stage, words: readonly string[]) =>
  side.send(...words.map((word) => update("s", word)));

describe("packed frames", () => {
  it("REM-39: they are agreed with a client that asks; the agent does not see the question", async () => {
    const stage = new Stage();
    const response = await stage.initialize({ _meta: { ...asks._meta, own: 1 } });
    expect(await response.json()).toMatchObject({ result: { protocolVersion: 1, _meta: { "acp/packed": true } } });
    expect((await stage.agent.side.call("initialize")).params._meta).toEqual({ own: 1 });
    for (const asked of [{ "acp/packed": true }, { "acp/resumable": true }, { ...asks._meta, "acp/packed": 1 }])
      expect(((await (await new Stage().initialize({ _meta: asked })).json()) as Frame).result).not.toHaveProperty(
        "_meta",
      );
  });

  it("defect M19: messages of one turn of the event loop are the lines of one frame, in order", async () => {
    const stage = new SocketStage();
    const socket = await stage.begin(asks);
    say(stage, numbers(40));
    await socket.until(() => socket.texts.length > 1);
    await nextTurn();
    say(stage, ["later"]);
    await socket.until(() => socket.texts.length > 2);
    expect(framesOf(socket)).toEqual([numbers(40), ["later"]]);
  });

  it("a message leaves in its turn, before the program waits for input", async () => {
    const stage = new SocketStage();
    const socket = await stage.begin(asks);
    say(stage, ["now"]);
    await nextTurn();
    expect(framesOf(socket)).toEqual([["now"]]);
  });

  it("defect M19: full frames leave before the end of a long turn", async () => {
    const stage = new SocketStage();
    const socket = await stage.begin(asks);
    const said = Array.from({ length: 300 }, (_, at) => `${at}`.padEnd(1_000));
    for (const word of said) {
      say(stage, [word]);
      await Promise.resolve();
    }
    const early = framesOf(socket);
    expect(early.length).toBeGreaterThan(2);
    expect(early.every(({ length }) => length > 50)).toBe(true);
    await socket.until(() => framesOf(socket).flat().length === 300);
    expect(framesOf(socket).flat()).toEqual(said);
  });

  it("defect M19: before the answer that agrees, and for other clients, each message has a frame of its own", async () => {
    const stage = new SocketStage();
    stage.agent.answers = false;
    const socket = await stage.socket();
    socket.call(0, "initialize", { protocolVersion: 1, ...asks });
    await stage.agent.side.call("initialize");
    const { side } = stage.agent;
    side.send(update("s", "a"), update("s", "b"), { id: 0, result: {} }, update("s", "c"), update("s", "d"));
    await socket.until(() => texts(socket.texts.flatMap(linesIn)).length === 4);
    expect(socket.texts.map((frame) => texts(linesIn(frame)))).toEqual([["a"], ["b"], [], ["c", "d"]]);

    const plain = new SocketStage();
    const other = await plain.begin({ _meta: { "acp/resumable": true } });
    say(plain, ["a", "b"]);
    await other.until(() => other.texts.length === 3);
    expect(framesOf(other)).toEqual([["a"], ["b"]]);
  });

  it("defect M19: a frame has at most 1 024 messages and 64 Ki characters; a longer message has its own", async () => {
    const stage = new SocketStage();
    const socket = await stage.begin(asks);
    const { side } = stage.agent;
    side.send(...numbers(1_030).map((name) => ({ method: `_${name}` })));
    await socket.until(() => socket.texts.slice(1).flatMap(linesIn).length === 1_030);
    expect(Math.max(...socket.texts.map((frame) => linesIn(frame).length))).toBe(1_024);
    socket.texts.splice(1);
    const said = ["a", "x".repeat(70_000), "y".repeat(40_000), "z".repeat(40_000), "end"];
    say(stage, said);
    await socket.until(() => framesOf(socket).flat().length === said.length);
    expect(framesOf(socket).map(({ length }) => length)).toEqual([1, 1, 1, 2]);
    expect(framesOf(socket).flat()).toEqual(said);
  });

  it("defect M19: only the last message of a frame has a cursor, and a resume goes on after the frame", async () => {
    const stage = new SocketStage();
    const socket = await stage.begin(asks);
    say(stage, numbers(3));
    await socket.until(() => socket.texts.length > 1);
    const cursors = linesIn(socket.texts[1]).map(cursorOf);
    expect(cursors).toEqual([undefined, undefined, expect.any(String)]);
    say(stage, ["3", "4"]);
    await socket.until(() => socket.texts.length > 2);
    const again = await stage.again(cursors[2]);
    await again.until(() => again.texts.length > 1);
    expect(framesOf(again)).toEqual([["3", "4"]]);
    expect(linesIn(again.texts[1]).map(cursorOf)).toEqual(linesIn(socket.texts[2]).map(cursorOf));
  });

  it("REM-46: after a replay, the states of sessions have frames of their own, before new messages", async () => {
    const stage = new SocketStage();
    const socket = await stage.begin(asks);
    const { cursor } = { cursor: cursorOf(linesIn(socket.texts[0])[0]) };
    const state = { sessionUpdate: "state_update", state: "running" };
    stage.agent.side.send({ method: "session/update", params: { sessionId: "s", update: state } });
    say(stage, ["a", "b"]);
    await socket.until(() => socket.texts.length > 1);
    socket.listener.closed(1006);
    const again = await stage.again(cursor);
    say(stage, ["c", "d"]);
    await again.until(() => texts(again.texts.flatMap(linesIn)).length === 4);
    expect(again.texts.slice(1).map((frame) => linesIn(frame).length)).toEqual([3, 1, 2]);
    expect(linesIn(again.texts[2])[0]?.params.update).toEqual(state);
  });

  it("defect M19: over HTTP, an event has a line of data for each message, and the cursor of the last one", async () => {
    const stage = await Stage.connected({}, asks);
    const events = await stage.events("s");
    await events.event();
    say(stage, numbers(3));
    const event = await events.event();
    expect(texts(linesIn(event?.data))).toEqual(numbers(3));
    expect(linesIn(event?.data).map(cursorOf)).toEqual([undefined, undefined, event?.id]);
    await events.cancel();
    say(stage, ["3"]);
    const again = await stage.events("s", { "Last-Event-ID": event?.id ?? "" });
    expect(texts(linesIn((await again.event())?.data))).toEqual(["3"]);
  });
});
