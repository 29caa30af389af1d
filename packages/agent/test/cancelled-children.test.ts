import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { AgentHandlers, ChildSession, Turn } from "../src/index.js";
import { aborted, clientInfo, everything, type Frame, gate, openAs, type RawClient, v2Hello } from "./raw-client.js";

const v1WithChildren = {
  protocolVersion: 1,
  clientInfo,
  clientCapabilities: { ...everything, subagents: {} },
};
const prompt = [{ type: "text", text: "go" }];

/** An agent whose prompts run `work`, and a client that has sent one prompt and reads on. */
async function prompted(hello: object, work: (turn: Turn) => unknown, more: Partial<AgentHandlers> = {}, options = {}) {
  const connected = await openAs(hello, { ...more, prompt: async (turn) => void (await work(turn)) }, options);
  void connected.client.request("session/prompt", { sessionId: connected.sessionId, prompt });
  return connected;
}

/** Activities that a client has got for a child session, as `running` or `idle cancelled`. */
const activitiesOf = ({ received }: RawClient, child: string): string[] =>
  received.flatMap(({ params }) => {
    const { sessionUpdate, sessionId, state } = params?.update ?? {};
    if (sessionUpdate !== "subagent_update" || sessionId !== child || state === undefined) return [];
    return [[state.state, state.stopReason].filter(Boolean).join(" ")];
  });

/** Settles when the client has got everything that was sent. */
const caughtUp = (client: RawClient): Promise<Frame> => client.request("session/list");

describe.each([
  ["version 2", v2Hello],
  ["version 1", v1WithChildren],
])("late calls for cancelled work of a child session, %s", (_, hello) => {
  it("P-SUB-08, P-SUB-13: the client gets nothing of a cancelled child until the agent calls idle()", async () => {
    let child: ChildSession | undefined;
    const { client, sessionId } = await prompted(hello, async ({ session, signal }) => {
      child = session.child("Runner");
      await aborted(signal);
    });
    const { sessionId: kid } = await client.update("subagent_update");
    client.cancel(sessionId);
    await client.next(({ params }) => params?.update?.state?.state === "idle");
    const count = client.received.length;
    child?.say("late");
    child?.think("late");
    child?.endMessage();
    child?.plan([{ content: "late", priority: "high", status: "pending" }]);
    child?.toolCall({ title: "late" }).finish();
    const terminal = child?.terminal({ command: "late" });
    terminal?.write("late");
    terminal?.exit({ exitCode: 0 });
    child?.emit({ type: "tool_call_update", toolCallId: "own", title: "late" });
    const answer = child?.ask({ title: "late" });
    expect(child?.signal.aborted).toBe(true);
    await caughtUp(client);
    const late = client.received.slice(count).filter(({ method, params }) => {
      return (
        method !== undefined && (params.sessionId !== sessionId || params.update?.sessionUpdate !== "state_update")
      );
    });
    expect(late).toEqual([]);
    expect(await answer).toBe(false);
    expect(() => child?.child("Late")).toThrow("Call idle()");

    child?.idle();
    child?.say("again");
    await client.update("agent_message_chunk");
    expect(client.text).toBe("again");
    expect(child?.signal.aborted).toBe(false);
    expect(activitiesOf(client, kid)).toEqual(["running", "idle cancelled", "running"]);
  });
});

it("P-SUB-12: a child that was ended after the time for its cancel stays idle until the agent calls idle()", async () => {
  let child: ChildSession | undefined;
  const done = gate();
  const { client } = await prompted(
    v2Hello,
    async ({ session }) => {
      child = session.child("Runner", { cancel: true });
      await done.promise;
    },
    {},
    { cancelGraceMs: 1 },
  );
  const { sessionId: kid } = await client.update("subagent_update");
  client.cancel(kid);
  await client.next(({ params }) => params?.update?.stopReason === "cancelled");
  child?.say("late");
  child?.idle();
  child?.say("again");
  done.open();
  await client.update("agent_message_chunk");
  expect(client.text).toBe("again");
  expect(activitiesOf(client, kid)).toEqual(["running", "idle cancelled", "running"]);
});

