import { connect } from "@nats-io/transport-node";
import { expect, onTestFinished, test } from "vitest";
import { createFigures } from "../../src/index.js";
import { createJetStreamEngine } from "../../src/jetstream/index.js";
import { describeWithNats, NatsServer } from "./nats-server.js";

describeWithNats("figures of an engine on JetStream", () => {
  test("NATS-12 stored messages are counted, and a server that is gone is noticed", async () => {
    const { server, url } = await NatsServer.start();
    onTestFinished(() => server.stop());
    const connection = await connect({ servers: url, maxReconnectAttempts: -1 });
    const figures = createFigures();
    const engine = createJetStreamEngine(connection, { ttlMs: 1_200, streamCount: 1, figures });
    await engine.reach();
    const owner = await engine.open("one", { sessionId: "one", cwd: "/work" });
    const text = "a".repeat(10_000);
    owner.append({ type: "agent_message_chunk", messageId: "m", content: { type: "text", text } });
    await owner.commit();
    const value = (name: string) => Number(new RegExp(`^turnkit_${name} (\\S+)$`, "m").exec(figures.text())?.[1]);
    // The mark of the owner, and the event.
    expect(value("stored_messages_total")).toBe(2);
    expect(value("store_seconds_count")).toBe(2);
    expect(value("stored_bytes_total")).toBeGreaterThan(10_000);
    expect(value("stored_bytes_total")).toBeLessThan(11_000);
    await server.kill();
    await expect(engine.reach()).rejects.toThrow();
    engine[Symbol.dispose]();
    await connection.close();
  }, 20_000);
});
