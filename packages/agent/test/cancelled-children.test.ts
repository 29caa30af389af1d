import { describe, expect, it } from "vitest";
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

it("P-SUB1-10: late calls for a cancelled child open no tool call in a client without sub-agents", async () => {
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
