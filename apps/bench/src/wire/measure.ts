import { fileURLToPath } from "node:url";
import { spread } from "../cells.js";
import type { Measure } from "../scenario.js";
import { type Load, numberOf } from "./load.js";
import { type PartyName, parties } from "./parties.js";
import type { Connected } from "./party.js";

export type Way = "stdio" | "memory";

const agentProgram = fileURLToPath(new URL("./agent.js", import.meta.url));

export async function connect(name: PartyName, way: Way, stateBytes?: number): Promise<Connected> {
  const party = await parties[name]();
  const bound = stateBytes === undefined ? [] : [String(stateBytes)];
  if (way === "stdio")
    return party.launch([process.execPath, ...process.execArgv, agentProgram, name, ...bound], stateBytes);
  if (party.connectInMemory === undefined) throw new Error(`${name} has no way in memory`);
  return party.connectInMemory();
}

/**
 * Number of messages before the clock starts: as many as are measured, at most 20 000. The process of an editor is warm
 * too. With a tenth of 5 000 messages as a warm-up, V8 compiled until the end of the measurement.
 */
const warmUp = (count: number) => Math.min(count, 20_000);

/** Measures updates per second from the prompt to its end, with a listener for each. */
export function measureRate(name: PartyName, way: Way, kind: Load["kind"]): Measure {
  return async (count) => {
    const connected = await connect(name, way);
    let received = 0;
    const talk = await connected.newSession(() => {
      received++;
    });
    await talk.prompt({ kind, count: warmUp(count) });
    received = 0;
    const started = performance.now();
    await talk.prompt({ kind, count });
    const seconds = (performance.now() - started) / 1000;
    if (received !== count) throw new Error(`${name} reported ${received} of ${count}`);
    await connected.close();
    return { rate: count / seconds };
  };
}

/**
 * Measures updates per second from the handler of the agent to the state, which is read after each update. A library
 * without a state calls a listener.
 */
export function measureWholeWay(name: PartyName): Measure {
  return async (count) => {
    const connected = await connect(name, "stdio");
    let received = 0;
    let chunks = 0;
    const talk =
      (await connected.watchSession?.((held) => {
        chunks = Math.max(chunks, held);
      })) ??
      (await connected.newSession(() => {
        received++;
      }));
    await talk.prompt({ kind: "chunk", count: warmUp(count) });
    received = 0;
    chunks = 0;
    const started = performance.now();
    await talk.prompt({ kind: "chunk", count });
    const seconds = (performance.now() - started) / 1000;
    if (Math.max(received, chunks) !== count)
      throw new Error(`${name} reported ${received} and has ${chunks} of ${count}`);
    await connected.close();
    return { rate: count / seconds };
  };
}

/** Measures turns without updates, one after the other: the median and the 99th percentile, in microseconds. */
export function measureRoundTrips(name: PartyName, way: Way): Measure {
  return async (count) => {
    const connected = await connect(name, way);
    const talk = await connected.newSession(() => {});
    for (let index = 0; index < warmUp(count); index++) await talk.prompt({ kind: "chunk", count: 0 });
    const times: number[] = [];
    for (let index = 0; index < count; index++) {
      const started = performance.now();
      await talk.prompt({ kind: "chunk", count: 0 });
      times.push((performance.now() - started) * 1000);
    }
    await connected.close();
    times.sort((a, b) => a - b);
    return { p50: spread(times).median, p99: times[Math.floor(times.length * 0.99)] ?? Number.NaN };
  };
}

const FIRST_PROMPTS = 50;

/**
 * Measures a new process without a warm-up: the first `count` updates to a listener, then the first 50 prompts without
 * updates. The clock starts after the handshake and `session/new`.
 */
export function measureCold(name: PartyName): Measure {
  return async (count) => {
    const connected = await connect(name, "stdio");
    let received = 0;
    const talk = await connected.newSession(() => {
      received++;
    });
    const started = performance.now();
    await talk.prompt({ kind: "chunk", count });
    const updates = performance.now() - started;
    if (received !== count) throw new Error(`${name} reported ${received} of ${count}`);
    const asked = performance.now();
    for (let index = 0; index < FIRST_PROMPTS; index++) await talk.prompt({ kind: "chunk", count: 0 });
    const prompts = performance.now() - asked;
    await connected.close();
    return { updates, prompts };
  };
}

const UPDATES_PER_SESSION = 100;

/**
 * Measures many sessions of one connection, each with a turn of 100 updates, all turns at the same time: updates per
 * second and memory.
 */
export function measureSessions(name: PartyName, way: Way): Measure {
  return async (count) => {
    const connected = await connect(name, way);
    let received = 0;
    const first = await connected.newSession(() => {});
    await first.prompt({ kind: "chunk", count: warmUp(count * UPDATES_PER_SESSION) });
    const before = process.memoryUsage().rss;
    const talks = [];
    for (let index = 0; index < count; index++) {
      talks.push(
        await connected.newSession(() => {
          received++;
        }),
      );
    }
    const started = performance.now();
    await Promise.all(talks.map((talk) => talk.prompt({ kind: "chunk", count: UPDATES_PER_SESSION })));
    const seconds = (performance.now() - started) / 1000;
    if (received !== count * UPDATES_PER_SESSION) throw new Error(`${name} reported ${received}`);
    const memory = (process.memoryUsage().rss - before) / 1024;
    await connected.close();
    return { rate: received / seconds, session: memory / count, time: seconds * 1000, memory: memory / 1024 };
  };
}

/** Bound of the state on both sides in the scenario with a slow listener. */
const STATE_BYTES = 8 * 1024 * 1024;

/** Measures a listener that takes a turn of the event loop for each update: order, losses, memory of both sides. */
export function measureSlowConsumer(name: PartyName): Measure {
  return async (count) => {
    const connected = await connect(name, "stdio", STATE_BYTES);
    let next = 0;
    let agentRss = 0;
    let inOrder = true;
    let asked = false;
    const talk = await connected.newSession(async (text) => {
      await new Promise((resolve) => setImmediate(resolve));
      // Late chunks contain text. The requested chunk contains a number.
      if (asked) agentRss = Number(text) || agentRss;
      else if (numberOf(text) !== next++) inOrder = false;
    });
    await talk.prompt({ kind: "chunk", count });
    const atEnd = next;
    const rss = process.resourceUsage().maxRSS;
    asked = true;
    await talk.prompt({ kind: "rss", count: 1 });
    while (agentRss === 0) await new Promise((resolve) => setImmediate(resolve));
    await connected.close();
    return { client: rss / 1024, agent: agentRss / 1024, missing: count - atEnd, outOfOrder: inOrder ? 0 : 1 };
  };
}

/** Measures the memory of each idle connection, with one session on it. */
export function measureIdle(name: PartyName): Measure {
  return async (count) => {
    const kept: Connected[] = [await connect(name, "memory")];
    global.gc?.();
    const before = process.memoryUsage();
    for (let index = 0; index < count; index++) {
      const connected = await connect(name, "memory");
      await connected.newSession(() => {});
      kept.push(connected);
    }
    global.gc?.();
    const now = process.memoryUsage();
    // Used here, so that V8 does not collect the connections earlier.
    const held = kept.length - 1;
    return { rss: (now.rss - before.rss) / 1024 / held, heap: (now.heapUsed - before.heapUsed) / 1024 / held };
  };
}
