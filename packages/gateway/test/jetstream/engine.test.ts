import { compactEvents } from "@turnkit/agent";
import { type EngineSubject, engineCases, type LogSubject, sessionLogCases } from "@turnkit/testing";
import { afterAll, beforeAll, onTestFinished, test } from "vitest";
import { createJetStreamEngine, type JetStreamEngine, type JetStreamEngineOptions } from "../../src/jetstream/index.js";
import { connected, describeWithNats, NatsServer } from "./nats-server.js";

describeWithNats("an engine on JetStream", () => {
  let running: { readonly server: NatsServer; readonly url: string };
  let tests = 0;

  beforeAll(async () => {
    running = await NatsServer.start();
  });

  afterAll(() => running.server.stop());

  async function engines(options: JetStreamEngineOptions): Promise<[JetStreamEngine, JetStreamEngine]> {
    tests += 1;
    const open = async () => {
      const engine = createJetStreamEngine(await connected(running.url), {
        name: `test-${tests}`,
        streamCount: 2,
        ...options,
      });
      onTestFinished(() => engine[Symbol.dispose]());
      await engine.ready();
      return engine;
    };
    return [await open(), await open()];
  }

  const log = async (): Promise<LogSubject> => {
    const [one, other] = await engines({ pageSize: 2, snapshotEvents: 300 });
    return { log: one, other, pageSize: 2 };
  };

  test.each(sessionLogCases({ compact: compactEvents }))("NATS-01 is a log that $title", async ({ run }) =>
    run(await log()),
  );

  const subject = async (): Promise<EngineSubject> => {
    const [engine, other] = await engines({ ttlMs: 1_200 });
    // Real time, and what clocks may drift.
    return { engine, other, pass: (ms) => new Promise((resolve) => setTimeout(resolve, ms + 90)) };
  };

  test.each(engineCases())("NATS-05 $title", async ({ run }) => run(await subject()));
});
