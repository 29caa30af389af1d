import { readFile } from "node:fs/promises";
import { connect } from "@nats-io/transport-node";
import { expect, onTestFinished, test } from "vitest";
import { createJetStreamEngine } from "../../src/jetstream/index.js";
import { describeWithNats, NatsServer } from "./nats-server.js";

const page = await readFile(new URL("../../../../docs/beyond-one-machine.md", import.meta.url), "utf8");

describeWithNats("what an acknowledgement on JetStream means", () => {
  test("NATS-11 acknowledged events are there after a broker was killed and started again, as the page says", async () => {
    const { server, url } = await NatsServer.start();
    let running = server;
    onTestFinished(() => running.stop());
    const connection = await connect({ servers: url, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
    const engine = createJetStreamEngine(connection, { ttlMs: 10_000, streamCount: 1 });
    const owner = await engine.open("one", { sessionId: "one", cwd: "/work" });
    const said = Array.from({ length: 300 }, (_, at) => `word-${at}`);
    for (const text of said) {
      await owner.append({ type: "agent_message_chunk", messageId: "m", content: { type: "text", text } });
      if (text.endsWith("0")) await owner.commit();
    }
    await owner.commit();
    await server.kill();
    running = await server.again();
    const stored: unknown[] = [];
    for await (const event of engine.read("one")) stored.push((event as { content?: { text?: string } }).content?.text);
    expect(stored).toEqual(said);
    // The owner has not noticed anything.
    await owner.append({ type: "agent_message_chunk", messageId: "m", content: { type: "text", text: "more" } });
    await owner.commit();
    await owner[Symbol.asyncDispose]();
    engine[Symbol.dispose]();
    await connection.close();
    expect(page).toMatch(/a broker is killed or crashes, and starts again +\| none:/);
  }, 30_000);
});

test("NATS-11 the page says what sync_interval costs and loses", () => {
  expect(page).toMatch(/within `sync_interval`, which is two minutes by default/);
  expect(page).toMatch(/the only copy loses its power +\| the writes of the last two minutes/);
  expect(page).toMatch(/all three machines lose their power at the same moment +\| the writes of the last two minutes/);
  expect(page).toMatch(/sync_interval: always/);
  expect(page).toMatch(/few hundred messages a second/);
  expect(page).toContain("nats-server 2.10 or newer");
});
