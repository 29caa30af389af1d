import { connect } from "@turnkit/client";
import { createRawPeer } from "@turnkit/testing";
import { createMemoryPair } from "@turnkit/transport/channels";

/** Opens the session `root`, whose agent sends bare messages. */
export async function openRoot() {
  const [channel, end] = createMemoryPair();
  const agent = createRawPeer(end, { patienceMs: 10_000 });
  const send = (frame: object) => void end.send({ jsonrpc: "2.0", ...frame } as never);
  const update = (sessionId: string, update: object) =>
    send({ method: "session/update", params: { sessionId, update } });
  const connecting = connect(channel, { info: { name: "t", version: "1" }, permissions: () => undefined });
  const answer = async (method: string, result: object) =>
    send({ id: ((await agent.call(method)) as { readonly id: unknown }).id, result });
  await answer("initialize", {
    protocolVersion: 2,
    info: { name: "a", version: "1" },
    capabilities: { session: {} },
  });
  const client = await connecting;
  const opening = client.newSession({ cwd: "/work" });
  await answer("session/new", { sessionId: "root" });
  const session = await opening;
  const options = [{ optionId: "y", name: "Allow", kind: "allow_once" }];
  return {
    ...{ client, session, agent, send, update },
    announce(sessionId: string, announced: object = {}, parent = "root") {
      update(parent, { sessionUpdate: "subagent_update", sessionId, ...announced });
      update(sessionId, { sessionUpdate: "state_update", state: "running" });
    },
    ask: (id: string, sessionId: string, toolCall: object) =>
      send({
        ...{ id, method: "session/request_permission" },
        params: { sessionId, title: "May I go on?", options, subject: { type: "tool_call", toolCall } },
      }),
    answerTo: (id: string) => agent.answerTo(id),
    async settled() {
      const id = `settled ${Math.random()}`;
      send({ id, method: "_settled" });
      await agent.answerTo(id);
    },
  };
}
