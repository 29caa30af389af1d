import { describe, expect, test } from "vitest";
import { isAcpError, type Session } from "../src/index.js";
import { echo, idle, openDraftSession, running } from "./draft-agent.js";
import { isSettled, type RawAgent, settle } from "./raw-agent.js";

const users = ({ state }: Session) =>
  [...state.timeline].flatMap((one) => (one.type === "message" && one.role === "user" ? [one] : []));

/** A session with an open prompt of the key `mine`. */
async function openKeyed(options: Parameters<Session["prompt"]>[1] = {}) {
  const opened = await openDraftSession();
  const turn = opened.session.prompt("first", { idempotencyKey: "mine", ...options });
  return { ...opened, turn, prompt: await opened.agent.call("session/prompt") };
}

async function accept(agent: RawAgent, prompt: object) {
  agent.update("s-1", echo("u-1", "first"), running);
  agent.answer(prompt, { messageId: "u-1" });
  await settle(agent);
}

function thrown(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe("a second prompt with the key of an open one", () => {
  test.each(["waits in the agent", "has begun"])(
    "P-IDEM-10, defect K3: with other content is refused, while the first one %s",
    async (when) => {
      const { agent, session, turn, prompt } = await openKeyed();
      if (when === "has begun") await accept(agent, prompt);
      const error = thrown(() => session.prompt("second", { idempotencyKey: "mine" }));
      expect(isAcpError(error, "state")).toBe(true);
      expect(String(error)).toContain('"mine"');
      expect(await isSettled(turn.ended)).toBe(false);
      expect(agent.count("session/prompt")).toBe(1);
      expect(users(session)).toHaveLength(1);
    },
  );

  test("P-IDEM-10: with the same content in another form is the same prompt", async () => {
    const { session } = await openDraftSession();
    const resource = { uri: "file:///a", text: "a" };
    const open = session.prompt([{ type: "resource", resource }], { idempotencyKey: "mine" });
    const again = { annotations: undefined, resource: { text: "a", uri: "file:///a" }, type: "resource" } as const;
    expect(session.prompt([again as never], { idempotencyKey: "mine", _meta: { "example.com": 1 } })).toBe(open);
    const pieces = [
      { type: "text" as const, text: "a" },
      { type: "text" as const, text: "b" },
    ];
    session.prompt(pieces, { idempotencyKey: "other" });
    expect(thrown(() => session.prompt("ab", { idempotencyKey: "other" }))).toMatchObject({ code: "state" });
  });

  test("P-IDEM-08, defect K3: does not cancel the turn of the first one with its signal", async () => {
    const { agent, session, turn } = await openKeyed();
    const second = new AbortController();
    expect(session.prompt("first", { idempotencyKey: "mine", signal: second.signal })).toBe(turn);
    second.abort();
    await settle(agent);
    expect(agent.count("session/cancel") + agent.count("$/cancel_request")).toBe(0);
    expect(await isSettled(turn.ended)).toBe(false);
    expect(session.prompt("first", { idempotencyKey: "mine", signal: second.signal })).toBe(turn);
  });

  test("P-IDEM-08: leaves the turn to the signal of the first one", async () => {
    const first = new AbortController();
    const { agent, session } = await openKeyed({ signal: first.signal });
    session.prompt("first", { idempotencyKey: "mine" });
    first.abort();
    await agent.call("session/cancel");
  });

  test("P-IDEM-12, defect K3: is no error although no further prompt may wait", async () => {
    const { session, turn } = await openKeyed();
    for (let more = 1; more < 100; more += 1) session.prompt("more");
    expect(thrown(() => session.prompt("more"))).toMatchObject({ code: "too_many_requests" });
    expect(session.prompt("first", { idempotencyKey: "mine" })).toBe(turn);
  });

  test("P-IDEM-14, defect K3: is the open one, however many prompts followed it", async () => {
    const { agent, session, turn, prompt } = await openKeyed();
    await accept(agent, prompt);
    for (let more = 0; more < 120; more += 1) {
      session.prompt("more");
      agent.answer(await agent.call("session/prompt"), { messageId: `m-${more}` });
      await settle(agent);
    }
    expect(session.prompt("first", { idempotencyKey: "mine" })).toBe(turn);
  });
});

describe("a prompt with the key of a refused one", () => {
  test("P-IDEM-07, P-IDEM-14, defect K3: is shown with its own content, because the error answer released the key", async () => {
    const { agent, session, turn, prompt } = await openKeyed();
    agent.refuse(prompt, -32603, "no room");
    await turn.ended;
    const again = session.prompt("second", { idempotencyKey: "mine" });
    const sent = await agent.call("session/prompt");
    expect(sent.params.prompt).toEqual([{ type: "text", text: "second" }]);
    expect(users(session).map(({ content }) => content.toArray())).toEqual([[{ type: "text", text: "second" }]]);
    agent.update("s-1", echo("u-1", "second"), running);
    agent.answer(sent, { messageId: "u-1" });
    agent.update("s-1", idle("end_turn"));
    await again.ended;
    expect(users(session)).toMatchObject([{ messageId: "u-1", prompt: { status: "accepted" } }]);
  });
});

describe("a prompt with the key of an accepted one", () => {
  test.each(["is refused", "has no answer"])(
    "P-IDEM-10, defect K3: leaves the first one accepted if it %s",
    async (end) => {
      const { agent, session, turn, prompt } = await openKeyed();
      await accept(agent, prompt);
      agent.update("s-1", idle("end_turn"));
      await turn.ended;
      const again = session.prompt("second", { idempotencyKey: "mine" });
      const sent = await agent.call("session/prompt");
      if (end === "is refused") agent.refuse(sent, -32602, "the key belongs to another prompt");
      else await agent.close();
      const outcome = await again.ended.catch((error: unknown) => error);
      expect(outcome).toMatchObject(end === "is refused" ? { stopReason: "error" } : { kind: "outcome-unknown" });
      expect(users(session)).toMatchObject([{ messageId: "u-1", prompt: { status: "accepted" } }]);
    },
  );
});

test("defect K3: a prompt is cancelled by a signal that aborts while the prompt is published", async () => {
  const { agent, session } = await openDraftSession();
  const stop = new AbortController();
  session.subscribe(() => stop.abort());
  session.prompt("hi", { signal: stop.signal });
  await settle(agent);
  expect(agent.count("session/prompt")).toBe(1);
  expect(agent.count("session/cancel")).toBe(1);
});
