import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { update } from "../client/remote-client.js";
import { Stage } from "./raw-client.js";
import { SocketStage } from "./raw-socket.js";

const asks = { _meta: { "acp/resumable": true } };

beforeEach(
  () => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"] }),
);
afterEach(() => void vi.useRealTimers());

/** Lets time pass, and says whether the agent has ended. */
async function pass(stage: Stage, ms: number): Promise<boolean> {
  await vi.advanceTimersByTimeAsync(ms);
  return stage.agent.side.isClosed;
}

describe("signs of life", () => {
  it("REM-15: a waiting stream gets a comment every 15 s, and messages between them at once", async () => {
    const stage = await Stage.connected();
    const events = await stage.events("s");
    await events.read();
    for (const comments of [2, 3]) {
      const reading = events.read();
      await vi.advanceTimersByTimeAsync(14_999);
      expect(events.comments).toBe(comments - 1);
      await vi.advanceTimersByTimeAsync(1);
      await reading;
      expect(events.comments).toBe(comments);
    }
    stage.agent.side.send(update("s", "hi"));
    expect((await events.next())?.params.update.content.text).toBe("hi");
  });

  it("REM-15: the interval is an option", async () => {
    const stage = await Stage.connected({ keepAliveMs: 100 });
    const events = await stage.events();
    await events.read();
    const reading = events.read();
    await vi.advanceTimersByTimeAsync(100);
    expect(await reading).toBe(true);
  });

  it("REM-45: a reader that takes nothing for five intervals is gone, and another one may come", async () => {
    const stage = await Stage.connected();
    const events = await stage.events("s");
    await events.read();
    expect((await stage.get("s")).status).toBe(409);
    await vi.advanceTimersByTimeAsync(75_000);
    await expect(events.read()).rejects.toThrow("did not read");
    expect((await stage.get("s")).status).toBe(200);
  });

  it("REM-15, REM-45: WebSockets get pings, and one without a sign of life for five intervals is cut", async () => {
    const stage = new SocketStage();
    const socket = await stage.begin(asks);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(socket.pings).toBe(4);
    socket.listener.pong();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([socket.pings, socket.isTerminated]).toEqual([8, false]);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(socket.isTerminated).toBe(true);
    const again = await stage.again(socket.cursors[0]);
    expect((await again.answer("r")).result.received).toBe(1);
  });

  it("REM-45: messages and binary frames are signs of life too, and without pings nothing is expected", async () => {
    const stage = new SocketStage();
    const socket = await stage.begin();
    for (let at = 0; at < 4; at += 1) {
      await vi.advanceTimersByTimeAsync(60_000);
      if (at % 2 === 0) socket.write({ method: "_a" });
      else socket.listener.binary();
    }
    expect(socket.isTerminated).toBe(false);
    const other = new SocketStage();
    const mute = await other.begin();
    Object.assign(mute, { ping: undefined });
    await vi.advanceTimersByTimeAsync(600_000);
    expect([mute.isTerminated, mute.end]).toEqual([false, undefined]);
  });
});

describe("the end of a connection that nobody uses", () => {
  it("REM-24: without a stream after initialize it ends after the grace; each message begins the grace anew", async () => {
    const stage = await Stage.connected();
    expect(await pass(stage, 59_999)).toBe(false);
    await stage.post({ method: "_a" });
    expect(await pass(stage, 59_999)).toBe(false);
    expect(await pass(stage, 1)).toBe(true);
    expect((await stage.get()).status).toBe(404);
  });

  it("REM-24, REM-44: it goes on while a stream is open, and for the grace after the last one has gone", async () => {
    const stage = await Stage.connected({ graceMs: 1_000 });
    const [connection, session] = [await stage.events(), await stage.events("s")];
    await stage.prompt(1, "s");
    expect(await pass(stage, 10_000)).toBe(false);
    await connection.cancel();
    expect(await pass(stage, 10_000)).toBe(false);
    await session.cancel();
    expect(await pass(stage, 999)).toBe(false);
    // The work of the agent was not cancelled.
    expect(stage.agent.side.count("session/cancel")).toBe(0);
    await stage.events("s");
    expect(await pass(stage, 10_000)).toBe(false);
  });

  it("REM-24, REM-44: a resumable WebSocket that was cut may come back within the grace", async () => {
    const stage = new SocketStage();
    const socket = await stage.begin(asks);
    socket.listener.closed(1006);
    expect(await pass(stage, 59_999)).toBe(false);
    const again = await stage.again(socket.cursors[0]);
    await again.answer("r");
    expect(await pass(stage, 70_000)).toBe(false);
    again.listener.closed(1001);
    expect(await pass(stage, 60_000)).toBe(true);
    expect(await stage.ask101(stage.headers())).toMatchObject({ status: 404 });
  });

  it("REM-24: nothing is left after the last connection: no timer, no session", async () => {
    const stage = await Stage.connected();
    const events = await stage.events("s");
    await stage.prompt(1, "s");
    await stage.ask("DELETE", stage.headers());
    while (await events.read());
    const socketStage = new SocketStage();
    (await socketStage.begin(asks)).listener.closed(1000);
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});
