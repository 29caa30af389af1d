import { describe, expect, it } from "vitest";
import type { ChildSession, Turn } from "../src/index.js";
import { aborted, clientInfo, everything, openAs, type RawClient, v2Hello } from "./raw-client.js";

const subagent = ({ id }: ChildSession) => ({ type: "subagent", sessionId: id }) as const;

const hellos = {
  "version 1": { protocolVersion: 1, clientInfo, clientCapabilities: everything },
  "version 1 with subagents": { protocolVersion: 1, clientInfo, clientCapabilities: { ...everything, subagents: {} } },
  "version 2": v2Hello,
};

/** An agent with one handler for each prompt, after the end of all turns. */
async function worked(hello: object, ...works: ((turn: Turn) => unknown)[]) {
  const waiting = [...works];
  const connected = await openAs(hello, {
    async prompt(turn) {
      await waiting.shift()?.(turn);
    },
  });
  const { client, sessionId, diagnostics } = connected;
  for (let turns = 1; turns <= works.length; turns += 1) {
    client.prompt(sessionId);
    await client.next(() => endsOf(client, sessionId) >= turns);
  }
  return { ...connected, reports: diagnostics.filter(({ message }) => message.startsWith("Child session")) };
}

/** Number of turns whose end the client has. */
const endsOf = ({ received }: RawClient, sessionId: string): number =>
  received.filter(({ result, error, params }) => {
    const { state, stopReason } = params?.update ?? {};
    return (
      error !== undefined || result?.stopReason || (params?.sessionId === sessionId && state === "idle" && stopReason)
    );
  }).length;

describe.each(Object.entries(hellos))("P-SUB-12: at the end of a turn, in %s", (_, hello) => {
  it("a child session that still works is reported once, and goes on", async () => {
    let child: ChildSession | undefined;
    const { client, reports } = await worked(
      hello,
      ({ session }) => {
        child = session.child("Runner");
        child.toolCall({ title: "npm test" });
      },
      () => undefined,
    );
    const message = 'Child session "Runner" still works after the end of the turn, and is shown as running.';
    const advice = "Call idle() when its work is done, or list it with setBackground.";
    expect(reports).toEqual([
      { code: "unfinished", sessionId: child?.id, message: `${message} ${advice}`, error: undefined },
    ]);
    expect(child?.signal.aborted).toBe(false);
    child?.say("still here\n");
    await client.request("session/list");
    expect(JSON.stringify(client.received)).toContain("still here");
    child?.idle();
  });

  it("so is one of a turn that failed, and one below an idle child session", async () => {
    const { reports } = await worked(hello, ({ session }) => {
      const kid = session.child("Kid");
      kid.child("Grandkid");
      kid.idle();
      session.child("Other");
      throw new Error("the disk is full");
    });
    expect(reports.map(({ message }) => message.split('"')[1])).toEqual(["Grandkid", "Other"]);
  });

  it("the next work of a reported child session is reported again", async () => {
    let child: ChildSession | undefined;
    const { reports } = await worked(
      hello,
      ({ session }) => {
        child = session.child("Runner");
      },
      () => {
        child?.idle();
        child?.say("more\n");
      },
    );
    expect(reports).toHaveLength(2);
  });

  it("idle and forgotten child sessions, and background work with all below it, are no report", async () => {
    const { reports } = await worked(hello, ({ session }) => {
      session.child("Idle").idle();
      session.child("Gone").forget();
      const listed = session.child("Listed");
      listed.child("Below");
      const kid = session.child("Kid");
      const grandkid = kid.child("Grandkid");
      kid.idle();
      session.setBackground([subagent(listed), subagent(grandkid)]);
    });
    expect(reports).toEqual([]);
  });

  it("a cancelled child session is ended, or has its time, without a report", async () => {
    const { client, sessionId, diagnostics } = await openAs(hello, {
      async prompt({ session, signal }) {
        session.child("Runner");
        await aborted(signal);
      },
    });
    client.prompt(sessionId);
    await client.next(() => JSON.stringify(client.received).includes("Runner"));
    client.cancel(sessionId);
    await client.next(() => endsOf(client, sessionId) === 1);
    expect(diagnostics).toEqual([]);
  });
});

it("P-SUB-12: a child session that the user cancelled alone ends in its time, without a report", async () => {
  const { client, sessionId, diagnostics } = await openAs(v2Hello, {
    async prompt({ session }) {
      await aborted(session.child("Runner", { cancel: true }).signal);
    },
  });
  client.prompt(sessionId);
  client.cancel((await client.update("subagent_update")).sessionId);
  await client.next(() => endsOf(client, sessionId) === 1);
  expect(diagnostics).toEqual([]);
});
