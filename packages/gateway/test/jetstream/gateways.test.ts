import type { NatsConnection } from "@nats-io/transport-node";
import { createMemoryLog } from "@turnkit/agent";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createJetStreamEngine } from "../../src/jetstream/index.js";
import { attach, clientOf, gatewayOf } from "../attached-clients.js";
import { createLatch, untilCancelled } from "../latch.js";
import { viewOf } from "../view.js";
import { connected, describeWithNats, NatsServer } from "./nats-server.js";

type Handlers = Parameters<typeof gatewayOf>[0];

const shown = (session: { readonly state: Parameters<typeof viewOf>[0] }) => JSON.stringify(viewOf(session.state));

describeWithNats("gateways on JetStream", () => {
  let running: { readonly server: NatsServer; readonly url: string };
  let tests = 0;

  beforeAll(async () => {
    running = await NatsServer.start();
  });

  afterAll(() => running.server.stop());

  /** Two gateways with connections of their own. Their agents have one store. */
  async function gatewaysOf(handlers: Handlers) {
    tests += 1;
    const name = `gateways-${tests}`;
    const its = { log: createMemoryLog(), ...handlers };
    const one = async () => {
      const connection: NatsConnection = await connected(running.url);
      const engine = createJetStreamEngine(connection, { name, streamCount: 1, ttlMs: 1_200 });
      onTestFinished(() => engine[Symbol.dispose]());
      return { connection, ...gatewayOf(its, { log: () => engine, onDiagnostic: () => undefined }) };
    };
    return { here: await one(), there: await one() };
  }

  const wordsOf = (turn: Parameters<NonNullable<Handlers["prompt"]>>[0]): string =>
    (turn.prompt as unknown as readonly [{ readonly text: string }])[0].text;

  test.each(["v1", "v2", "seed"] as const)(
    "NATS-06 SHARE-01 share one session with clients at both (%s)",
    async (dialect) => {
      const { here, there } = await gatewaysOf({
        async prompt(turn) {
          turn.toolCall({ title: `Look at ${wordsOf(turn)}`, kind: "read" }).finish();
          await turn.say(`Heard ${wordsOf(turn)}.`);
        },
      });
      const ann = await (await clientOf(here.gateway, "v2", { name: "Ann" })).newSession({ cwd: "/work" });
      await ann.prompt("first").ended;
      const bob = await attach(await clientOf(there.gateway, dialect, { name: "Bob" }), ann.id);
      await expect.poll(() => shown(bob)).toBe(shown(ann));
      expect((await bob.prompt("second").ended).error).toBeUndefined();
      expect((await ann.prompt("third").ended).error).toBeUndefined();
      await expect.poll(() => shown(ann)).toMatch(/Heard first.*Heard second.*Heard third/);
      await expect.poll(() => shown(bob)).toBe(shown(ann));
    },
  );

  test("NATS-09 the other gateway takes over when the owner is cut off, and the open turn ends as interrupted", async () => {
    const ran: string[] = [];
    const begun = createLatch();
    const { here, there } = await gatewaysOf({
      async prompt(turn) {
        ran.push(wordsOf(turn));
        if (wordsOf(turn) !== "Work") return void (await turn.say(`Heard ${wordsOf(turn)}.`));
        await turn.say("Begun.");
        begun.open();
        await untilCancelled(turn);
      },
    });
    const ann = await (await clientOf(here.gateway, "v2", { name: "Ann" })).newSession({ cwd: "/work" });
    const bob = await attach(await clientOf(there.gateway, "v2", { name: "Bob" }), ann.id);
    const turn = bob.prompt("Work");
    await begun.opened;
    await expect.poll(() => shown(bob)).toContain("Begun");
    await here.connection.close();
    const end = await turn.ended.catch((error: unknown) => ({ error }));
    expect(end.error).toBeDefined();
    expect((await bob.prompt("Again").ended).error).toBeUndefined();
    expect(shown(bob)).toMatch(/Begun.*Heard Again/);
    expect(ran).toEqual(["Work", "Again"]);
  }, 20_000);
});
