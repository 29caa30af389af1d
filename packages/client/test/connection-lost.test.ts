import { beforeEach, describe, expect, test, vi } from "vitest";
import { openIdle, openTurn } from "./open-turn.js";
import { dial, openSession } from "./raw-agent.js";

const printed = vi.spyOn(console, "error").mockImplementation(() => undefined);
beforeEach(() => void printed.mockClear());

const lost = (diagnostics: readonly { readonly code: string }[]) =>
  diagnostics.filter(({ code }) => code === "connection_lost");

describe("defect S35: an agent that ends between two prompts", () => {
  test("is printed once", async () => {
    const { agent, session } = await openSession({ onDiagnostic: undefined } as never);
    await agent.close();
    await vi.waitFor(() => expect(session.state.closed).toBe(true));
    const expected = "turnkit: The connection was lost. The other side closed the memory channel. Await client.closed";
    expect(printed.mock.calls).toEqual([[expect.stringContaining(expected)]]);
  });

  test("is reported with the session's open turn if nobody waits for it", async () => {
    for (const wait of ["nothing", "accepted"]) {
      const { agent, session, diagnostics } = await openSession();
      const turn = session.prompt("hi");
      if (wait === "accepted") void turn.accepted;
      await agent.call("session/prompt");
      await agent.close();
      await vi.waitFor(() => expect(lost(diagnostics)).toHaveLength(1));
    }
  });

  test("defect S46: the report has one point after the reason, and the lines of stderr last", async () => {
    const { agent, channel, connecting, diagnostics } = dial();
    agent.answer(await agent.call("initialize"), { protocolVersion: 1 });
    await connecting;
    await channel.close({ kind: "failed", message: "socket hang up", stderr: "no model\n" });
    await vi.waitFor(() => expect(lost(diagnostics)).toHaveLength(1));
    const text = "The connection was lost. socket hang up. Await client.closed to learn of it.\nno model";
    expect(lost(diagnostics)).toMatchObject([{ message: text }]);
  });

  test("is no report for a program that has read `closed`", async () => {
    const { agent, client, diagnostics } = await openSession();
    const { closed } = client;
    await agent.close();
    expect(await closed).toMatchObject({ kind: "remote" });
    expect(diagnostics).toEqual([]);
  });

  test("is no report if a turn has the error", async () => {
    const { agent, session, diagnostics } = await openSession();
    const turn = session.prompt("hi");
    turn.ended.catch(() => undefined);
    await agent.call("session/prompt");
    await agent.close();
    await expect(turn.ended).rejects.toThrow("closed");
    expect(diagnostics).toEqual([]);
  });

  test("is no report if this side closes, whatever ends first", async () => {
    const { agent, client, diagnostics } = await openSession();
    await Promise.all([client.close(), agent.close()]);
    const other = await openSession();
    await other.channel.close();
    expect(await other.client.closed).toMatchObject({ kind: "local" });
    expect([...diagnostics, ...other.diagnostics]).toEqual([]);
  });
});

describe.each(["v1", "v2", "seed"] as const)("defect S36: %s: a loop that begins late", (dialect) => {
  const late = (diagnostics: readonly { readonly code: string; readonly message: string }[]) =>
    diagnostics.filter(({ code }) => code === "late_loop").map(({ message }) => message);

  test("is reported after the turn's begin, because it lacks events", async () => {
    const { agent, session, diagnostics, turn, say, finish } = await openTurn(dialect);
    say("a");
    await turn.accepted;
    const loop = (async () => {
      for await (const event of turn) void event;
    })();
    say("b");
    finish();
    await loop;
    expect(late(diagnostics)).toEqual([
      expect.stringMatching(/began late, so it lacks.*same tick as the call of `prompt`/),
    ]);
    expect([agent.count("session/prompt"), session.state.closed]).toEqual([1, false]);
  });

  test("is no report if it goes on where an earlier loop was left", async () => {
    const { agent, session, diagnostics } = await openIdle(dialect);
    const turn = session.prompt("hi");
    const first = (async () => {
      for await (const event of turn) if (event) break;
    })();
    await agent.call("session/prompt");
    agent.update("s-1", { sessionUpdate: "session_info_update", title: "x" });
    await first;
    await turn[Symbol.asyncIterator]().return?.();
    expect(late(diagnostics)).toEqual([]);
  });
});

describe("defect S33: a prompt of an ended session", () => {
  test("is reported if nobody waits for its turn", async () => {
    const { client, session, diagnostics } = await openSession();
    await client.close();
    session.prompt("one").ended.catch(() => undefined);
    await Promise.resolve();
    expect(diagnostics).toEqual([]);
    session.prompt("two");
    await Promise.resolve();
    expect(diagnostics).toMatchObject([
      { code: "unfinished", sessionId: "s-1", message: expect.stringMatching(/A prompt was not sent\. .*closed/) },
    ]);
  });
});

describe("defect S38: an update that is lost", () => {
  test("is printed, the first of each kind", async () => {
    const { agent, session } = await openSession({ onDiagnostic: undefined } as never);
    const turn = session.prompt("hi");
    const prompt = await agent.call("session/prompt");
    for (const content of ["lost", "lost too"]) {
      agent.update("s-1", { sessionUpdate: "agent_message_chunk", content });
      agent.say("S1", content);
    }
    agent.answer(prompt, { stopReason: "end_turn" });
    await turn.ended;
    agent.say("S2", "lost");
    await vi.waitFor(() => expect(printed).toHaveBeenCalledTimes(2));
    const text = printed.mock.calls.flat().join("\n");
    expect(text).toMatch(/A session\/update of the peer was dropped: invalid params at update\.content/);
    expect(text).toMatch(/An update was dropped, because this client does not have its session/);
    expect(text).toContain("pass onDiagnostic");
  });

  test("of a session that has ended here is not printed", async () => {
    const { agent, client, session } = await openSession({ onDiagnostic: undefined } as never);
    const closing = session.close();
    agent.answer(await agent.call("session/close"), {});
    await closing;
    agent.say("s-1", "late");
    agent.request("r", "_x");
    await agent.answerTo("r");
    await client.close();
    expect(printed).not.toHaveBeenCalled();
  });
});