it("P-SUB1-10: late calls for a cancelled child open no tool call in a client without subagents", async () => {
  let child: ChildSession | undefined;
  const { client, sessionId } = await prompted(
    { protocolVersion: 1, clientInfo, clientCapabilities: everything },
    async ({ session, signal }) => {
      child = session.child("Runner");
      await aborted(signal);
    },
  );
  await client.update("tool_call");
  client.cancel(sessionId);
  await client.next(({ result }) => result?.stopReason === "cancelled");
  child?.say("late\n");
  child?.toolCall({ title: "late" });
  await caughtUp(client);
  expect(client.updates("tool_call").map(({ title }) => title)).toEqual(["Runner"]);
  expect(JSON.stringify(client.updates())).not.toContain("late");
});

it("P-SUB1-06: a late call gets files that refuse, and not a missing member", async () => {
  let child: ChildSession | undefined;
  const { client, sessionId } = await prompted(v1WithChildren, async ({ session, signal }) => {
    child = session.child("Runner");
    await aborted(signal);
  });
  await client.update("subagent_update");
  client.cancel(sessionId);
  await client.next(({ result }) => result?.stopReason === "cancelled");
  await expect(child?.files?.read?.("/work/a.txt")).rejects.toMatchObject({ code: "aborted" });
  expect(client.received.some(({ method }) => method === "fs/read_text_file")).toBe(false);
});

/** A prompted agent with a child that the client has cancelled, and whose time for it has passed. */
async function cancelledLongAgo(cancelGraceMs: number, listener: (child: ChildSession) => void) {
  const child = gate<ChildSession>();
  const done = gate();
  const { client } = await prompted(
    v2Hello,
    async ({ session }) => {
      const kid = session.child("Runner", { cancel: true });
      kid.signal.addEventListener("abort", () => listener(kid));
      child.open(kid);
      await done.promise;
    },
    {},
    { cancelGraceMs },
  );
  const kid = await child.promise;
  const { signal } = kid;
  await client.update("subagent_update");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  client.cancel(kid.id);
  await aborted(signal);
  vi.advanceTimersByTime(60_000);
  await caughtUp(client);
  done.open();
  return { client, kid };
}

it("P-SUB-12: a child that ends its work in the listener of its cancel keeps its next work", async () => {
  const { client, kid } = await cancelledLongAgo(20, (child) => {
    child.idle();
    child.say("next work");
  });
  expect(activitiesOf(client, kid.id)).toEqual(["running", "idle cancelled", "running"]);
});

it("P-SUB-12: without a bound for cancelled work, a child ends by itself only", async () => {
  const { client, kid } = await cancelledLongAgo(Number.POSITIVE_INFINITY, () => undefined);
  expect(activitiesOf(client, kid.id)).toEqual(["running"]);
});

it("P-SUB-12: the end of a turn that was not cancelled leaves a cancelled child its time", async () => {
  let child: ChildSession | undefined;
  const { client, sessionId } = await prompted(v2Hello, async ({ session }) => {
    child = session.child("Runner", { cancel: true });
    await aborted(child.signal);
  });
  const { sessionId: kid } = await client.update("subagent_update");
  client.cancel(kid);
  await client.next(({ params }) => params?.sessionId === sessionId && params.update?.state === "idle");
  expect(activitiesOf(client, kid)).toEqual(["running"]);
  child?.say("Stopped at test 3.");
  child?.idle();
  await client.update("agent_message_chunk");
  expect(activitiesOf(client, kid)).toEqual(["running", "idle cancelled"]);
});

