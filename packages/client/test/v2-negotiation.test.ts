import { describe, expect, test } from "vitest";
import { createElicitations, seedDialect, v1Dialect, v2Dialect } from "../src/index.js";
import { NOW, openDraft, SEED, SESSION } from "./draft-agent.js";
import { CAPABLE, dial, newSession, OPTIONS, RawAgent } from "./raw-agent.js";

describe("the hello", () => {
  test("offers version 2 and has what older agents read beside it (V2-INIT-01, V2-INIT-18, V2-SEED-05)", async () => {
    const { agent } = await openDraft(NOW, {
      files: { readTextFile: () => "" },
      elicitations: createElicitations({ form: () => undefined }),
    });
    expect(agent.received[0]?.params).toEqual({
      protocolVersion: 2,
      info: { name: "test-client", version: "1.0.0" },
      capabilities: { elicitation: { form: {} } },
      clientInfo: { name: "test-client", version: "1.0.0" },
      clientCapabilities: expect.objectContaining({
        fs: { readTextFile: true, writeTextFile: false },
        terminal: false,
        elicitation: { form: {} },
      }),
    });
  });

  test.each([{ omitLegacyFields: true }, { dialects: [v2Dialect] }])(
    "has nothing of version 1 where that is switched off: %j (V2-INIT-18)",
    async (options) => {
      const { agent } = await openDraft(NOW, options);
      expect(Object.keys(agent.received[0]?.params)).toEqual(["protocolVersion", "info", "capabilities"]);
    },
  );

  test("an agent of version 1 that answers 1 has seen what is offered (V2-INIT-05, V2-INIT-07; trap 36)", async () => {
    const { agent, connecting } = dial({ files: { readTextFile: () => "text" } });
    agent.answer(await agent.call("initialize"), { protocolVersion: 1, agentCapabilities: CAPABLE });
    const client = await connecting;
    expect(client.peer.dialect).toBe("v1");
    await newSession({ agent, client }, "s-1");
    agent.request("r", "fs/read_text_file", { sessionId: "s-1", path: "/work/a" });
    expect(await agent.answerTo("r")).toMatchObject({ result: { content: "text" } });
  });
});

describe("the answer", () => {
  test("of version 2 says who and what the agent is (V2-INIT-02, V2-INIT-12, V2-INIT-16, V2-INIT-20)", async () => {
    const { client } = await openDraft({ ...NOW, authMethods: [{ type: "agent", methodId: "web", name: "Web" }] });
    expect(client.peer).toMatchObject({
      dialect: "v2",
      info: { name: "raw-agent" },
      capabilities: { load: true, resume: true, list: true, close: true, delete: true, logout: true },
      authMethods: [{ methodId: "web", type: "agent" }],
    });
  });

  test("without sessions allows none: nothing is sent (V2-INIT-13, V2-INIT-16)", async () => {
    const { agent, client } = await openDraft({ ...NOW, capabilities: {} });
    await expect(client.newSession({ cwd: "/work" })).rejects.toMatchObject({ code: "capability" });
    expect(await client.restore("s-1", { cwd: "/work" })).toMatchObject({
      status: "unavailable",
      reason: "unsupported",
    });
    expect(agent.received).toHaveLength(1);
  });

  test("with agentInfo is the seed draft, with its markers for gates (V2-SEED-01, V2-SEED-04)", async () => {
    const { client } = await openDraft({ ...SEED, authMethods: [{ id: "web", name: "Web", type: "agent" }] });
    expect(client.peer).toMatchObject({
      dialect: "seed",
      info: { name: "raw-agent" },
      capabilities: { load: true, list: true, logout: true },
      authMethods: [{ methodId: "web" }],
    });
  });

  test("with a marker alone is the seed draft too; nobody said who it is (V2-SEED-04)", async () => {
    const { client } = await openDraft({ protocolVersion: 2, capabilities: { session: { load: {} } } });
    expect(client.peer).toMatchObject({
      dialect: "seed",
      info: { name: "unknown", version: "unknown" },
      capabilities: { load: true, resume: false, list: false, close: false },
    });
  });

  test("with nothing that tells is version 2 (V2-SEED-04)", async () => {
    const { client } = await openDraft({ protocolVersion: 2, capabilities: { session: SESSION } });
    expect(client.peer).toMatchObject({ dialect: "v2", info: { name: "unknown" } });
  });

  test("fixes the dialect for what follows in the same write (V2-INIT-10)", async () => {
    const { agent, connecting } = dial();
    const hello = await agent.call("initialize");
    agent.send(RawAgent.result(hello, NOW), {
      jsonrpc: "2.0",
      id: "q",
      method: "fs/read_text_file",
      params: { sessionId: "s-1", path: "/a" },
    });
    expect(await agent.answerTo("q")).toMatchObject({ error: { code: -32601 } });
    expect((await connecting).peer.dialect).toBe("v2");
  });

  test("and what came before it waits for it (V2-INIT-10)", async () => {
    const { agent } = dial();
    const hello = await agent.call("initialize");
    // It exists in version 2, where nobody opened this session; before, nothing exists.
    agent.request("early", "session/request_permission", { sessionId: "s-1", title: "Run?", options: OPTIONS });
    agent.answer(hello, NOW);
    expect(await agent.answerTo("early")).toMatchObject({ error: { code: -32002 } });
  });
});

