import { AcpError, RpcError } from "@turnkit/transport";
import { describe, expect, it } from "vitest";
import type { AgentSession, ChildOptions, ChildSession, Turn } from "../src/index.js";
import { type Frame, gate, openAs, v2Hello } from "./raw-client.js";

/** A session of version 2, inside its first turn. */
async function inTurn() {
  const turn = gate<Turn>();
  const connected = await openAs(v2Hello, {
    prompt: async (given) => {
      turn.open(given);
      await new Promise(() => undefined);
    },
  });
  connected.client.prompt(connected.sessionId);
  return { ...connected, session: (await turn.promise).session };
}

describe("P-BG-01: setBackground refuses an item that is no background work, and names the right form", () => {
  const remedy = 'pass work such as { type: "subagent", sessionId: child.id }';
  it.each<[string, (child: ChildSession) => unknown, string]>([
    ["a child session", (child) => child, remedy],
    ["the id of a child session", ({ id }) => id, remedy],
    ["a subagent with another member", ({ id }) => ({ type: "subagent", id }), remedy],
    ["a subagent whose id is no text", () => ({ type: "subagent", sessionId: 5 }), remedy],
    ["a type that nobody knows", ({ id }) => ({ type: "child", sessionId: id }), remedy],
    ["the name of a member of every object", () => ({ type: "constructor" }), remedy],
    ["nothing", () => null, remedy],
    ["a tool call", () => ({ type: "tool_call", id: "1" }), '{ type: "tool_call", toolCallId: id }'],
    ["a terminal", () => ({ type: "terminal" }), '{ type: "terminal", terminalId: id }'],
  ])("%s", async (_, item, advice) => {
    const { client, session } = await inTurn();
    const child = session.child("Runner");
    await client.update("subagent_update");
    for (const owner of [session, child]) {
      let failure: unknown;
      try {
        owner.setBackground([{ type: "subagent", sessionId: child.id }, item(child) as never]);
      } catch (error) {
        failure = error;
      }
      expect(failure).toBeInstanceOf(TypeError);
      expect(String(failure)).toContain("setBackground item 1 got ");
      expect(String(failure)).toContain(advice);
    }
    await client.request("session/list");
    expect(client.updates().some(({ background }) => background?.length > 0)).toBe(false);
  });

  it("but takes an item of the agent's own type", async () => {
    const { client, session } = await inTurn();
    session.setBackground([{ type: "_example.com/build", buildId: "7" } as never]);
    await client.request("session/list");
    expect(client.updates("state_update").at(-1)?.background).toEqual([{ type: "_example.com/build", buildId: "7" }]);
  });
});

describe("P-SUB-12: idle() of a child session takes the values that the end of a turn takes", () => {
  const ended = async (reason: unknown) => {
    const { client, session, diagnostics } = await inTurn();
    const child = session.child("Runner");
    child.idle(reason as never);
    await client.request("session/list");
    const own = client.received.filter(
      ({ params }) => params?.sessionId === child.id && params.update?.state === "idle",
    );
    const { sessionUpdate: _, state: __, background: ___, ...end } = own[0]?.params.update ?? ({} as Frame);
    return { end, reports: diagnostics.map(({ code, message }) => `${code}: ${message}`) };
  };
  const internal = (message: string) => ({
    stopReason: "error",
    error: expect.objectContaining({ code: -32603, message }),
  });
  const endTurn = { stopReason: "end_turn" };

  it.each<[string, unknown, object]>([
    ["nothing", undefined, endTurn],
    ["null", null, endTurn],
    ["a stop reason of the protocol", "refusal", { stopReason: "refusal" }],
    ["an own stop reason", { stopReason: "_paused" }, { stopReason: "_paused" }],
    [
      "an error of the wire",
      new RpcError(-32001, "no model"),
      { stopReason: "error", error: { code: -32001, message: "no model" } },
    ],
    [
      "an error of turnkit",
      new AcpError("state", "The agent is gone."),
      {
        stopReason: "error",
        error: expect.objectContaining({ message: expect.stringContaining("The agent is gone.") }),
      },
    ],
    [
      "an error object",
      { stopReason: "error", error: { code: 5, message: "no" } },
      { stopReason: "error", error: { code: 5, message: "no" } },
    ],
  ])("%s, without a report", async (_, reason, end) => {
    expect(await ended(reason)).toEqual({ end, reports: [] });
  });

  it.each<[string, unknown, object, string]>([
    [
      "a reason of no protocol",
      "done",
      endTurn,
      'idle() of a child session got "done", which is not a stop reason of the protocol. The client gets end_turn.',
    ],
    ["an object with such a reason", { stopReason: "done" }, endTurn, '"done", which is not a stop reason'],
    ["an error", new Error("boom"), internal("Internal error: boom"), "The work of a child session failed: boom"],
    [
      "an object with an error",
      { stopReason: "error", error: new Error("boom") },
      internal("Internal error: boom"),
      "boom",
    ],
    ["an error without a reason", { error: new Error("boom") }, internal("Internal error: boom"), "boom"],
    ["an error that is text", { stopReason: "error", error: "boom" }, internal("Internal error: boom"), "boom"],
    [
      "an error without a code",
      { stopReason: "error", error: { message: "boom" } },
      internal("Internal error: boom"),
      "boom",
    ],
    ["an error that is a number", { stopReason: "error", error: 7 }, internal("Internal error: 7"), "7"],
    [
      "a misspelled member",
      { reason: "refusal" },
      endTurn,
      "The option reason of idle() of a child session is not used",
    ],
    ["a reason that is no text", { stopReason: 7 }, endTurn, "7"],
    ["a number", 7, endTurn, "neither a stop reason nor an object"],
    ["a list", ["refusal"], endTurn, "neither a stop reason nor an object"],
  ])("%s is reported as handler_failed", async (_, reason, end, message) => {
    const { end: reported, reports } = await ended(reason);
    expect(reported).toEqual(end);
    expect(reports).toEqual([expect.stringContaining(message)]);
    expect(reports[0]).toMatch(/^handler_failed: /);
  });
});

