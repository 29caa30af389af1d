import { describe, expect, it } from "vitest";
import type { AgentSession, ChildSession, Turn } from "../src/index.js";
import { aborted, clientInfo, everything, gate, openAs, type RawClient, v2Hello } from "./raw-client.js";

const v1WithChildren = { protocolVersion: 1, clientInfo, clientCapabilities: { ...everything, subagents: {} } };
const subagent = ({ id }: ChildSession) => ({ type: "subagent", sessionId: id }) as const;

/** An agent with one handler for each prompt, and a client that has sent the first prompt. */
async function prompted(hello: object, ...works: ((turn: Turn) => unknown)[]) {
  const connected = await openAs(hello, {
    async prompt(turn) {
      await works.shift()?.(turn);
    },
  });
  connected.client.prompt(connected.sessionId);
  return connected;
}

/** Activities of child sessions that the client has got, as `Runner idle cancelled`, in their order. */
function activitiesIn({ received }: RawClient): string[] {
  const titles = new Map<string, string>();
  return received.flatMap(({ params }) => {
    const { sessionUpdate, sessionId, title, state } = params?.update ?? {};
    if (sessionUpdate !== "subagent_update") return [];
    if (title !== undefined) titles.set(sessionId, title);
    return state === undefined
      ? []
      : [[titles.get(sessionId), state.state, state.stopReason].filter(Boolean).join(" ")];
  });
}

/** Settles when the client has the end of a cancelled turn. */
const turnEnded = (client: RawClient, sessionId: string) =>
  client.next(
    ({ result, params }) =>
      result?.stopReason === "cancelled" ||
      (params?.sessionId === sessionId && params.update?.state === "idle" && params.update.stopReason === "cancelled"),
  );

/** Asks the user and runs a tool, and tells what happened. */
async function tried(child: ChildSession): Promise<string[]> {
  const story: string[] = [];
  story.push(`aborted ${child.signal.aborted}`, `ask ${await child.ask({ title: "May I?" })}`);
  const call = child.toolCall({ title: "rm" });
  story.push(`ask of a call ${await call.ask()}`);
  const run = child.toolCall({ title: "ls" }).run(() => story.push("ran"));
  await run.catch(({ name }) => story.push(name));
  return story;
}

const refused = ["aborted true", "ask false", "ask of a call false", "AbortError"];

describe.each([
  ["version 2", v2Hello],
  ["version 1", v1WithChildren],
  ["version 1 without subagents", { ...v1WithChildren, clientCapabilities: everything }],
])("P-SUB-13: work of a child session that begins under a cancelled turn is cancelled, %s", (_, hello) => {
  it.each<[string, (turn: Turn) => (() => ChildSession) | Promise<() => ChildSession>]>([
    [
      "a new child session",
      ({ session }) =>
        () =>
          session.child("Late"),
    ],
    [
      "an idle child session",
      ({ session }) => {
        const kid = session.child("Kid");
        kid.idle();
        return () => {
          kid.say("more");
          return kid;
        };
      },
    ],
    [
      "a new child session of a cancelled one",
      ({ session }) => {
        const kid = session.child("Kid");
        return () => kid.child("Grandkid");
      },
    ],
    [
      "a new child session of an idle one",
      ({ session }) => {
        const kid = session.child("Kid");
        kid.idle();
        return () => kid.child("Grandkid");
      },
    ],
    [
      "an idle child session of an idle one",
      ({ session }) => {
        const kid = session.child("Kid");
        const grandkid = kid.child("Grandkid");
        grandkid.idle();
        kid.idle();
        return () => {
          grandkid.think("more");
          return grandkid;
        };
      },
    ],
    [
      "the next work of a child session that has ended its cancelled work",
      ({ session }) => {
        const kid = session.child("Kid");
        return () => {
          kid.idle();
          kid.say("again");
          return kid;
        };
      },
    ],
  ])("%s", async (_title, prepare) => {
    const begun = gate();
    let story: string[] | undefined;
    const { client, sessionId } = await prompted(hello, async (turn) => {
      const late = await prepare(turn);
      begun.open();
      await aborted(turn.signal);
      story = await tried(late());
    });
    await begun.promise;
    client.cancel(sessionId);
    await turnEnded(client, sessionId);
    expect(story).toEqual(refused);
    expect(client.received.some(({ method }) => method === "session/request_permission")).toBe(false);
    // Every child session has ended, and nothing follows the end of the turn.
    const count = client.received.length;
    await client.request("session/list");
    expect(client.received).toHaveLength(count + 1);
    const last = new Map(activitiesIn(client).map((one) => [one.split(" ", 1)[0], one]));
    for (const one of last.values()) expect(one).toMatch(/idle/);
    const open = new Map(client.updates().flatMap((one) => (one.toolCallId ? [[one.toolCallId, one]] : [])));
    expect([...open.values()].filter(({ status }) => status === "in_progress" || status === "pending")).toEqual([]);
  });
});

