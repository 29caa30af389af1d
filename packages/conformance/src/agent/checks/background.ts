import type { AgentCheck } from "../../check.js";
import { type Entry, objectsIn, show, updateKind, updateOf } from "../../entry.js";
import { sessionOf } from "../../talk.js";
import { expect, fail, skip } from "../../verdict.js";

/** Checks of background work and child sessions. */
export const backgroundChecks: readonly AgentCheck[] = [
  {
    id: "TK-BACKGROUND-01",
    title: "An agent that reports background work does so in every state.",
    tier: "mandatory",
    dialects: ["v2"],
    requirements: ["V2-BG-02"],
    watch(talk) {
      const reporting = new Map<unknown, Entry>();
      const states = talk.updates("state_update");
      for (const entry of states)
        if (Array.isArray(updateOf(entry)?.background)) reporting.set(sessionOf(entry), entry);
      if (reporting.size === 0) skip("The agent reports no background work.");
      const silent = states.find(
        (entry) => reporting.has(sessionOf(entry)) && !Array.isArray(updateOf(entry)?.background),
      );
      if (silent) fail("this state has no background", silent);
    },
  },
  {
    id: "TK-BACKGROUND-02",
    title: "Background work is announced before it is listed.",
    tier: "mandatory",
    dialects: ["v2"],
    requirements: ["V2-BG-04", "P-BG-02"],
    watch(talk) {
      const known = new Set<unknown>();
      for (const entry of talk.updates()) {
        const { toolCallId, terminalId, sessionUpdate, sessionId, background } = updateOf(entry) ?? {};
        for (const id of [toolCallId, terminalId, sessionUpdate === "subagent_update" ? sessionId : undefined])
          known.add(id);
        for (const item of objectsIn(background)) {
          const id = item.terminalId ?? item.toolCallId ?? item.sessionId;
          expect(known.has(id), `${show(item)} was not announced`, entry);
        }
      }
    },
  },
  {
    id: "TK-CHILD-01",
    title: "A child session is announced before anything names it.",
    tier: "mandatory",
    dialects: ["v2"],
    requirements: ["V2-UPD-27", "P-SUB-03"],
    quick: true,
    watch(talk) {
      const announced = talk.updates("subagent_update");
      if (announced.length === 0) skip("No child session came.");
      for (const announcement of announced) {
        const { sessionId } = updateOf(announcement) ?? {};
        const early = talk
          .of("agent")
          .find((entry) => sessionOf(entry) === sessionId && entry.index < announcement.index);
        const isFirst = announced.find((entry) => updateOf(entry)?.sessionId === sessionId) === announcement;
        if (early && isFirst) fail("the child session was not announced yet", early, announcement);
      }
    },
  },
  {
    id: "TK-CHILD-02",
    title: "Work of a child session ends as idle.",
    tier: "advisory",
    dialects: ["v2"],
    requirements: ["P-SUB-14"],
    async run(agent) {
      await agent.turn(await agent.open(), "child");
      const announced = agent.talk.of("agent").find((entry) => updateKind(entry) === "subagent_update");
      if (announced === undefined) skip("No child session came.");
      const child = updateOf(announced)?.sessionId;
      const isIdle = (entry: Entry) => sessionOf(entry) === child && updateOf(entry)?.state === "idle";
      await agent.next(isIdle, "idle state of the child session", announced);
    },
  },
];
