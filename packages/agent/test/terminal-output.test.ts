import type { Channel, Room } from "@turnkit/transport";
import { createMemoryPair } from "@turnkit/transport/channels";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type AgentSession, type AgentTerminal, createAgent, type Diagnostic } from "../src/index.js";
import { type Frame, gate, info, openAs, RawClient, v2Hello } from "./raw-client.js";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});

afterEach(() => {
  vi.useRealTimers();
});

const FLUSH_MS = 50;
const CHUNK = 64 * 1024;
const KEPT = 256 * 1024;

/** A session with a terminal, besides turns. */
async function withTerminal() {
  let session: AgentSession | undefined;
  const connected = await openAs(v2Hello, {
    newSession(_, opened) {
      session = opened;
    },
  });
  if (session === undefined) throw new Error("no session");
  return { ...connected, session, terminal: session.terminal({ command: "npm test" }) };
}

const bytesOf = (update: Frame | undefined): Uint8Array =>
  Uint8Array.from(atob(update?.data ?? update?.output.data), (unit) => unit.charCodeAt(0));
const chunks = (client: RawClient) => client.updates("terminal_output_chunk");
const flush = () => vi.advanceTimersByTimeAsync(FLUSH_MS);

describe("output of a terminal of the agent", () => {
  test("V2-TERM-14: writes are one chunk of raw bytes after a moment, cut anywhere", async () => {
    const { client, terminal } = await withTerminal();
    terminal.write(new Uint8Array([0xff, 0x1b, 0xc3]));
    await vi.advanceTimersByTimeAsync(FLUSH_MS - 1);
    expect(chunks(client)).toEqual([]);
    terminal.write(new Uint8Array([0xa9]));
    terminal.write("ok");
    await vi.advanceTimersByTimeAsync(1);
    expect(chunks(client).map(bytesOf)).toEqual([new Uint8Array([0xff, 0x1b, 0xc3, 0xa9, 0x6f, 0x6b])]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("V2-TERM-14: so many bytes are sent at once, in chunks, and nothing is lost", async () => {
    const { client, terminal } = await withTerminal();
    const buffer = new Uint8Array(CHUNK - 1).fill(1);
    terminal.write(buffer);
    // A writer may use its buffer again.
    buffer.fill(9);
    await vi.advanceTimersByTimeAsync(0);
    expect(chunks(client)).toEqual([]);
    terminal.write(new Uint8Array(5 * CHUNK).fill(2));
    await vi.advanceTimersByTimeAsync(0);
    const sent = chunks(client).map(bytesOf);
    expect(sent.map(({ length }) => length)).toEqual([CHUNK, CHUNK, CHUNK, CHUNK, CHUNK, CHUNK - 1]);
    expect(sent[0]?.subarray(0, CHUNK - 1).every((byte) => byte === 1)).toBe(true);
    expect(sent.at(-1)?.every((byte) => byte === 2)).toBe(true);
  });

  test("what is said next is said behind it: an update, an exit, the end of a turn, a close", async () => {
    const { client, session, sessionId, terminal } = await withTerminal();
    terminal.write("a");
    session.setTitle("behind");
    terminal.write("b");
    terminal.exit({ exitCode: 0 });
    const second = session.terminal();
    second.write("c");
    await client.result("session/close", { sessionId });
    expect(client.updates().map(({ sessionUpdate }) => sessionUpdate)).toEqual([
      "terminal_update",
      "terminal_output_chunk",
      "session_info_update",
      "terminal_output_chunk",
      "terminal_update",
      "terminal_update",
      "terminal_output_chunk",
    ]);
    await flush();
    expect(vi.getTimerCount()).toBe(0);
  });

  test("a question is asked behind it", async () => {
    const { client, sessionId } = await openAs(v2Hello, {
      async prompt(turn) {
        const call = turn.session.toolCall({ title: "Deploy" });
        turn.session.terminal().write("ready\n");
        await call.requestPermission();
      },
    });
    client.prompt(sessionId);
    client.reply(await client.call("session/request_permission"), { outcome: { outcome: "cancelled" } });
    expect(client.story.slice(-2)).toEqual(["terminal_output_chunk", "session/request_permission"]);
  });
});

/** A channel whose writer is told that there is no room until the gate opens. */
function narrow(channel: Channel): { readonly channel: Channel; shut(): void; open(): void } {
  let room: Room;
  let release = (): void => undefined;
  return {
    channel: {
      ...channel,
      closed: channel.closed,
      start: (receiver) => channel.start(receiver),
      close: () => channel.close(),
      send(message) {
        const own = channel.send(message);
        return room ?? own;
      },
    },
    shut() {
      const shut = gate();
      room = shut.promise;
      release = shut.open;
    },
    open() {
      room = undefined;
      release();
    },
  };
}

describe("a client that does not read", () => {
  async function slow() {
    const [one, end] = createMemoryPair();
    const pipe = narrow(one);
    let terminal: AgentTerminal | undefined;
    const diagnostics: Diagnostic[] = [];
    createAgent({
      info,
      newSession(_, session) {
        terminal = session.terminal();
      },
      prompt: () => undefined,
    }).serve(pipe.channel, { onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) });
    const client = new RawClient(end);
    await client.result("initialize", v2Hello);
    await client.newSession();
    await client.update("terminal_update");
    if (terminal === undefined) throw new Error("no terminal");
    return { client, pipe, terminal };
  }

  test("V2-TERM-14: gets what fitted in chunks, and all that waited when there is room again", async () => {
    const { client, pipe, terminal } = await slow();
    pipe.shut();
    const room = terminal.write(new Uint8Array(CHUNK).fill(1));
    expect(room).toBeInstanceOf(Promise);
    terminal.write(new Uint8Array(KEPT).fill(2));
    await flush();
    expect(chunks(client)).toHaveLength(1);
    pipe.open();
    await vi.advanceTimersByTimeAsync(0);
    expect(chunks(client).map((chunk) => bytesOf(chunk)[0])).toEqual([1, 2, 2, 2, 2]);
    expect(client.updates("terminal_update")).toHaveLength(1);
    await client.close();
  });

  test("V2-TERM-14: after old bytes were dropped it gets a snapshot of the newest, then chunks again", async () => {
    const { client, pipe, terminal } = await slow();
    pipe.shut();
    terminal.write(new Uint8Array(CHUNK).fill(1));
    for (let n = 0; n < 10; n++) terminal.write(new Uint8Array(CHUNK).fill(n));
    terminal.write("end");
    await flush();
    expect(client.updates()).toHaveLength(2);
    pipe.open();
    await vi.advanceTimersByTimeAsync(0);
    const snapshot = bytesOf(client.updates("terminal_update")[1]);
    expect(snapshot).toHaveLength(KEPT);
    expect(snapshot[0]).toBe(6);
    expect(new TextDecoder().decode(snapshot.subarray(-3))).toBe("end");
    terminal.write("more");
    await flush();
    expect(chunks(client).map(bytesOf).at(-1)).toEqual(new TextEncoder().encode("more"));
    await client.close();
  });
});
