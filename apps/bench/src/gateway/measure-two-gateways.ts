import { createAgent } from "@turnkit/agent";
import { type Client, connectWith, type Session, v2Dialect } from "@turnkit/client";
import { createGateway, type Gateway, type GatewayOptions } from "@turnkit/gateway";
import { createJetStreamEngine } from "@turnkit/gateway/jetstream";
import { createMemoryPair } from "@turnkit/transport/channels";
import type { Measure } from "../scenario.js";
import { withNatsServer } from "./nats-server.js";

const info = { name: "bench", version: "1.0.0" };
const piece = "x".repeat(60);

/** Number of pieces in one answer of a live session. */
const PIECES = 20;

/** Number of live sessions that work at the same time. */
const AT_ONCE = 50;

/** Called by the agent before each piece. Settles when the agent may go on. */
type Paced = (at: number) => Promise<void> | undefined;

/** Returns a gateway with an agent that answers each prompt with that many pieces. */
function gatewayOf(pieces: number, paced: Paced, log?: GatewayOptions["log"]): Gateway {
  const agent = createAgent({
    info,
    async prompt(turn) {
      for (let at = 0; at < pieces; at += 1) {
        await turn.say(piece);
        await paced(at);
      }
    },
  });
  return createGateway({
    agent() {
      const [ours, theirs] = createMemoryPair();
      agent.serve(theirs);
      return ours;
    },
    ...(log && { log }),
  });
}

const clientOf = (gateway: Gateway): Promise<Client> =>
  connectWith([v2Dialect], gateway.open({ id: "someone", group: "all" }), { info });

async function attach(client: Client, { id }: Session): Promise<Session> {
  const outcome = await client.restore(id, { cwd: "/work" });
  if (outcome.status === "unavailable") throw outcome.error;
  return outcome.session;
}

/** Calls `work` with clients of two gateways on one server. */
const withTwo = <T>(
  { pieces, paced }: { readonly pieces: number; readonly paced: Paced },
  work: (here: Client, there: Client) => Promise<T>,
): Promise<T> =>
  withNatsServer(async (open) => {
    const one = async () => {
      const connection = await open();
      const engine = createJetStreamEngine(connection);
      await engine.ready();
      return gatewayOf(pieces, paced, () => engine);
    };
    const gateways = [await one(), await one()] as const;
    const found = await work(await clientOf(gateways[0]), await clientOf(gateways[1]));
    await Promise.all(gateways.map((gateway) => gateway.close()));
    return found;
  });

/**
 * Measures the time from a piece of an agent to its update at a client. The client is at a gateway without storage, at
 * the owner, or at the other gateway. Each piece waits for the previous one.
 */
export const measureLatency =
  (place: "no storage" | "owner" | "other"): Measure =>
  async (size) => {
    const times: number[] = [];
    let said = 0;
    let seen: () => void = () => undefined;
    const watch = (session: Session): void => {
      session.onEvent((event) => {
        if (event.type !== "agent_message_chunk") return;
        times.push(performance.now() - said);
        seen();
      });
    };
    const paced = (): Promise<void> =>
      new Promise((resolve) => {
        seen = () =>
          setImmediate(() => {
            said = performance.now();
            resolve();
          });
      });
    const run = async (session: Session): Promise<void> => {
      said = performance.now();
      await session.prompt("Go").ended;
    };
    if (place === "no storage") {
      const session = await (await clientOf(gatewayOf(size, paced))).newSession({ cwd: "/work" });
      watch(session);
      await run(session);
    } else {
      await withTwo({ pieces: size, paced }, async (here, there) => {
        const session = await here.newSession({ cwd: "/work" });
        watch(place === "owner" ? session : await attach(there, session));
        await run(session);
      });
    }
    const later = times.slice(times.length / 4).sort((one, other) => one - other);
    return { p50: later[later.length >> 1] ?? Number.NaN };
  };

/**
 * Measures the time and memory of a live session in the last nine tenths of the sessions, as multiples of the values in
 * the first tenth. A session has a client at each gateway, and one turn.
 */
export const measureGrowth: Measure = (size) =>
  withTwo({ pieces: PIECES, paced: () => undefined }, async (here, there) => {
    const kept: Session[] = [];
    const run = async (sessions: number): Promise<{ readonly time: number; readonly memory: number }> => {
      const before = heapUsed();
      const started = performance.now();
      for (let at = 0; at < sessions; at += AT_ONCE)
        await Promise.all(Array.from({ length: Math.min(AT_ONCE, sessions - at) }, () => live()));
      const time = (performance.now() - started) / sessions;
      return { time, memory: (heapUsed() - before) / sessions };
    };
    const live = async (): Promise<void> => {
      const session = await here.newSession({ cwd: "/work" });
      kept.push(session, await attach(there, session));
      await session.prompt("Go").ended;
    };
    await run(AT_ONCE);
    for (const session of kept.splice(0)) await session.close();
    const few = await run(size / 10);
    const many = await run(size - size / 10);
    return { time: many.time / few.time, memory: many.memory / few.memory };
  });

function heapUsed(): number {
  global.gc?.();
  return process.memoryUsage().heapUsed;
}
