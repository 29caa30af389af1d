import type { DialectName } from "@turnkit/session";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { SessionEvent, Turn } from "../src/index.js";
import { idle, openDraftTurn } from "./draft-agent.js";
import { openIdle, openTurn } from "./open-turn.js";
import { openSession } from "./raw-agent.js";

const dialects: readonly DialectName[] = ["v1", "v2", "seed"];
const unhandled = vi.fn();
beforeEach(() => void process.on("unhandledRejection", unhandled));
afterEach(async () => {
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

/** The events of a loop, and the error that it throws. */
async function loop(turn: Turn, body?: (event: SessionEvent) => unknown) {
  const types: string[] = [];
  try {
    for await (const event of turn) {
      types.push(event.type);
      await body?.(event);
    }
    return { types };
  } catch (error) {
    return { types, error };
  }
}

const thrown = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "no error",
    (error) => error,
  );

describe.each(dialects)("defect S32: %s: a loop over a turn whose connection is lost", (dialect) => {
  test("yields the events, then throws the error with which `ended` rejects", async () => {
    const { agent, session } = await openIdle(dialect);
    const turn = session.prompt("hi");
    const looped = loop(turn);
    await agent.call("session/prompt");
    await agent.close();
    const { types, error } = await looped;
    expect(types.at(-1)).toMatch(/turn_ended|prompt_/);
    expect(error).toMatchObject({ code: "connection_closed", reason: { kind: "remote" } });
    expect(await thrown(turn.ended)).toBe(error);
  });

  test("throws nothing after it was left, nor if nobody awaits `ended`", async () => {
    const { agent, client, turn, say } = await openTurn(dialect);
    const left = loop(turn, () => Promise.reject("left"));
    say("a");
    expect(await left).toMatchObject({ error: "left" });
    await agent.close();
    await client.closed;
  });

  test("throws in each of two loops", async () => {
    const { agent, session } = await openIdle(dialect);
    const turn = session.prompt("hi");
    const both = [loop(turn), loop(turn)];
    await agent.call("session/prompt");
    await agent.close();
    for (const { error } of await Promise.all(both)) expect(error).toMatchObject({ code: "connection_closed" });
  });

  test("ends without an error if this side closed the client", async () => {
    const { agent, client, session } = await openIdle(dialect);
    const looped = loop(session.prompt("hi"));
    await agent.call("session/prompt");
    await client.close();
    expect((await looped).error).toBeUndefined();
  });

  test("throws in a loop that begins after the loss", async () => {
    const { agent, turn } = await openTurn(dialect);
    await agent.close();
    const error = await thrown(turn.ended);
    expect(await loop(turn)).toEqual({ types: [], error });
  });
});

describe.each(dialects)("defect S33: %s: a loop over a prompt that nothing can send", (dialect) => {
  test.each<[string, (opened: Awaited<ReturnType<typeof openIdle>>) => Promise<unknown>, RegExp]>([
    [
      "of a closed session",
      async ({ agent, session }) => {
        const closing = session.close();
        agent.answer(await agent.call("session/close"), {});
        await closing;
      },
      /Session s-1 accepts no more prompts/,
    ],
    ["of a closed client", ({ client }) => client.close(), /closed/],
    [
      "of a session that a restore replaced",
      async ({ agent, client, restore }) => {
        const restoring = client.restore("s-1", { cwd: "/work" });
        agent.answer(await agent.call(restore), {});
        await restoring;
      },
      /accepts no more prompts: the session was restored/,
    ],
  ])("%s throws", async (_, end, message) => {
    const opened = await openIdle(dialect);
    await end(opened);
    const turn = opened.session.prompt("hi");
    const { error } = await loop(turn);
    expect((error as Error).message).toMatch(message);
    expect(await thrown(turn.ended)).toBe(error);
    expect(opened.agent.count("session/prompt")).toBe(0);
  });
});

describe("defect S34: an error of the agent in a turn", () => {
  test("rejects `text()`, and the loop throws it after its events", async () => {
    const { agent, session } = await openSession();
    const turn = session.prompt("hi");
    const looped = loop(turn);
    const prompt = await agent.call("session/prompt");
    agent.say("s-1", "half");
    agent.refuse(prompt, -32603, "model down", { retry: true });
    const error = await thrown(turn.text());
    expect(error).toMatchObject({ name: "RpcError", code: -32603, message: "model down", data: { retry: true } });
    const { types, error: fromLoop } = await looped;
    expect(types).toContain("agent_message_chunk");
    expect(types.at(-1)).toBe("turn_ended");
    expect(fromLoop).toBe(error);
    expect(await turn.ended).toMatchObject({ stopReason: "error", error: { message: "model down" } });
  });

  test("that version 2 reports with its state does the same", async () => {
    const { agent, turn, prompt } = await openDraftTurn();
    const looped = loop(turn);
    agent.refuse(prompt, -32603, "model down");
    expect(await thrown(turn.text())).toMatchObject({ code: -32603, message: "model down" });
    expect((await looped).error).toMatchObject({ code: -32603 });
  });

  test.each(["end_turn", "refusal", "max_tokens", "cancelled"])("is not the stop reason %s", async (stopReason) => {
    const { agent, session } = await openSession();
    const turn = session.prompt("hi");
    const looped = loop(turn);
    const prompt = await agent.call("session/prompt");
    agent.say("s-1", "half");
    agent.answer(prompt, { stopReason });
    expect(await turn.text()).toBe("half");
    expect((await looped).error).toBeUndefined();
  });

  test("is not the stop reason of version 2", async () => {
    const { agent, turn, prompt } = await openDraftTurn();
    const looped = loop(turn);
    agent.answer(prompt, { messageId: "u-1" });
    agent.update("s-1", idle("refusal"));
    expect(await turn.ended).toMatchObject({ stopReason: expect.any(String) });
    expect((await looped).error).toBeUndefined();
  });
});
