import { expect, test } from "vitest";
import { connectAs, open } from "./raw-client.js";

test("V1-EXT-02: what no protocol has stays off the wire; metadata is there for it", async () => {
  const own = { colour: "red" };
  const { client, sessionId } = await open({
    prompt(turn) {
      const { session } = turn;
      session.emit({ type: "session_info_update", title: "T", ...own, _meta: own } as never);
      session.emit({ type: "usage_update", used: 1, size: 2, ...own } as never);
      turn.toolCall({ title: "T", ...own, _meta: own } as never);
    },
  });
  await client.ask(sessionId);
  // The last update ends the call with its turn.
  const updates = client.updates().slice(0, -1);
  expect(updates.map(({ sessionUpdate }) => sessionUpdate)).toEqual([
    "session_info_update",
    "usage_update",
    "tool_call",
  ]);
  for (const update of updates) expect(update).not.toHaveProperty("colour");
  expect(updates.map(({ _meta }) => _meta)).toEqual([own, undefined, own]);
});

test("V1-INIT-03: a client that says nothing of itself, or says it badly, has no files, terminals and login", async () => {
  for (const more of [
    {},
    { clientCapabilities: null, clientInfo: { name: "x" } },
    { clientCapabilities: { fs: [] } },
  ]) {
    const seen: unknown[] = [];
    const { client } = await connectAs(
      { protocolVersion: 1, ...more },
      { newSession: (_, session) => void seen.push(session.client.capabilities) },
    );
    await client.newSession();
    expect(seen).toMatchObject([{ files: { read: false, write: false }, terminals: false, terminalLogin: false }]);
  }
});
