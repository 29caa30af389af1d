import { messageText } from "@turnkit/session";
import { expect, test } from "vitest";
import { idle, openDraftSession, piece, running } from "./draft-agent.js";
import { settle } from "./raw-agent.js";

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