describe("no version in common", () => {
  test("an agent that refuses says what it speaks, and so does the error (V2-INIT-04, V2-INIT-06)", async () => {
    const { agent, connecting, channel } = dial();
    agent.refuse(await agent.call("initialize"), -32022, "Unsupported", { requested: 2, supported: [3, 4] });
    await expect(connecting).rejects.toMatchObject({
      code: "negotiation",
      message:
        "The agent speaks version 3, version 4; this client speaks version 2, version 2 (seed draft), version 1. Update the older side.",
      cause: { code: -32022 },
    });
    expect((await channel.closed).kind).toBe("local");
  });

  test("defect B14: an agent that refuses version 2 and names version 1 is asked for that, once (V2-INIT-08)", async () => {
    const { agent, connecting } = dial();
    agent.refuse(await agent.call("initialize"), -32022, "Unsupported", { requested: 2, supported: [0, 1] });
    const again = await agent.call("initialize");
    expect(again.params).toMatchObject({ protocolVersion: 1, clientInfo: { name: "test-client" } });
    agent.answer(again, { protocolVersion: 1, agentCapabilities: CAPABLE });
    expect((await connecting).peer.dialect).toBe("v1");
    expect(agent.received).toHaveLength(2);
  });

  test("an agent that refuses what it named is not asked a third time (V2-INIT-06)", async () => {
    const { agent, connecting, channel } = dial();
    for (const requested of [2, 1]) {
      agent.refuse(await agent.call("initialize"), -32022, "Unsupported", { requested, supported: [1] });
    }
    await expect(connecting).rejects.toMatchObject({ code: "negotiation", cause: { data: { requested: 1 } } });
    expect((await channel.closed).kind).toBe("local");
    expect(agent.received).toHaveLength(2);
  });

  test.each([
    ["both versions", undefined, [1, 2], "version 1, version 2", "version 2, version 2 (seed draft), version 1"],
    ["one version", { dialects: [v2Dialect] }, [2, 2, 3], "version 2", "version 2"],
    ["the draft", { dialects: [seedDialect] }, [2], "version 2", "version 2 (seed draft)"],
  ])(
    "an agent that refuses what it lists is said to: %s (V2-INIT-06)",
    async (_, options, supported, refused, spoken) => {
      const { agent, connecting } = dial(options);
      agent.refuse(await agent.call("initialize"), -32022, "Unsupported", { supported });
      if (options === undefined) agent.refuse(await agent.call("initialize"), -32022, "Unsupported", { supported });
      await expect(connecting).rejects.toMatchObject({
        code: "negotiation",
        message: `The agent refuses versions that it lists as supported: ${refused}. This client speaks ${spoken}. Report it to the agent's authors.`,
        cause: { code: -32022 },
      });
    },
  );

  test.each([[[2]], [["1"]], [null], [{ 0: 1 }], [[1.5, Number.NaN]]])(
    "supported versions %j name nothing to ask for: no second try",
    async (supported) => {
      const { agent, connecting } = dial();
      agent.refuse(await agent.call("initialize"), -32022, "Unsupported", { supported });
      await expect(connecting).rejects.toMatchObject({ code: "negotiation" });
      expect(agent.received).toHaveLength(1);
    },
  );

  test("nor does it matter that it does not say (V2-INIT-04)", async () => {
    const { agent, connecting } = dial({ dialects: [v1Dialect] });
    agent.refuse(await agent.call("initialize"), -32022, "Unsupported");
    await expect(connecting).rejects.toMatchObject({
      message: expect.stringContaining("this client speaks version 1"),
    });
  });

  test.each([
    ["v2", { dialects: [v2Dialect] }, SEED, "version 2 \\(seed draft\\); this client speaks version 2\\."],
    ["seed", { dialects: [seedDialect] }, NOW, "version 2; this client speaks version 2 \\(seed draft\\)\\."],
    ["v1", { dialects: [v1Dialect] }, NOW, "version 2; this client speaks version 1\\."],
  ])("a client of %s alone says what it met (V2-INIT-06)", async (_, options, said, message) => {
    const { agent, connecting } = dial(options);
    agent.answer(await agent.call("initialize"), said);
    await expect(connecting).rejects.toMatchObject({
      code: "negotiation",
      message: expect.stringMatching(new RegExp(message)),
    });
  });

  test("the newest of the dialects is offered, in whatever order they are named (V2-INIT-01)", async () => {
    for (const dialects of [
      [v1Dialect, v2Dialect],
      [seedDialect, v1Dialect, v2Dialect],
    ]) {
      const { agent } = dial({ dialects });
      expect((await agent.call("initialize")).params).toMatchObject({
        protocolVersion: 2,
        info: { name: "test-client" },
      });
    }
    const { agent } = dial({ dialects: [v1Dialect, seedDialect] });
    expect((await agent.call("initialize")).params).not.toHaveProperty("info");
  });

  test("a client that is to speak nothing cannot be made", async () => {
    const { agent, connecting, channel } = dial({ dialects: [] });
    await expect(connecting).rejects.toMatchObject({ code: "negotiation" });
    expect((await channel.closed).kind).toBe("local");
    expect(agent.received).toEqual([]);
  });
});
