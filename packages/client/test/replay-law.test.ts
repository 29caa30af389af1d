import { messageText } from "@turnkit/session";
import { expect, test } from "vitest";
import type { Session } from "../src/index.js";
import { echo, idle, openDraftSession, piece, running } from "./draft-agent.js";
import { back, settle } from "./raw-agent.js";

const SEEDS = Number(process.env.TURNKIT_REPLAY_SEEDS ?? 60);
const marker = { sessionUpdate: "replay_complete" };

/** Returns numbers below `below`, the same for each seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Updates of a random conversation: whole messages and pieces of messages, each with its id. */
function conversation(next: (below: number) => number, turns: number, first = 0): object[] {
  return Array.from({ length: turns }, (_, turn) => {
    const id = first + turn;
    const pieces = Array.from({ length: 1 + next(4) }, (_p, at) => piece(`${id}.${at} `, `a-${id}`));
    const call = { sessionUpdate: "tool_call_update", toolCallId: `t-${id}`, title: `Call ${id}`, status: "completed" };
    return [echo(`u-${id}`, `question ${id}`), ...pieces, ...(next(2) === 0 ? [call] : [])];
  }).flat();
}

const drawn = ({ state }: { readonly state: Session["state"] }) =>
  [...state.timeline].map((entry) => [entry.key, entry.type === "message" ? messageText(entry) : entry.type]);

test(`P-REPLAY-07, P-REPLAY-14: a replay that is cut at any frame changes nothing, and the next one brings all (${SEEDS} seeds)`, async () => {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const next = numbers(seed);
    const { agent, client, session } = await openDraftSession();
    const history = conversation(next, 1 + next(4));
    agent.update("s-1", running, ...history, idle("end_turn"));
    await settle(agent);
    const { timeline } = session.state;
    const before = drawn(session);
    const restoring = client.restore("s-1", { cwd: "/work" });
    const asked = await agent.call("session/resume");
    agent.update("s-1", ...history.slice(0, next(history.length + 1)));
    agent.refuse(asked, -32603, "History could not be read");
    expect(await restoring, `seed ${seed}`).toMatchObject({ status: "unavailable" });
    expect(session.state.timeline, `seed ${seed}`).toBe(timeline);
    const again = client.restore("s-1", { cwd: "/work" });
    const second = await agent.call("session/resume");
    agent.update("s-1", ...history, marker, idle());
    agent.answer(second, {});
    expect(drawn(await back(again)), `seed ${seed}`).toEqual(before);
    await client.close();
  }
});

test(`P-REPLAY-06, P-REPLAY-14: a replay while the session is live loses and doubles nothing (${SEEDS} seeds)`, async () => {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const next = numbers(seed);
    const { agent, client, session } = await openDraftSession();
    const history = conversation(next, 1 + next(4));
    const live = conversation(next, 1 + next(3), 100);
    agent.update("s-1", running, ...history);
    await settle(agent);
    const restoring = client.restore("s-1", { cwd: "/work" });
    const asked = await agent.call("session/resume");
    const atAnswer = next(live.length + 1);
    agent.update("s-1", ...history, marker, ...live.slice(0, atAnswer), running);
    agent.answer(asked, {});
    agent.update("s-1", ...live.slice(atAnswer), idle("end_turn"));
    const restored = await back(restoring);
    await settle(agent);
    const uncut = await openDraftSession();
    uncut.agent.update("s-1", running, ...history, ...live, idle("end_turn"));
    await settle(uncut.agent);
    expect(drawn(restored), `seed ${seed}`).toEqual(drawn(uncut.session));
    expect(session.state.closed, `seed ${seed}`).toBe(true);
    await Promise.all([client.close(), uncut.client.close()]);
  }
});

/** Frames of a random tree of sessions below `s-1`: each child is announced before its own frames, down to depth 16. */
function forest(next: (below: number) => number, children: number): [sessionId: string, update: object][] {
  const frames: [string, object][] = conversation(next, 1).map((update) => ["s-1", update]);
  const open: { id: string; depth: number }[] = [{ id: "s-1", depth: 0 }];
  for (let kid = 0; kid < children; kid += 1) {
    const above = open[next(4) === 0 ? next(open.length) : open.length - 1] ?? { id: "s-1", depth: 0 };
    const { id, depth } = above.depth < 16 ? above : { id: "s-1", depth: 0 };
    frames.push([id, { sessionUpdate: "subagent_update", sessionId: `kid-${kid}`, title: `Kid ${kid}` }]);
    open.push({ id: `kid-${kid}`, depth: depth + 1 });
    const { id: speaker } = open[next(open.length)] as { id: string };
    for (const update of conversation(next, 1, kid + 1)) frames.push([speaker, update]);
  }
  return frames;
}

const drawnTree = (session: Session): unknown => [session.titles, drawn(session), session.children.map(drawnTree)];

test.each([
  [`${SEEDS} seeds of up to 40 child sessions`, SEEDS, 40],
  ["1 024 child sessions", 1, 1_024],
])(
  "P-REPLAY-04, P-REPLAY-07, P-REPLAY-14: a replay of a tree that is cut at any frame changes nothing, and the next one brings all: %s",
  async (_, seeds, most) => {
    for (let seed = 1; seed <= seeds; seed += 1) {
      const next = numbers(seed);
      const { agent, client, session } = await openDraftSession();
      const history = forest(next, most === 40 ? 1 + next(most) : most);
      const send = (frames: typeof history) => {
        for (const [id, update] of frames) agent.update(id, update);
      };
      agent.update("s-1", running);
      send(history);
      agent.update("s-1", idle("end_turn"));
      await settle(agent);
      const before = drawnTree(session);
      const restoring = client.restore("s-1", { cwd: "/work" });
      const asked = await agent.call("session/resume");
      send(history.slice(0, next(history.length + 1)));
      agent.refuse(asked, -32603, "History could not be read");
      expect(await restoring, `seed ${seed}`).toMatchObject({ status: "unavailable" });
      expect(drawnTree(session), `seed ${seed}`).toEqual(before);
      const again = client.restore("s-1", { cwd: "/work" });
      const second = await agent.call("session/resume");
      send(history);
      const ids = [
        ...new Set(history.flatMap(([, update]) => ("sessionId" in update ? [String(update.sessionId)] : []))),
      ];
      for (const id of ids.reverse()) agent.update(id, marker);
      agent.update("s-1", marker, idle());
      agent.answer(second, {});
      const restored = await back(again);
      expect(drawnTree(restored), `seed ${seed}`).toEqual(before);
      expect([restored, ...restored.children].every(({ state }) => state.anomalies.length === 0)).toBe(true);
      await client.close();
    }
  },
);
