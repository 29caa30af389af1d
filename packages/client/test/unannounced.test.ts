import { messageText } from "@turnkit/session";
import { describe, expect, test } from "vitest";
import type { Session } from "../src/index.js";
import { echo, idle, openDraft, openDraftSession, piece, running } from "./draft-agent.js";
import { back, chunk, open, settle } from "./raw-agent.js";

const marker = { sessionUpdate: "replay_complete" };
const announced = (sessionId: string) => ({ sessionUpdate: "subagent_update", sessionId, title: sessionId });
const place = { cwd: "/work" };

const textsOf = ({ state }: Session) =>
  [...state.timeline].map((entry) => (entry.type === "message" ? messageText(entry) : entry.type));

describe("updates of a child session before its announcement", () => {
  test("defect B2, P-SUB-18: wait during the restore of a session that is not open, in version 2", async () => {
    const { agent, client, diagnostics } = await openDraft();
    const restoring = client.restore("s-1", place);
    const asked = await agent.call("session/resume");
    agent.update("s-1", echo("u-1", "q"));
    agent.update("kid", piece("early "));
    agent.update("s-1", announced("kid"));
    agent.update("kid", piece("late"), marker);
    agent.update("s-1", marker);
    agent.answer(asked, {});
    expect((await back(restoring)).children.map(textsOf)).toEqual([["early late"]]);
    expect(diagnostics).toEqual([]);
  });

  test("P-SUB-18: wait during the restore of a session that is not open, in version 1", async () => {
    const { agent, client, diagnostics } = await open();
    const restoring = client.restore("s-1", place);
    const asked = await agent.call("session/load");
    agent.update("kid", chunk("early "));
    agent.update("s-1", announced("kid"));
    agent.update("kid", chunk("late"));
    agent.answer(asked, {});
    expect((await back(restoring)).children.map(textsOf)).toEqual([["early late"]]);
    expect(diagnostics).toEqual([]);
  });

  test("P-SUB-18: wait during the restore of a session whose child sessions had ended with it", async () => {
    const { agent, client, session } = await openDraftSession();
    agent.update("s-1", announced("kid"));
    await settle(agent);
    const closing = session.close();
    agent.answer(await agent.call("session/close"), {});
    await closing;
    const restoring = client.restore("s-1", place);
    const asked = await agent.call("session/resume");
    agent.update("kid", piece("early"));
    agent.update("s-1", announced("kid"), marker);
    agent.answer(asked, {});
    expect((await back(restoring)).children.map(textsOf)).toEqual([["early"]]);
  });

  test.each(["accepts", "refuses"])(
    "P-SUB-18: that nobody announces are dropped when the agent %s",
    async (outcome) => {
      const { agent, client, diagnostics } = await openDraft();
      const restoring = client.restore("s-1", place);
      const asked = await agent.call("session/resume");
      agent.update("kid", piece("early"));
      await settle(agent);
      expect(diagnostics).toEqual([]);
      if (outcome === "accepts") agent.answer(asked, {});
      else agent.refuse(asked, -32603, "no");
      await restoring;
      expect(diagnostics).toMatchObject([{ code: "dropped", sessionId: "kid" }]);
    },
  );

  test.each(["accepts", "refuses"])(
    "defect B2, P-SUB-18: reach the child session of a working session whose restore the agent %s",
    async (outcome) => {
      const { agent, client, session, diagnostics } = await openDraftSession();
      agent.update("s-1", running, echo("u-1", "q"));
      agent.update("kid", piece("early "));
      const restoring = client.restore("s-1", place);
      const asked = await agent.call("session/resume");
      agent.update("s-1", announced("kid"));
      agent.update("kid", piece("late"));
      if (outcome === "accepts") agent.answer(asked, {});
      else agent.refuse(asked, -32603, "no");
      await restoring;
      const { children } = outcome === "accepts" ? await back(restoring) : session;
      expect(children.map(textsOf)).toEqual([["early late"]]);
      expect(diagnostics).toEqual([]);
    },
  );

  test("P-SUB-18: are kept by the work of a session when a restore of another one ends", async () => {
    const { agent, client, session, diagnostics } = await openDraftSession();
    agent.update("s-1", running);
    const restoring = client.restore("s-2", place);
    const asked = await agent.call("session/resume");
    agent.update("kid", piece("early"));
    agent.refuse(asked, -32603, "no");
    await restoring;
    agent.update("s-1", announced("kid"), idle("end_turn"));
    await settle(agent);
    expect(session.children.map(textsOf)).toEqual([["early"]]);
    expect(diagnostics).toEqual([]);
  });
});
