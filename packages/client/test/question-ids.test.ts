import { describe, expect, test } from "vitest";
import { createElicitations, type Session } from "../src/index.js";
import { ask } from "./draft-agent.js";
import { openIdle } from "./open-turn.js";
import { back, newSession, type RawAgent, settle } from "./raw-agent.js";

const yes = { outcome: "selected", optionId: "yes" } as const;
const options = { permissions: () => "wait" as const, elicitations: createElicitations({ form: () => "wait" }) };

const askForm = (agent: RawAgent, id: string, sessionId: string) => {
  const requestedSchema = { type: "object", properties: {} };
  agent.request(id, "elicitation/create", { mode: "form", message: "Name?", requestedSchema, sessionId });
};

const idsOf = ({ state }: Session) =>
  [...state.pendingPermissions, ...state.pendingElicitations].map(({ requestId }) => requestId);

describe.each(["v1", "v2", "seed"] as const)("the ids of the questions of %s", (dialect) => {
  const put = (agent: RawAgent, id: string, sessionId: string) =>
    dialect === "v1" ? agent.ask(id, sessionId) : ask(agent, id, undefined, sessionId);

  test("defect Q1: are unique on the connection, so that an answer never reaches the question of another session", async () => {
    const opened = await openIdle(dialect, options);
    const { agent, session } = opened;
    const other = await newSession(opened, "s-2");
    for (const id of ["s-1", "s-2"]) {
      put(agent, `first ${id}`, id);
      askForm(agent, `form ${id}`, id);
      put(agent, `second ${id}`, id);
    }
    await settle(agent);
    const ids = [...idsOf(session), ...idsOf(other)];
    expect(ids).toHaveLength(6);
    expect(new Set(ids).size).toBe(6);
    for (const id of idsOf(other)) expect(() => session.answer(id, yes)).toThrow(/No question of this session/);
    expect(idsOf(session)).toHaveLength(3);
    other.answer(idsOf(other)[0] as string, yes);
    expect((await agent.answerTo("first s-2")).result).toEqual({ outcome: yes });
    expect(agent.received.some(({ id }) => id === "first s-1")).toBe(false);
  });

  test("defect Q1: stay in the session that replaces theirs, and a late answer there is ignored", async () => {
    const { agent, client, session, restore } = await openIdle(dialect, options);
    put(agent, "q", "s-1");
    put(agent, "next", "s-1");
    await settle(agent);
    const [answered, open] = idsOf(session) as [string, string];
    session.answer(answered, yes);
    const restoring = client.restore("s-1", { cwd: "/work" });
    agent.answer(await agent.call(restore), {});
    const restored = await back(restoring);
    expect(idsOf(restored)).toEqual([open]);
    put(agent, "last", "s-1");
    await settle(agent);
    expect(new Set([answered, ...idsOf(restored)]).size).toBe(3);
    expect(() => restored.answer(answered, { outcome: "cancelled" })).not.toThrow();
    restored.answer(open, yes);
    expect((await agent.answerTo("next")).result).toEqual({ outcome: yes });
    expect(() => restored.answer(open, { outcome: "cancelled" })).not.toThrow();
    expect(idsOf(restored)).toHaveLength(1);
  });

  test("defect Q1: of a session that is opened anew are new", async () => {
    const opened = await openIdle(dialect, options);
    const { agent, session } = opened;
    put(agent, "old", "s-1");
    await settle(agent);
    const [old] = idsOf(session) as [string];
    const anew = await newSession(opened, "s-1");
    put(agent, "new", "s-1");
    await settle(agent);
    expect(idsOf(anew)).not.toContain(old);
    expect(() => anew.answer(old, yes)).toThrow(/No question of this session/);
  });
});

test("defect Q1: the answer of a parent does not settle the question of its child", async () => {
  const { agent, session } = await openIdle("v2", options);
  agent.update("s-1", { sessionUpdate: "subagent_update", sessionId: "kid" });
  agent.update("kid", { sessionUpdate: "subagent_update", sessionId: "grandkid" });
  for (const id of ["s-1", "kid", "grandkid"]) ask(agent, id, undefined, id);
  await settle(agent);
  const kid = session.children[0] as Session;
  const tree = [session, kid, kid.children[0] as Session];
  const ids = tree.flatMap(idsOf);
  expect(new Set(ids).size).toBe(3);
  for (const [at, one] of tree.entries()) {
    for (const id of ids.filter((_, other) => other !== at)) {
      expect(() => one.answer(id, yes)).toThrow(/No question of this session/);
    }
  }
  kid.answer(idsOf(kid)[0] as string, yes);
  expect((await agent.answerTo("kid")).result).toEqual({ outcome: yes });
  expect(tree.map((one) => idsOf(one).length)).toEqual([1, 0, 1]);
});
