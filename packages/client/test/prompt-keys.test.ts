import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { isAcpError, isOutcomeUnknown, type Session } from "../src/index.js";
import { echo, idle, openDraft, openDraftSession, openDraftTurn, running, SEED } from "./draft-agent.js";
import { openSession, settle } from "./raw-agent.js";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const users = ({ state }: Session) =>
  [...state.timeline].filter((one) => one.type === "message" && one.role === "user");

describe("the key of a prompt", () => {
  test("P-IDEM-03, P-IDEM-13: is a random UUID, another for each prompt", async () => {
    const { agent, session, prompt } = await openDraftTurn();
    session.prompt("more");
    const more = await agent.call("session/prompt");
    expect(prompt.params.idempotencyKey).toMatch(UUID);
    expect(more.params.idempotencyKey).toMatch(UUID);
    expect(more.params.idempotencyKey).not.toBe(prompt.params.idempotencyKey);
  });

  test("P-IDEM-13: is not sent with promptKeys false, and never in version 1 or the seed draft", async () => {
    const { prompt } = await openDraftTurn(undefined, { promptKeys: false });
    expect(prompt.params).not.toHaveProperty("idempotencyKey");
    const { agent, session } = await openSession();
    session.prompt("hi");
    expect((await agent.call("session/prompt")).params).not.toHaveProperty("idempotencyKey");
    const seed = await openDraftTurn(SEED);
    expect(seed.prompt.params).not.toHaveProperty("idempotencyKey");
  });

  test("P-IDEM-03: may come from the program, which keeps it with the input", async () => {
    const { agent, session } = await openDraftSession();
    session.prompt("hi", { idempotencyKey: "mine" });
    expect((await agent.call("session/prompt")).params.idempotencyKey).toBe("mine");
  });

  test("P-IDEM-14: is in the local message; a second attempt adds no message and the answer merges it", async () => {
    const { agent, session } = await openDraftSession();
    const turn = session.prompt("hi", { idempotencyKey: "mine" });
    const first = await agent.call("session/prompt");
    expect(users(session)).toMatchObject([{ prompt: { status: "sent", idempotencyKey: "mine" } }]);
    expect(session.prompt("hi", { idempotencyKey: "mine" })).toBe(turn);
    agent.refuse(first, -32603, "try again");
    await turn.ended;
    const again = session.prompt("hi", { idempotencyKey: "mine" });
    const second = await agent.call("session/prompt");
    expect(again.promptId).toBe(turn.promptId);
    expect(users(session)).toMatchObject([{ prompt: { status: "sent", idempotencyKey: "mine" } }]);
    agent.update("s-1", echo("u-9"), running);
    agent.answer(second, { messageId: "u-9" });
    agent.update("s-1", idle("end_turn"));
    await again.ended;
    expect(users(session)).toMatchObject([
      { messageId: "u-9", prompt: { status: "accepted", idempotencyKey: "mine" } },
    ]);
    expect(session.state.anomalies).toEqual([]);
    expect(agent.count("session/prompt")).toBe(2);
  });
});

describe("an answer that was lost with the connection", () => {
  test("P-RETRY-05: of a prompt, the error has the method, the class and the key", async () => {
    const { agent, turn, prompt } = await openDraftTurn();
    await agent.close();
    const error = await turn.ended.catch((failure: unknown) => failure);
    expect(isOutcomeUnknown(error)).toBe(true);
    expect(isAcpError(error, "connection_closed")).toBe(true);
    const { idempotencyKey } = prompt.params;
    expect(error).toMatchObject({
      kind: "outcome-unknown",
      method: "session/prompt",
      retry: "with-key",
      idempotencyKey,
    });
  });

  test("P-RETRY-05, P-IDEM-03: of a prompt, the error has what was submitted, and consoles do not print it", async () => {
    const { agent, session } = await openDraftSession();
    const content = [{ type: "text" as const, text: "the secret" }];
    const turn = session.prompt(content, { _meta: { "example.com": 1 } });
    await agent.call("session/prompt");
    content.length = 0;
    await agent.close();
    const error = await turn.ended.catch((failure: unknown) => failure);
    const submitted = { prompt: [{ type: "text", text: "the secret" }], _meta: { "example.com": 1 } };
    expect(isOutcomeUnknown(error) && error.submitted).toEqual(submitted);
    expect(inspect(error, { depth: 9 })).not.toContain("the secret");
  });

  test("P-RETRY-05, P-RETRY-02: a prompt whose answer came has a known outcome", async () => {
    const { agent, turn, prompt } = await openDraftTurn();
    agent.update("s-1", echo("u-1"), running);
    agent.answer(prompt, { messageId: "u-1" });
    await settle(agent);
    await agent.close();
    const error = await turn.ended.catch((failure: unknown) => failure);
    expect(isAcpError(error, "connection_closed")).toBe(true);
    expect(isOutcomeUnknown(error)).toBe(false);
  });

  test("P-RETRY-02: an error answer is an answer", async () => {
    const { agent, turn, prompt } = await openDraftTurn();
    agent.refuse(prompt, -32603, "no room");
    expect(await turn.ended).toMatchObject({ stopReason: "error", agentConfirmed: true });
  });

  test("P-RETRY-05: of a request that opens a session, and of one in version 1", async () => {
    const { agent, client } = await openDraft();
    const opening = client.newSession({ cwd: "/work" });
    const listing = client.listSessions()[Symbol.asyncIterator]().next();
    await agent.call("session/list");
    await agent.close();
    expect(await opening.catch((failure: unknown) => failure)).toMatchObject({
      ...{ kind: "outcome-unknown", method: "session/new", retry: "never" },
    });
    expect(await listing.catch((failure: unknown) => failure)).toMatchObject({
      method: "session/list",
      retry: "as-is",
    });
    const one = await openSession();
    const turn = one.session.prompt("hi");
    await one.agent.call("session/prompt");
    one.agent.say("s-1", "I work");
    await settle(one.agent);
    await one.agent.close();
    expect(await turn.ended.catch((failure: unknown) => failure)).toMatchObject({
      retry: "never",
      idempotencyKey: undefined,
    });
  });

  test("P-RETRY-05: a request that was never sent is a plain error", async () => {
    const { agent, client } = await openDraft();
    await agent.close();
    await client.closed;
    const error = await client.newSession({ cwd: "/work" }).catch((failure: unknown) => failure);
    expect(isAcpError(error, "connection_closed")).toBe(true);
    expect(isOutcomeUnknown(error)).toBe(false);
  });
});