describe("P-SUB-03: child() refuses options that no client can read", () => {
  it.each<[object, string]>([
    [{ cwd: "sub" }, 'session.child cwd got "sub": pass the absolute path of a folder'],
    [{ cwd: "./sub" }, 'session.child cwd got "./sub"'],
    [{ cwd: "" }, 'session.child cwd got ""'],
    [{ cwd: 5 }, "session.child cwd got 5"],
    [{ cwd: null }, "session.child cwd got null"],
    [{ description: 5 }, "session.child description got 5: pass a text"],
    [{ cancel: "yes" }, 'session.child cancel got "yes": pass true or false'],
  ])("%j", async (options, message) => {
    const { client, session } = await inTurn();
    const child = session.child("Runner", { cwd: "/work/sub", description: "Tests", cancel: false });
    for (const owner of [session, child]) {
      expect(() => owner.child("Wrong", options as ChildOptions)).toThrow(message);
    }
    await client.request("session/list");
    expect(client.updates("subagent_update").map(({ title }) => title)).not.toContain("Wrong");
  });

  it("undefined counts as absent", async () => {
    const { session } = await inTurn();
    const none = { cwd: undefined, description: undefined, cancel: undefined } as unknown as ChildOptions;
    expect(session.child("Runner", none).state.cwd).toBe("/work");
  });
});

it("P-SUB-22: child() of a forgotten child session says that it was forgotten", async () => {
  const { session } = await inTurn();
  const child = session.child("Runner");
  const grandkid = child.child("Grandkid");
  child.forget();
  for (const one of [child, grandkid])
    expect(() => one.child("Late")).toThrow(
      `Child session ${one.id} has ended, by forget() or with its session. Open a child session of another one.`,
    );
});

describe("P-SUB-17: a link that no client can read is refused", () => {
  it.each<[string, object]>([
    ["a session without its id", { type: "session", id: "x" }],
    ["a session whose id is no text", { type: "session", sessionId: 5 }],
    ["a subagent", { type: "subagent", sessionId: "x" }],
  ])("%s", async (_, item) => {
    const { session } = await inTurn();
    const message = 'pass a link such as { type: "session", sessionId: child.id }';
    const kid = session.child("Kid");
    for (const owner of [session, kid]) {
      const call = owner.toolCall({ title: "Delegate" });
      expect(() => call.append(item as never)).toThrow(message);
      expect(() => call.update({ content: [item as never] })).toThrow(message);
      expect(() => owner.toolCall({ title: "Delegate", content: [item as never] })).toThrow(message);
    }
  });

  it("also in an update of the agent", async () => {
    const { session } = await inTurn();
    const emit = (owner: Pick<AgentSession, "emit">) => () =>
      owner.emit({ type: "tool_call_content_chunk", toolCallId: "1", content: { type: "session", id: "x" } as never });
    for (const owner of [session, session.child("Kid")]) {
      expect(emit(owner)).toThrow("content of type session got an object of another form: pass a link such as");
    }
  });
});
