import { messageText } from "@turnkit/session";
import { expect, test } from "vitest";
import type { Session } from "../src/index.js";
import { idle, openDraftSession, piece, running } from "./draft-agent.js";
import { back, openSession, settle } from "./raw-agent.js";

const announced = (sessionId: string) => ({ sessionUpdate: "subagent_update", sessionId, title: "Test runner" });

test("P-SUB-18: updates for ids that no work announced are dropped at the end of the work, and take no room of later work", async () => {
  const { agent, session, diagnostics } = await openDraftSession();
  agent.update("s-1", running);
  for (let index = 0; index < 1_000; index += 1) agent.update(`lost-${index}`, piece("x"));
  agent.update("s-1", idle("end_turn"));
  await settle(agent);
  expect(diagnostics.filter(({ code, sessionId }) => code === "dropped" && sessionId === "lost-999")).toHaveLength(1);
  agent.update("s-1", running);
  agent.update("kid", piece("early"));
  agent.update("s-1", announced("kid"));
  await settle(agent);
  const [entry] = session.children[0]?.state.timeline ?? [];
  expect(entry?.type === "message" && messageText(entry)).toBe("early");
});

test("P-SUB-18: updates that wait are kept while another session works", async () => {
  const { agent, session } = await openDraftSession();
  agent.update("s-1", running, announced("busy"));
  agent.update("busy", running);
  agent.update("kid", piece("early"));
  agent.update("busy", idle("end_turn"));
  agent.update("s-1", announced("kid"));
  await settle(agent);
  expect(session.children.map(({ id, state }) => [id, state.timeline.length])).toEqual([
    ["busy", 0],
    ["kid", 1],
  ]);
});

const long = { ...announced("long"), title: "Long", cwd: "/work/long", capabilities: { cancel: {} } };
const placeOf = ({ cwd, titles }: Session) => [cwd, titles];

test.each([
  ["whose state the parent reports", { state: { state: "running" } }],
  ["that reports its own state", {}],
])("P-SUB-19: a child session %s keeps its folder, title and cancel beside very many others", async (_, report) => {
  const { agent, session } = await openDraftSession();
  agent.update("s-1", running, { ...long, ...report });
  agent.update("long", running);
  await settle(agent);
  const [kid] = session.children as [Session];
  for (let index = 0; index < 1_100; index += 1) {
    agent.update("s-1", { ...announced(`k-${index}`), state: { state: "idle" } });
    agent.update(`k-${index}`, idle("end_turn"));
  }
  await settle(agent);
  expect(placeOf(kid)).toEqual(["/work/long", ["Long"]]);
  agent.update("s-1", { sessionUpdate: "subagent_update", sessionId: "long", description: "Still there" });
  await settle(agent);
  expect(placeOf(kid)).toEqual(["/work/long", ["Long"]]);
  void kid.cancel();
  expect((await agent.call("session/cancel")).params).toEqual({ sessionId: "long" });
});

test("P-SUB1-05, P-SUB1-07: a restore without a replay keeps the folder, title and cancel of a child session", async () => {
  const { agent, client, session } = await openSession(
    {},
    { agentCapabilities: { sessionCapabilities: { resume: {} } } },
  );
  agent.update("s-1", { ...long, state: { state: "running" } });
  await settle(agent);
  const [kid] = session.children as [Session];
  const restoring = client.restore("s-1", { cwd: "/work" });
  agent.answer(await agent.call("session/resume"), {});
  const { children } = await back(restoring);
  expect(children).toEqual([kid]);
  expect(placeOf(kid)).toEqual(["/work/long", ["Long"]]);
  agent.update("s-1", { sessionUpdate: "subagent_update", sessionId: "long", state: { state: "requires_action" } });
  await settle(agent);
  expect(placeOf(kid)).toEqual(["/work/long", ["Long"]]);
  void kid.cancel();
  expect((await agent.call("session/cancel")).params).toEqual({ sessionId: "long" });
});

test.each([
  ["before", true],
  ["during", false],
])(
  "P-SUB-19: child sessions announced %s restores without a replay are together at most 1 024",
  async (_, isBefore) => {
    const { agent, client, session } = await openSession(
      {},
      { agentCapabilities: { sessionCapabilities: { resume: {} } } },
    );
    const all = ({ children }: Session): number => children.reduce((sum, child) => sum + 1 + all(child), 0);
    let newest: Session = session;
    for (let round = 0; round < 3; round += 1) {
      for (let index = 0; index < 300; index += 1) {
        const [kid, grandkid] = [`k-${round}-${index}`, `g-${round}-${index}`];
        agent.update("s-1", { ...announced(kid), state: { state: "running" } });
        agent.update(kid, { ...announced(grandkid), state: { state: "running" } });
        if (index % 3 === 0) agent.update(kid, { ...announced(grandkid), state: { state: "idle" } });
      }
      if (isBefore) await settle(agent);
      const restoring = client.restore("s-1", { cwd: "/work" });
      agent.answer(await agent.call("session/resume"), {});
      newest = await back(restoring);
    }
    await settle(agent);
    expect(all(newest)).toBe(1_024);
  },
);

test("a child session with an id of more than 1 024 characters is not opened, and nothing keeps its id", async () => {
  const { agent, session, diagnostics } = await openDraftSession();
  agent.update("s-1", running, announced("k".repeat(1_025)), announced("k".repeat(1_024)));
  await settle(agent);
  expect(session.children.map(({ id }) => id.length)).toEqual([1_024]);
  const [reported] = diagnostics.filter(({ code }) => code === "dropped");
  expect(reported?.message).toContain("1024 characters");
  expect(reported?.sessionId?.length).toBeLessThan(50);
});

test("defect W5: P-SUB-19: a full tree makes no room for a new child session by ending its parent", async () => {
  const { agent, session, diagnostics } = await openDraftSession();
  agent.update("s-1", running, announced("kid"));
  for (let index = 0; index < 1_023; index += 1) {
    agent.update("s-1", announced(`k-${index}`));
    agent.update(`k-${index}`, running);
  }
  agent.update("kid", announced("grandchild"));
  agent.update("kid", piece("Still here"));
  await settle(agent);
  const [kid] = session.children;
  expect([kid?.id, kid?.state.timeline.length]).toEqual(["kid", 1]);
  expect(diagnostics.filter(({ code }) => code === "dropped").map(({ sessionId }) => sessionId)).toEqual([
    "grandchild",
  ]);
  agent.update("k-0", idle("end_turn"));
  agent.update("kid", announced("later"));
  await settle(agent);
  expect(session.children.some(({ id }) => id === "k-0")).toBe(false);
  expect(kid?.children.map(({ id }) => id)).toEqual(["later"]);
});