it("P-SUB-13: a grandchild ends before the root, also below a child whose own cancelled work had ended", async () => {
  const first = gate();
  const { client, sessionId } = await prompted(v2Hello, async ({ session, signal }) => {
    const kid = session.child("Kid", { cancel: true });
    const grandkid = kid.child("Grandkid");
    grandkid.idle();
    await aborted(kid.signal);
    kid.idle();
    grandkid.say("more");
    first.open();
    await aborted(signal);
  });
  client.cancel((await client.update("subagent_update")).sessionId);
  await first.promise;
  client.cancel(sessionId);
  await client.next(({ params }) => params?.sessionId === sessionId && params.update?.state === "idle");
  const grandkid = client.updates("subagent_update").find(({ title }) => title === "Grandkid")?.sessionId;
  expect(activitiesOf(client, grandkid)).toEqual(["running", "idle end_turn", "running", "idle cancelled"]);
});

it("P-SUB-13: a cancelled child that ends by itself ends its cancelled grandchild first", async () => {
  const { client, sessionId } = await prompted(v2Hello, async ({ session }) => {
    const kid = session.child("Kid", { cancel: true });
    kid.child("Grandkid");
    await aborted(kid.signal);
    kid.idle();
  });
  client.cancel((await client.update("subagent_update")).sessionId);
  await client.next(({ params }) => params?.sessionId === sessionId && params.update?.state === "idle");
  const titles = new Map(
    client
      .updates("subagent_update")
      .map((update) => [update.sessionId, update.title] as const)
      .reverse(),
  );
  const ends = client.updates("subagent_update").filter(({ state }) => state?.state === "idle");
  expect(ends.map((end) => titles.get(end.sessionId))).toEqual(["Grandkid", "Kid"]);
});

it("P-SUB-13: late calls for an idle grandchild begin no work while the work of its parent is over", async () => {
  let kid: ChildSession | undefined;
  let grandkid: ChildSession | undefined;
  const { client, sessionId, diagnostics } = await prompted(v2Hello, async ({ session, signal }) => {
    kid = session.child("Kid");
    grandkid = kid.child("Grandkid");
    grandkid.idle();
    await aborted(signal);
  });
  await client.update("subagent_update");
  client.cancel(sessionId);
  await client.next(({ params }) => params?.sessionId === sessionId && params.update?.state === "idle");
  grandkid?.say("late");
  grandkid?.idle();
  grandkid?.say("late too");
  kid?.idle();
  grandkid?.say("again");
  await client.update("agent_message_chunk");
  expect(client.text).toBe("again");
  expect(diagnostics).toEqual([]);
});

describe("P-SUB-13: a cancel of the turn by other means than session/cancel also cancels its children", () => {
  it("a further prompt that replaces the first", async () => {
    const { client, sessionId } = await prompted(
      v2Hello,
      async ({ session, prompt: [block] }) => {
        if (block?.type !== "text" || !("text" in block) || block.text !== "go") return;
        await aborted(session.child("Runner").signal);
      },
      { whilePrompting: "replace" },
    );
    const { sessionId: kid } = await client.update("subagent_update");
    await client.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "next" }] });
    expect(activitiesOf(client, kid)).toEqual(["running", "idle cancelled"]);
  });

  it("the close of the agent's connection", async () => {
    const { client, served } = await prompted(v2Hello, async ({ session }) => {
      await aborted(session.child("Runner").signal);
    });
    const { sessionId: kid } = await client.update("subagent_update");
    await served.close();
    expect(activitiesOf(client, kid)).toEqual(["running", "idle cancelled"]);
  });

  it("the cancel of the request of a prompt in version 1", async () => {
    const { client } = await prompted(v1WithChildren, async ({ session }) => {
      await aborted(session.child("Runner").signal);
    });
    const { sessionId: kid } = await client.update("subagent_update");
    client.notify("$/cancel_request", { requestId: 3 });
    await client.next(({ result }) => result?.stopReason === "cancelled");
    expect(activitiesOf(client, kid)).toEqual(["running", "idle cancelled"]);
  });
});
