import type { DialectName } from "@turnkit/session";
import { describe, expect, test } from "vitest";
import type { Client, Session, Turn } from "../src/index.js";
import { piece } from "./draft-agent.js";
import { openIdle, openTurn } from "./open-turn.js";
import { chunk } from "./raw-agent.js";

const dialects: readonly DialectName[] = ["v1", "v2", "seed"];
const UNANSWERED = /before the agent had answered a prompt.*await `ended`/;

describe.each(dialects)("%s: a prompt whose turn nobody waits for", (dialect) => {
  test.each<[string, (client: Client, session: Session) => Promise<unknown>]>([
    ["the client is closed", (client) => client.close()],
    ["a block of `await using` ends", async (client) => void (await client[Symbol.asyncDispose]())],
  ])("is reported when %s before the agent began", async (_, close) => {
    const { agent, client, session, diagnostics } = await openIdle(dialect);
    session.prompt("hi");
    await agent.call("session/prompt");
    await close(client, session);
    expect(diagnostics.filter(({ code }) => code === "unfinished")).toEqual([
      { code: "unfinished", sessionId: "s-1", message: expect.stringMatching(UNANSWERED) },
    ]);
  });

  test("is reported once when the session is closed, and the client after it", async () => {
    const { agent, client, session, diagnostics } = await openIdle(dialect);
    session.prompt("hi");
    await agent.call("session/prompt");
    void session.close().catch(() => undefined);
    void client.close();
    expect(diagnostics.filter(({ code }) => code === "unfinished")).toHaveLength(1);
  });

  test.each<[string, (turn: Turn) => unknown]>([
    ["its end", (turn) => turn.ended.catch(() => undefined)],
    ["its acceptance", (turn) => turn.accepted],
    ["its text", (turn) => turn.text().catch(() => undefined)],
    ["its events", (turn) => turn[Symbol.asyncIterator]().return?.()],
    ["the end after a cancel", (turn) => turn.cancel().catch(() => undefined)],
  ])("is no report if somebody waits for %s", async (_, wait) => {
    const { agent, client, session, diagnostics } = await openIdle(dialect);
    void wait(session.prompt("hi"));
    await agent.call("session/prompt");
    await client.close();
    expect(diagnostics.filter(({ code }) => code === "unfinished")).toEqual([]);
  });

  test.each<[string, (turn: Turn) => unknown]>([
    ["nothing", () => undefined],
    ["its acceptance", (turn) => turn.accepted],
  ])("defect S37: is reported if the agent was at work, and the program waited for %s", async (_, wait) => {
    const { agent, client, session, diagnostics } = await openIdle(dialect);
    const turn = session.prompt("hi");
    void wait(turn);
    const prompt = await agent.call("session/prompt");
    if (dialect === "v2") agent.answer(prompt, { messageId: "u-1" });
    agent.update("s-1", dialect === "v1" ? chunk("a") : piece("a"));
    await expect.poll(() => session.state.timeline.length).toBe(2);
    await client.close();
    expect(diagnostics).toMatchObject([{ code: "unfinished", message: expect.stringMatching(UNANSWERED) }]);
  });

  test("is no report if the agent was at work for a view: a person may leave in the middle of an answer", async () => {
    const { client, diagnostics, say, received } = await openTurn(dialect);
    const before = received.length;
    say("a");
    await expect.poll(() => received.length).toBeGreaterThan(before);
    await client.close();
    expect(diagnostics.filter(({ code }) => code === "unfinished")).toEqual([]);
  });
});

describe.each(dialects)("%s: a loop over a turn", (dialect) => {
  test("is reported if it begins after the end, because it gets no events", async () => {
    const { turn, finish, diagnostics } = await openTurn(dialect);
    finish();
    await turn.ended;
    for await (const event of turn) expect(event).toBe("never");
    expect(diagnostics.filter(({ code }) => code === "late_loop").map(({ message }) => message)).toEqual([
      expect.stringContaining("Begin the loop in the same tick"),
    ]);
  });

  test("is no report if it begins with the prompt", async () => {
    const { agent, session, diagnostics } = await openIdle(dialect);
    const turn = session.prompt("hi", { signal: AbortSignal.abort() });
    for await (const event of turn) expect(event).toBe("never");
    expect(agent.count("session/prompt")).toBe(0);
    expect(diagnostics).toEqual([]);
  });
});
