import { createAgent } from "@turnkit/agent";
import { connect } from "@turnkit/client";
import { createGateway } from "@turnkit/gateway";
import { openRemote } from "@turnkit/remote/client";
import { listen } from "@turnkit/remote/node";
import { createRemoteServer, hasToken } from "@turnkit/remote/server";
import { createMemoryPair } from "@turnkit/transport/channels";
import { expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";

const info = { name: "viewer", version: "1.0.0" };
const users = [
  { id: "ann", name: "Ann", group: "team" },
  { id: "bob", name: "Bob", group: "team" },
  { id: "mallory", name: "Mallory" },
];

/** Gateway behind an address. The token of a user is its id. */
async function serving() {
  const agent = createAgent({
    info: { name: "agent", version: "1.0.0" },
    async prompt(turn) {
      const call = turn.toolCall({ title: "Delete all", kind: "delete" });
      await turn.say((await call.ask()) ? "done" : "left");
      call.finish();
    },
  });
  const gateway = createGateway({
    agent() {
      const [ours, theirs] = createMemoryPair();
      agent.serve(theirs);
      return ours;
    },
  });
  const server = createRemoteServer({
    authorize: (request) => users.find(({ id }) => hasToken(request, id)),
    open: (principal) => gateway.open(principal),
  });
  const port = await listen(server, { port: 0 });
  onTestFinished(async () => {
    await port.close();
    await gateway.close();
  });
  return async (token: string, scheme: "http" | "ws") => {
    const url = port.url.replace(/^http/, scheme);
    const channel = await openRemote(url, {
      token,
      webSocket: (address, { headers }) => new WebSocket(address, { headers }),
    });
    const client = await connect(channel, { info, permissions: () => "wait" });
    onTestFinished(() => client.close());
    return client;
  };
}

it.each(["http", "ws"] as const)(
  "SHARE-01 SHARE-05 a turn that is begun over %s is answered by another client, after the first has gone",
  async (scheme) => {
    const open = await serving();
    const ann = await open("ann", scheme);
    const session = await ann.newSession({ cwd: "/work" });
    await session.prompt("Clean up").accepted;
    await ann.close();
    const bob = await open("bob", scheme === "ws" ? "http" : "ws");
    const outcome = await bob.restore(session.id, { cwd: "/work" });
    if (outcome.status === "unavailable") throw outcome.error;
    const { session: seen } = outcome;
    await expect.poll(() => seen.state.pendingPermissions.length).toBe(1);
    const [question] = seen.state.pendingPermissions;
    const allowed = question?.options.find(({ kind }) => kind === "allow_once")?.optionId ?? "";
    seen.answer(question?.requestId ?? "", { outcome: "selected", optionId: allowed });
    await expect.poll(() => JSON.stringify([...seen.state.timeline].map((entry) => entry))).toContain("Bob");
    await expect.poll(() => seen.state.activity.state).toBe("idle");
  },
);

it("SHARE-12 nobody without a token is served, and a token of another group finds no session", async () => {
  const open = await serving();
  const session = await (await open("ann", "http")).newSession({ cwd: "/work" });
  await expect(open("nobody", "http")).rejects.toThrow("401");
  const outcome = await (await open("mallory", "ws")).restore(session.id, { cwd: "/work" });
  expect(outcome).toMatchObject({ status: "unavailable", reason: "unknown" });
});
