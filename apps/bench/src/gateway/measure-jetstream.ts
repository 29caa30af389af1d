import type { Ownership } from "@turnkit/gateway";
import { createJetStreamEngine, type JetStreamEngine } from "@turnkit/gateway/jetstream";
import type { SessionEvent } from "@turnkit/session";
import type { Measure } from "../scenario.js";
import { withNatsServer } from "./nats-server.js";

const chunk = (at: number): SessionEvent => ({
  type: "agent_message_chunk",
  messageId: "m",
  content: { type: "text", text: `${at} `.padEnd(60, "x") },
});

const info = (sessionId: string) => ({ sessionId, cwd: "/work" });

/**
 * Measures the number of stored events of one session in a second. Events that arrive during an append are stored
 * together.
 */
export const measureOneSession: Measure = (events) =>
  withEngine(async (engine) => {
    const owner = await engine.open("one", info("one"));
    const started = performance.now();
    for (let at = 0; at < events; at += 1) await owner.append(chunk(at));
    await owner.commit();
    const rate = (events / (performance.now() - started)) * 1_000;
    await owner[Symbol.asyncDispose]();
    return { rate };
  });

/** Measures the appends of several sessions in a second. Each session waits for an append before its next one. */
export const measureSessions =
  (sessions: number): Measure =>
  (appends) =>
    withEngine(async (engine) => {
      const ids = Array.from({ length: sessions }, (_, at) => `s-${at}`);
      const owners = await Promise.all(ids.map((id) => engine.open(id, info(id))));
      const share = Math.ceil(appends / sessions);
      const work = async (owner: Ownership): Promise<void> => {
        for (let at = 0; at < share; at += 1) {
          await owner.append(chunk(at));
          await owner.commit();
        }
      };
      const started = performance.now();
      await Promise.all(owners.map(work));
      const rate = ((share * sessions) / (performance.now() - started)) * 1_000;
      await Promise.all(owners.map((owner) => owner[Symbol.asyncDispose]()));
      return { rate };
    });

/** Calls `work` with an engine on an empty server. */
const withEngine = <T>(work: (engine: JetStreamEngine) => Promise<T>): Promise<T> =>
  withNatsServer(async (open) => {
    const connection = await open();
    using engine = createJetStreamEngine(connection, {});
    await engine.ready();
    const found = await work(engine);
    await connection.close();
    return found;
  });
