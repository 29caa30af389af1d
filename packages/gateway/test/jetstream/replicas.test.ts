import { expect, onTestFinished, test } from "vitest";
import { createJetStreamEngine } from "../../src/jetstream/index.js";
import { connected, describeWithNats, NatsServer } from "./nats-server.js";

describeWithNats("the number of replicas", () => {
  test("NATS-12 defect G50: another number than that of the storage is refused, and none takes that of the storage", async () => {
    const { server, url } = await NatsServer.start();
    onTestFinished(() => server.stop());
    const connection = await connected(url);
    const open = async (options: { readonly replicas?: number }): Promise<void> => {
      using engine = createJetStreamEngine(connection, { streamCount: 1, ...options });
      await engine.ready();
    };
    await open({});
    // As a server that is new enough for several replicas.
    Object.assign(connection.info ?? {}, { version: "2.12.0" });
    await expect(open({ replicas: 3 })).rejects.toThrow("the stream KV_acp-layout has 1 replica, not 3");
    await open({ replicas: 1 });
    await open({});
  }, 20_000);
});
