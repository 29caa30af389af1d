import { expect, test } from "vitest";
import type { ClientOptions } from "../src/index.js";
import { v1Dialect } from "../src/index.js";
import { NOW, openDraft, openDraftSession, SEED } from "./draft-agent.js";
import { open, openSession, settle } from "./raw-agent.js";

const customCapabilities = { "example.com": { undo: true } };

test("features of one's own are advertised under their name, and the agent's are there to look at (V1-EXT-05)", async () => {
  const agentCapabilities = { _meta: { "example.org": { blame: 1 } } };
  const { agent, client } = await open({ customCapabilities, dialects: [v1Dialect] }, { agentCapabilities });
  expect(agent.received[0]?.params.clientCapabilities._meta).toEqual(customCapabilities);
  expect(client.peer.capabilities._meta).toEqual({ "example.org": { blame: 1 } });
});

test("in version 2 they are where every version looks (V2-EXT-06)", async () => {
  const capabilities = { ...NOW.capabilities, _meta: { "example.org": {} } };
  const { agent, client } = await openDraft({ ...NOW, capabilities }, { customCapabilities });
  const { params } = agent.received[0] ?? {};
  expect([params.capabilities._meta, params.clientCapabilities._meta]).toEqual([
    customCapabilities,
    customCapabilities,
  ]);
  expect(client.peer.capabilities._meta).toEqual({ "example.org": {} });
});

test("without any, nothing is said", async () => {
  const { agent } = await open();
  expect(agent.received[0]?.params.clientCapabilities).not.toHaveProperty("_meta");
  expect(agent.received[0]?.params.capabilities).not.toHaveProperty("_meta");
});

test.each<[ClientOptions["metaMode"], object]>([
  [undefined, { a: 1, b: 2 }],
  ["patch", { a: 1, b: 2 }],
  ["replace", { b: 2 }],
])("metadata that comes anew with mode %s leaves %j (V2-SEED-10)", async (metaMode, left) => {
  const options = metaMode ? { metaMode } : {};
  for (const { agent, session } of [await openSession(options), await openDraftSession(SEED, options)]) {
    for (const _meta of [{ a: 1 }, { b: 2 }]) agent.update("s-1", { sessionUpdate: "session_info_update", _meta });
    await settle(agent);
    expect(session.state._meta).toEqual(left);
  }
});
