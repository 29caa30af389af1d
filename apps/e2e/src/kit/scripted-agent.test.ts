import { allowOnce, connectWith } from "@turnkit/client";
import * as v1 from "@turnkit/schema/v1";
import * as v2 from "@turnkit/schema/v2";
import { type AgentStep, connectPair, createScriptedAgent, type Dialect, installManualClock } from "@turnkit/testing";
import { expect, test } from "vitest";
import { only } from "./only.js";

const info = { name: "under-test", version: "1.0.0" };
const dialects = ["v1", "v2", "seed"] as const;

/** Our client, and a scripted agent at its other end. */
const open = (dialect: Dialect, steps: readonly AgentStep[]) =>
  connectPair({
    agent: (channel) => createScriptedAgent(channel, { dialect, steps }),
    client: (channel) =>
      connectWith(only(dialect), channel, {
        info,
        permissions: allowOnce,
      }),
  });

/** Joins the text of the messages in the open session. */
const textOf = (events: readonly { type: string; content?: any }[]) =>
  events.flatMap(({ type, content }) => (type === "agent_message_chunk" ? [content.text] : [])).join("");

test.each(dialects)("our client talks to a scripted agent in %s", async (dialect) => {
  await using pair = await open(dialect, [
    { turn: [{ say: ["Hel", "lo"] }, { ask: "May I?", outcome: { outcome: "selected", optionId: "yes" } }] },
    { turn: [{ think: "no" }], prompt: [{ text: "More" }], stopReason: "refusal" },
  ]);
  const events: { type: string }[] = [];
  await pair.agent.during(async () => {
    const session = await pair.client.newSession({ cwd: "/work" }, (event) => void events.push(event));
    expect(await session.prompt("Hi").ended).toMatchObject({ stopReason: "end_turn", agentConfirmed: true });
    expect(await session.prompt("More").ended).toMatchObject({ stopReason: "refusal", agentConfirmed: true });
  });
  expect(textOf(events)).toBe("Hello");
  expect(pair.client.peer.dialect).toBe(dialect);
  pair.transcript.expectInOrder(
    "client: initialize",
    "agent: result of session/new",
    "client: session/prompt",
    "agent: session/update agent_message_chunk",
    "agent: session/request_permission",
    "client: result of session/request_permission",
    "client: session/prompt",
  );
});

test("both sides of a scripted conversation keep to the schemas", async () => {
  for (const [dialect, contract] of [
    ["v1", v1.contract],
    ["v2", v2.contract],
  ] as const) {
    await using pair = await open(dialect, [{ turn: [{ say: "Hello" }, { think: "hm" }, { ask: "May I?" }] }]);
    await pair.agent.during(async () => (await pair.client.newSession({ cwd: "/work" })).prompt("Hi").ended);
    pair.transcript.expectValid(contract);
  }
});

test.each(dialects)("an agent that dies in the middle of a turn fails it, in %s", async (dialect) => {
  await using pair = await open(dialect, [{ turn: [{ say: "I " }, { die: true }] }]);
  const session = await pair.client.newSession({ cwd: "/work" });
  const end = session.prompt("Hi").ended;
  expect(
    await end.then(
      ({ agentConfirmed }) => agentConfirmed,
      () => "rejected",
    ),
  ).not.toBe(true);
  await pair.agent.done;
  expect((await pair.client.closed).kind).toBe("remote");
});

test("an agent that took a prompt of version 2 and says nothing more: the grace passes without a wait", async () => {
  using clock = installManualClock();
  await using pair = await open("v2", [
    { expect: "session/prompt" },
    { answer: { messageId: "u-1" } },
    { silent: true },
  ]);
  const session = await pair.client.newSession({ cwd: "/work" });
  const { ended } = session.prompt("Hi");
  await pair.agent.done;
  await clock.advance(2_999);
  expect(session.state.activity.state).toBe("idle");
  await clock.advance(1);
  expect(await ended).toMatchObject({ agentConfirmed: false });
});

test("a script that our client does not follow says so", async () => {
  await using pair = await open("v1", [{ turn: [], prompt: [{ type: "text", text: "Bye" }] }]);
  const talk = pair.agent.during(async () => (await pair.client.newSession({ cwd: "/work" })).prompt("Hi").ended);
  await expect(talk).rejects.toMatchObject({
    code: "mismatch",
    message: expect.stringContaining('params.prompt.0.text: expected "Bye", got "Hi"'),
  });
});
