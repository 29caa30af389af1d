import { expect, it } from "vitest";
import { type Channel, createMemoryEngine, type Engine } from "../src/index.js";
import { attach, clientOf, type DialectName, gatewayOf } from "./attached-clients.js";
import { viewOf } from "./view.js";

/** The same engine, and the channels that were opened to owners. */
function watched(engine: Engine): { readonly engine: Engine; readonly channels: Channel[] } {
  const channels: Channel[] = [];
  const connect = async (sessionId: string): Promise<Channel> => {
    const channel = await engine.connect(sessionId);
    channels.push(channel);
    return channel;
  };
  return { engine: { ...engine, connect }, channels };
}

const shown = (session: { readonly state: Parameters<typeof viewOf>[0] }) => JSON.stringify(viewOf(session.state));

it("NATS-07 all clients of a gateway share one channel to the owner of a session, and it ends after the last of them", async () => {
  const shared = createMemoryEngine();
  const { engine, channels } = watched(shared);
  const its = { prompt: (turn: { say(text: string): unknown }) => void turn.say("Heard.") };
  const here = gatewayOf(its, { log: () => shared });
  const there = gatewayOf(its, { log: () => engine, idleMs: 20 });
  const ann = await (await clientOf(here.gateway)).newSession({ cwd: "/work" });
  const names: readonly DialectName[] = ["v1", "v2", "seed"];
  const clients = await Promise.all(Array.from({ length: 12 }, (_, at) => clientOf(there.gateway, names[at % 3])));
  const sessions = await Promise.all(clients.map((client) => attach(client, ann.id)));
  await ann.prompt("Go").ended;
  for (const session of sessions) await expect.poll(() => shown(session)).toContain("Heard.");
  expect(channels).toHaveLength(1);
  const [channel] = channels;
  let isClosed = false;
  void channel?.closed.then(() => {
    isClosed = true;
  });
  for (const client of clients.slice(1)) await client.close();
  // One client is left, and gets what follows on the same channel.
  expect((await ann.prompt("Go on").ended).error).toBeUndefined();
  await expect.poll(() => shown(sessions[0] as (typeof sessions)[0]).split("Heard.").length).toBe(3);
  expect([isClosed, channels.length]).toEqual([false, 1]);
  await clients[0]?.close();
  await expect.poll(() => isClosed).toBe(true);
});
