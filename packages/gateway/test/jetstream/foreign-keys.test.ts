import { jetstream } from "@nats-io/jetstream";
import { expect, onTestFinished, test } from "vitest";
import { createJetStreamEngine } from "../../src/jetstream/index.js";
import { connected, describeWithNats, NatsServer } from "./nats-server.js";

describeWithNats("a key that another program has written on JetStream", () => {
  test("defect G41: does not end the list of sessions", async () => {
    const { server, url } = await NatsServer.start();
    onTestFinished(() => server.stop());
    const connection = await connected(url);
    const engine = createJetStreamEngine(connection, { tenant: "mine", name: "acp", streamCount: 1 });
    onTestFinished(() => engine[Symbol.dispose]());
    await (await engine.open("one", { sessionId: "one", cwd: "/work" }))[Symbol.asyncDispose]();
    for (const key of ["we!rd", "é", "st%ar", "a.b.c"])
      await jetstream(connection).publish(`$KV.acp-sessions.t-mine.${key}`, "{}");
    expect((await engine.list({})).sessions.map(({ sessionId }) => sessionId)).toEqual(["one"]);
  });
});
