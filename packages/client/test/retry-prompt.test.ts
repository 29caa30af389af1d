import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createKeyEvidence, isOutcomeUnknown, retryPrompt } from "../src/index.js";
import { echo, idle, NOW, openDraft, openDraftTurn, running, SEED, SESSION } from "./draft-agent.js";
import { known, lose, restore } from "./lost-prompt.js";
import { open, settle } from "./raw-agent.js";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a prompt whose answer was lost", () => {
  test("P-RETRY-06, P-CONF-02: is sent again with its key to an agent that is known to use keys", async () => {
    const { agents, retry, key } = await lose();
    const retried = retry({ evidence: known() });
    const agent = await restore(agents, 0, 500, echo("u-9"));
    const again = await agent.call("session/prompt");
    expect(again.params).toMatchObject({
      sessionId: "s-1",
      idempotencyKey: key,
      prompt: [{ type: "text", text: "hi" }],
    });
    agent.answer(again, { messageId: "u-9" });
    const outcome = await retried;
    expect(outcome).toMatchObject({ status: "sent" });
    const users = [...(outcome.session?.state.timeline ?? [])].filter((one) => one.type === "message");
    expect(users).toMatchObject([{ messageId: "u-9", prompt: { status: "accepted", idempotencyKey: key } }]);
  });

  test("P-RETRY-06, P-CONF-02: is found in the replay of another agent, and not sent again", async () => {
    const { agents, retry } = await lose();
    for (const evidence of [undefined, createKeyEvidence([{ name: "raw-agent", from: "0.0.3" }])]) {
      const retried = retry(evidence && { evidence });
      const agent = await restore(agents, agents.length, 500, echo("u-9"));
      expect(await retried).toMatchObject({ status: "inserted", messageId: "u-9" });
      expect(agent.count("session/prompt")).toBe(0);
    }
  });

  test("P-RETRY-06, P-IDEM-13, defect K1: is never sent without its key, as on a connection with promptKeys false", async () => {
    const { agents, retry } = await lose({ next: () => openDraft(NOW, { promptKeys: false }) });
    for (const [said, outcome] of [
      [echo("u-1", "another prompt"), { status: "unknown", client: { sendsPromptKeys: false } }],
      [echo("u-9"), { status: "inserted", messageId: "u-9" }],
    ] as const) {
      const retried = retry({ evidence: known() });
      const agent = await restore(agents, agents.length, 500, said);
      expect(await Promise.race([retried, agent.call("session/prompt")])).toMatchObject(outcome);
    }
  });

  test("P-RETRY-03, defect K1: is never sent without its key, as on a new connection of version 1", async () => {
    const agentInfo = { name: "raw-agent", version: "0.0.2" };
    const { agents, retry } = await lose({ next: () => open({}, { agentInfo }) });
    const piece = { sessionUpdate: "user_message_chunk", content: { type: "text", text: "hi" } };
    for (const [said, outcome] of [
      [piece, { status: "unknown" }],
      [
        { ...piece, messageId: "u-9" },
        { status: "inserted", messageId: "u-9" },
      ],
    ] as const) {
      const retried = retry({ evidence: known() });
      const agent = await restore(agents, agents.length, 500, said);
      expect(await Promise.race([retried, agent.call("session/prompt")])).toMatchObject(outcome);
    }
  });

  test("P-RETRY-06, defect K6: is never sent again on a new connection of the seed draft, which has no keys", async () => {
    const { agents, retry } = await lose({ next: () => openDraft(SEED) });
    for (const [said, outcome] of [
      [echo("u-1", "another prompt"), { status: "unknown", client: { sendsPromptKeys: false } }],
      [echo("u-9"), { status: "inserted", messageId: "u-9" }],
    ] as const) {
      const retried = retry({ evidence: known() });
      const agent = await restore(agents, agents.length, 500, said);
      expect(await Promise.race([retried, agent.call("session/prompt")])).toMatchObject(outcome);
    }
  });

  test("P-RETRY-03, defect K6: is never sent again if its connection spoke the seed draft", async () => {
    const { agent, session, turn } = await openDraftTurn(SEED);
    await agent.close();
    const error = await turn.ended.catch((failure: unknown) => failure);
    if (!isOutcomeUnknown(error)) throw error;
    expect(error).toMatchObject({ retry: "never", idempotencyKey: undefined });
    const connect = () => Promise.reject(new Error("not called"));
    const outcome = await retryPrompt(session, error, { connect, evidence: known() });
    expect(outcome).toEqual({ status: "unknown", error });
  });

  test("P-RETRY-06: stays unknown if the replay has other ids for the messages that were known", async () => {
    const { agents, retry } = await lose({ before: [echo("u-1"), idle("end_turn")] });
    const retried = retry();
    await restore(agents, 0, 500, echo("new-1"), echo("new-2"));
    expect(await retried).toMatchObject({ status: "unknown" });
    const again = retry();
    await restore(agents, 1, 500, echo("u-1"), echo("new-2"));
    expect(await again).toMatchObject({ status: "inserted", messageId: "new-2" });
  });

  test("P-RETRY-06: stays unknown if two prompts with its content were lost, and the replay has one of them", async () => {
    const { agents, retries } = await lose({ prompts: 2 });
    for (const retry of retries) {
      const retried = retry();
      await restore(agents, agents.length, 500, echo("u-9"));
      expect(await retried).toMatchObject({ status: "unknown" });
    }
    for (const [at, messageId] of ["u-8", "u-9"].entries()) {
      const retried = retries[at]?.();
      await restore(agents, agents.length, 500, echo("u-8"), echo("u-9"));
      expect(await retried).toMatchObject({ status: "inserted", messageId });
    }
  });

  test("P-RETRY-06: stays unknown if the replay does not have it; the program decides", async () => {
    const { agents, retry, key } = await lose();
    const retried = retry({ evidence: known(), promptRetry: "ask" });
    const agent = await restore(agents, 0, 500, echo("u-1", "another prompt"));
    const outcome = await retried;
    expect(outcome).toMatchObject({ status: "unknown", error: { kind: "outcome-unknown", idempotencyKey: key } });
    expect(outcome.session?.id).toBe("s-1");
    expect(agent.count("session/prompt")).toBe(0);
  });

  test("P-RETRY-07: is sent at most three times, after 0.5, 2 and 8 s", async () => {
    const { agents, retry, key } = await lose();
    const retried = retry({ evidence: known() });
    for (const [index, ms] of [500, 2_000, 8_000].entries()) {
      const agent = await restore(agents, index, ms);
      expect((await agent.call("session/prompt")).params.idempotencyKey).toBe(key);
      await agent.close();
    }
    expect(await retried).toMatchObject({ status: "unknown" });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(agents).toHaveLength(3);
  });

  test("P-RETRY-07: is not sent again after a cancel, or with never", async () => {
    const { agents, retry } = await lose();
    const stop = new AbortController();
    const retried = retry({ evidence: known(), signal: stop.signal });
    stop.abort();
    expect(await retried).toMatchObject({ status: "unknown" });
    expect(await retry({ evidence: known(), promptRetry: "never" })).toMatchObject({ status: "unknown" });
    expect(agents).toEqual([]);
  });

  test("P-RETRY-07: is cancelled by the signal while the agent does not answer it", async () => {
    const { agents, retry } = await lose();
    const stop = new AbortController();
    const retried = retry({ evidence: known(), signal: stop.signal });
    const agent = await restore(agents, 0, 500);
    const again = await agent.call("session/prompt");
    stop.abort();
    expect((await agent.call("session/cancel")).params).toEqual({ sessionId: "s-1" });
    agent.refuse(again, -32800, "Request cancelled");
    expect(await retried).toMatchObject({ status: "sent" });
  });

  test("P-RETRY-06: stays unknown, with the reason, if the agent no longer accepts its content", async () => {
    const { image: _, ...prompt } = SESSION.prompt;
    const said = { ...NOW, capabilities: { session: { ...SESSION, prompt } } };
    const { agents, retry } = await lose({
      next: () => openDraft(said),
      content: [{ type: "image", data: "AA==", mimeType: "image/png" }],
    });
    const retried = retry({ evidence: known() });
    const agent = await restore(agents, 0, 500);
    const outcome = await retried;
    expect(outcome).toMatchObject({ status: "unknown", cause: { code: "capability" } });
    expect(outcome.session?.id).toBe("s-1");
    expect(agent.count("session/prompt")).toBe(0);
  });

  test("P-RETRY-06: stays unknown, with the reason, if no connection can be opened", async () => {
    const { retry } = await lose();
    const cause = new Error("no such program");
    const retried = retry({ evidence: known(), connect: () => Promise.reject(cause) });
    await vi.advanceTimersByTimeAsync(10_500);
    expect(await retried).toMatchObject({ status: "unknown", cause });
  });

  test("P-RETRY-07: is not sent again if the user has cancelled the work", async () => {
    vi.useRealTimers();
    const { agent, session, turn } = await openDraftTurn();
    agent.update("s-1", running);
    await settle(agent);
    turn.cancel().catch(() => undefined);
    await settle(agent);
    expect(agent.count("session/cancel")).toBe(1);
    await agent.close();
    const error = await turn.ended.catch((failure: unknown) => failure);
    if (!isOutcomeUnknown(error)) throw error;
    expect(error.retry).toBe("never");
    const connect = () => Promise.reject(new Error("not called"));
    expect(await retryPrompt(session, error, { connect, evidence: known() })).toMatchObject({ status: "unknown" });
  });
});

test("P-CONF-01, P-CONF-02: keys are proved by a list of versions, or by an answer with the first id", async () => {
  const evidence = createKeyEvidence([{ name: "a", from: "1.19.0", below: "2.0.0" }]);
  const honours = (name: string, version: string) => evidence.honours({ name, version });
  expect(["1.18.9", "1.19.0", "1.100.0", "2.0.0", "new"].map((version) => honours("a", version))).toEqual([
    ...[false, true, true, false, false],
  ]);
  expect(honours("b", "1.19.0")).toBe(false);
  evidence.learn({ name: "b", version: "1.19.0" });
  expect([honours("b", "1.19.0"), honours("b", "1.20.0")]).toEqual([true, false]);
});
