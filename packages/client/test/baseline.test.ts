import { describe, expect, test } from "vitest";
import { NOW, openDraftSession } from "./draft-agent.js";
import { back, dial, isSettled, newSession, open, openSession, settle } from "./raw-agent.js";

test("a client that offers nothing takes updates and answers permission questions (V1-INIT-14)", async () => {
  const { agent, session } = await openSession();
  const turn = session.prompt("hi");
  const prompt = await agent.call("session/prompt");
  agent.say("s-1", "Let me ");
  agent.ask("q", "s-1");
  await settle(agent);
  expect(session.state.timeline.at(1)).toMatchObject({ role: "agent" });
  const [question] = session.state.pendingPermissions;
  session.answer(question?.requestId as string, { outcome: "selected", optionId: "yes" });
  expect(await agent.answerTo("q")).toMatchObject({ result: { outcome: { outcome: "selected", optionId: "yes" } } });
  agent.answer(prompt, { stopReason: "end_turn" });
  expect(await turn.ended).toMatchObject({ stopReason: "end_turn" });
});

test("a prompt waits for its session, and a session for a version: each is asked when the one before is there (V1-PROMPT-01)", async () => {
  const { agent, connecting } = dial();
  const conversation = connecting.then(async (client) => {
    const session = await client.newSession({ cwd: "/work" });
    return session.prompt("hi").ended;
  });
  const asked = () => agent.received.map(({ method }) => method);
  const hello = await agent.call("initialize");
  expect(await isSettled(connecting)).toBe(false);
  expect(asked()).toEqual(["initialize"]);
  agent.answer(hello, { protocolVersion: 1 });
  const opening = await agent.call("session/new");
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked()).toEqual(["initialize", "session/new"]);
  agent.answer(opening, { sessionId: "s-9" });
  const prompt = await agent.call("session/prompt");
  expect(prompt.params.sessionId).toBe("s-9");
  agent.answer(prompt, { stopReason: "end_turn" });
  await conversation;
});

test("after the end of a turn the same session is prompted again, and what was said stays (V1-PROMPT-12)", async () => {
  const { agent, session } = await openSession();
  for (const words of ["one", "two"]) {
    const turn = session.prompt(words);
    const prompt = await agent.call("session/prompt");
    expect(prompt.params).toEqual({ sessionId: "s-1", prompt: [{ type: "text", text: words }] });
    agent.say("s-1", `${words}!`);
    agent.answer(prompt, { stopReason: "end_turn" });
    expect(await turn.ended).toEqual({ stopReason: "end_turn", agentConfirmed: true });
  }
  const texts = [...session.state.timeline].map((entry) =>
    entry.type === "message"
      ? [...entry.content].map((block) => (block.type === "text" ? block.text : "")).join("")
      : "",
  );
  expect(texts).toEqual(["one", "one!", "two", "two!"]);
});

test("a refused prompt ends with that reason, and the next one is sent alone (V1-PROMPT-10)", async () => {
  const { agent, session } = await openSession();
  const refused = session.prompt("do harm");
  agent.answer(await agent.call("session/prompt"), { stopReason: "refusal" });
  expect(await refused.ended).toEqual({ stopReason: "refusal", agentConfirmed: true });
  expect(session.state.activity).toMatchObject({ state: "idle", stopReason: "refusal" });
  void session.prompt("do good");
  expect((await agent.call("session/prompt")).params.prompt).toEqual([{ type: "text", text: "do good" }]);
});

const image = { type: "image", data: "AA==", mimeType: "image/png" } as const;
const resource = { type: "resource", resource: { uri: "file:///a", text: "a" } } as const;
const mcp = { type: "http", name: "tools", url: "https://example.org" } as const;

describe("every combination of what an agent offers (V1-INIT-11)", () => {
  const flags = ["load", "resume", "close", "list", "image", "embedded", "directories", "http"] as const;
  const combinations = Array.from({ length: 2 ** flags.length }, (_, bits) =>
    Object.fromEntries(flags.map((flag, index) => [flag, (bits & (1 << index)) !== 0])),
  ) as unknown as readonly Record<(typeof flags)[number], boolean>[];
  const marked = (marks: Readonly<Record<string, boolean>>) =>
    Object.fromEntries(Object.entries(marks).flatMap(([name, is]) => (is ? [[name, {}]] : [])));

  test("can be talked to; what it did not offer is refused here, what it did is sent: V1-INIT-11", async () => {
    for (const has of combinations) {
      const agentCapabilities = {
        loadSession: has.load,
        promptCapabilities: { image: has.image, embeddedContext: has.embedded },
        mcpCapabilities: { http: has.http },
        sessionCapabilities: marked({
          resume: has.resume,
          close: has.close,
          list: has.list,
          additionalDirectories: has.directories,
        }),
      };
      const opened = await open({}, { agentCapabilities });
      const { agent, client } = opened;
      const session = await newSession(opened, "s-1");
      const offered: [boolean, () => unknown, string][] = [
        [has.image && has.embedded, () => session.prompt([image, resource]), "session/prompt"],
        [has.http, () => client.newSession({ cwd: "/a", mcpServers: [mcp] }), "session/new"],
        [has.list, () => client.listSessions()[Symbol.asyncIterator]().next(), "session/list"],
        [has.directories, () => client.newSession({ cwd: "/a", additionalDirectories: ["/b"] }), "session/new"],
        [
          has.load || has.resume,
          () => back(client.restore("s-2", { cwd: "/a" })),
          has.load ? "session/load" : "session/resume",
        ],
      ];
      for (const [is, act, method] of offered) {
        const before = agent.count(method);
        const done = Promise.resolve().then(act);
        if (is) expect((await agent.call(method)).method).toBe(method);
        else await expect(done).rejects.toMatchObject({ code: "capability" });
        expect(agent.count(method)).toBe(before + (is ? 1 : 0));
        done.catch(() => undefined);
      }
      const closing = session.close();
      if (has.close) agent.answer(await agent.call("session/close"), {});
      await closing;
      expect(agent.count("session/close")).toBe(has.close ? 1 : 0);
      await agent.close();
    }
  });
});

test.each([
  ["version 1", openSession],
  ["version 2", () => openDraftSession(NOW)],
] as const)(
  "settings come and stay in the agent's order, whatever their category says, in %s (V1-CFG-12, V2-CFG-02)",
  async (name, openOne) => {
    const { agent, session } = await openOne();
    const idName = name === "version 1" ? "id" : "configId";
    const option = (id: string, category: string) => ({
      [idName]: id,
      name: id,
      category,
      type: "select",
      currentValue: "x",
      options: ["z", "x", "y"].map((value) => ({ value, name: value })),
    });
    const configOptions = [
      option("effort", "thought_level"),
      option("b", "model"),
      option("a", "model"),
      option("odd", "_mood"),
      option("temperature", "model_config"),
    ];
    agent.update("s-1", { sessionUpdate: "config_option_update", configOptions });
    await settle(agent);
    const shown = session.state.configOptions ?? [];
    expect(shown.map(({ configId }) => configId)).toEqual(["effort", "b", "a", "odd", "temperature"]);
    expect(shown[0]).toMatchObject({ options: [{ value: "z" }, { value: "x" }, { value: "y" }] });
    // Two of one category and one of an unknown category are told apart, and set, by their ids.
    for (const id of ["a", "odd"]) {
      void session.setConfigOption(id, "y").catch(() => undefined);
      expect((await agent.call("session/set_config_option")).params).toMatchObject({ configId: id, value: "y" });
    }
  },
);