it("P-SUB-13: the deepest work that began under a cancelled turn ends first, and late calls do nothing", async () => {
  let late: ChildSession | undefined;
  const { client, sessionId } = await prompted(v2Hello, async ({ session, signal }) => {
    const kid = session.child("Kid");
    kid.idle();
    await aborted(signal);
    late = kid.child("Grandkid");
  });
  await client.update("subagent_update");
  client.cancel(sessionId);
  await turnEnded(client, sessionId);
  expect(activitiesIn(client).slice(2)).toEqual([
    "Kid running",
    "Grandkid running",
    "Grandkid idle cancelled",
    "Kid idle cancelled",
  ]);
  late?.say("late");
  expect(await late?.ask({ title: "late" })).toBe(false);
  await client.request("session/list");
  expect(client.text).toBe("");
});

it("P-SUB-12: work that begins under a child session that was cancelled alone is cancelled, and ends with it", async () => {
  const stories: string[][] = [];
  const { client, sessionId } = await prompted(v2Hello, async ({ session }) => {
    const kid = session.child("Kid", { cancel: true });
    const idle = kid.child("Idle");
    idle.idle();
    const other = session.child("Other");
    await aborted(kid.signal);
    stories.push(await tried(kid.child("New")));
    idle.say("more");
    stories.push(await tried(idle));
    kid.idle();
    // The turn and its other child sessions go on.
    other.idle();
    other.say("free");
    expect(other.signal.aborted).toBe(false);
    other.idle();
    expect(kid.child("Next").signal.aborted).toBe(false);
  });
  client.cancel((await client.update("subagent_update")).sessionId);
  await client.next(({ params }) => params?.sessionId === sessionId && params.update?.state === "idle");
  expect(stories).toEqual([refused, refused]);
  expect(activitiesIn(client).filter((one) => one.includes("idle"))).toEqual([
    "Idle idle end_turn",
    "Idle idle cancelled",
    "New idle cancelled",
    "Kid idle cancelled",
    "Other idle end_turn",
    "Other idle end_turn",
  ]);
});

it("P-SUB-13: work that begins in a later turn, or after the end of the cancelled turn, is free", async () => {
  let kid: ChildSession | undefined;
  let late: ChildSession | undefined;
  let between: AgentSession | undefined;
  const signals: boolean[] = [];
  const { client, sessionId } = await prompted(
    v2Hello,
    async ({ session, signal }) => {
      between = session;
      kid = session.child("Kid");
      kid.idle();
      await aborted(signal);
      late = session.child("Late");
    },
    ({ session }) => {
      kid?.say("again");
      late?.idle();
      late?.say("again");
      for (const one of [kid, late, session.child("New"), kid?.child("Grandkid")]) {
        signals.push(one?.signal.aborted ?? true);
        one?.idle();
      }
    },
  );
  await client.update("subagent_update");
  client.cancel(sessionId);
  await turnEnded(client, sessionId);
  const watcher = between?.child("Watcher");
  expect(watcher?.signal.aborted).toBe(false);
  watcher?.idle();
  client.prompt(sessionId);
  await client.next(({ params }) => params?.sessionId === sessionId && params.update?.stopReason === "end_turn");
  expect(signals).toEqual([false, false, false, false]);
});

it("P-BG-04: work that begins under a cancelled turn is free if background work lists it or a child session above it", async () => {
  const signals: boolean[] = [];
  const { client, sessionId } = await prompted(v2Hello, async ({ session, signal }) => {
    const kid = session.child("Kid");
    const grandkid = kid.child("Grandkid");
    const listed = session.child("Listed");
    grandkid.idle();
    session.setBackground([subagent(grandkid), subagent(listed)]);
    await aborted(signal);
    listed.idle();
    listed.say("more");
    grandkid.say("more");
    for (const one of [listed, listed.child("Below"), grandkid, grandkid.child("Deep"), session.child("Late")]) {
      signals.push(one.signal.aborted);
    }
  });
  await client.next(({ params }) => params?.update?.background?.length === 2);
  client.cancel(sessionId);
  await turnEnded(client, sessionId);
  expect(signals).toEqual([false, false, false, false, true]);
  expect(activitiesIn(client).filter((one) => one.includes("cancelled"))).toEqual([
    "Kid idle cancelled",
    "Late idle cancelled",
  ]);
});

it.each([
  ["does not start its work", false, "AbortError", "cancelled"],
  ["starts its work if background work lists the call", true, "ran", "completed"],
])("P-BG-04: a run that begins in a cancelled turn %s", async (_, isListed, outcome, status) => {
  let story: unknown;
  const { client, sessionId } = await prompted(v2Hello, async (turn) => {
    const call = turn.toolCall({ title: "ls" });
    if (isListed) turn.session.setBackground([{ type: "tool_call", toolCallId: call.id }]);
    await aborted(turn.signal);
    story = await call.run(() => "ran").catch(({ name }) => name);
  });
  await client.update("tool_call_update");
  client.cancel(sessionId);
  await turnEnded(client, sessionId);
  expect(story).toBe(outcome);
  expect(client.updates("tool_call_update").at(-1)).toMatchObject({ status });
});
