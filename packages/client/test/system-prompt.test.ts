import { describe, expect, test } from "vitest";
import { NOW, openDraft, SESSION } from "./draft-agent.js";
import { CAPABLE, open } from "./raw-agent.js";

const text = (said: string) => ({ type: "text", text: said }) as const;
const appended = { mode: "append", content: [text("Answer in French.")] } as const;
const replaced = { ...appended, mode: "override" } as const;

const openers = {
  v1: (systemPrompt?: object) =>
    open(
      {},
      { agentCapabilities: { ...CAPABLE, sessionCapabilities: { ...CAPABLE.sessionCapabilities, systemPrompt } } },
    ),
  v2: (systemPrompt?: object) => openDraft({ ...NOW, capabilities: { session: { ...SESSION, systemPrompt } } }),
};

describe.each([
  ["v1", "session/load"],
  ["v2", "session/resume"],
] as const)("a system prompt in %s", (dialect, restoring) => {
  test("P-SYS-01: goes with a new and with a restored session, if the agent takes its mode", async () => {
    const { agent, client } = await openers[dialect]({ mode: { override: {} } });
    expect(client.peer.capabilities.systemPrompt).toEqual({ override: true });
    for (const systemPrompt of [appended, replaced]) {
      const opening = client.newSession({ cwd: "/work", systemPrompt });
      const asked = await agent.call("session/new");
      expect(asked.params.systemPrompt).toEqual(systemPrompt);
      agent.answer(asked, { sessionId: `s-${systemPrompt.mode}` });
      await opening;
    }
    const back = client.restore("s-9", { cwd: "/work", systemPrompt: appended });
    const asked = await agent.call(restoring);
    expect(asked.params.systemPrompt).toEqual(appended);
    agent.answer(asked, {});
    expect(await back).toMatchObject({ status: "replayed" });
  });

  test("P-SYS-01: is refused before it is sent if the agent does not take it or its mode", async () => {
    const none = await openers[dialect]();
    expect(none.client.peer.capabilities.systemPrompt).toBeUndefined();
    await expect(none.client.newSession({ cwd: "/work", systemPrompt: appended })).rejects.toMatchObject({
      code: "capability",
    });
    const some = await openers[dialect]({});
    expect(some.client.peer.capabilities.systemPrompt).toEqual({ override: false });
    await expect(some.client.newSession({ cwd: "/work", systemPrompt: replaced })).rejects.toMatchObject({
      code: "capability",
    });
    const restored = await some.client.restore("s-9", { cwd: "/work", systemPrompt: replaced });
    expect(restored).toMatchObject({ status: "unavailable", reason: "unsupported" });
    for (const { agent } of [none, some]) {
      expect(agent.count("session/new") + agent.count(restoring)).toBe(0);
    }
  });

  test("P-SYS-03: has at least one block, and all its blocks are text", async () => {
    const { agent, client } = await openers[dialect]({});
    const link = { type: "resource_link", uri: "file:///a", name: "a" } as const;
    for (const content of [[], [text("Hi"), link]]) {
      const opening = client.newSession({ cwd: "/work", systemPrompt: { mode: "append", content } });
      await expect(opening).rejects.toMatchObject({ code: "invalid_message" });
    }
    expect(agent.count("session/new")).toBe(0);
  });
});
