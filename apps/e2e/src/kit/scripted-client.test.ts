import { type AgentHandlers, createAgent, defaultPermissionOptions } from "@turnkit/agent";
import * as v1 from "@turnkit/schema/v1";
import * as v2 from "@turnkit/schema/v2";
import { type ClientStep, connectPair, createScriptedClient, type Dialect, installManualClock } from "@turnkit/testing";
import { expect, test } from "vitest";

const info = { name: "under-test", version: "1.0.0" };
const dialects = ["v1", "v2", "seed"] as const;

/** Our agent, and a scripted client at its other end. */
const open = (handlers: Partial<AgentHandlers>, dialect: Dialect, steps: readonly ClientStep[]) =>
  connectPair({
    agent: (channel) => createAgent({ info, newSession() {}, prompt() {}, ...handlers }).serve(channel),
    client: (channel) => createScriptedClient(channel, { dialect, steps }),
  });

const asking: Partial<AgentHandlers> = {
  async prompt(turn) {
    turn.say("May ");
    const allowed = await turn.ask({ title: "May I?", options: defaultPermissionOptions });
    turn.say(allowed ? "yes" : "no");
  },
};

test.each(dialects)("our agent talks to a scripted client in %s", async (dialect) => {
  await using pair = await open(asking, dialect, [
    { hello: {} },
    { open: {} },
    { prompt: "Hi", during: [{ permit: "allow_once" }], says: "May yes" },
    { prompt: "Again", during: [{ permit: "reject_once" }], says: "May no", ends: "end_turn" },
  ]);
  await pair.client.done;
  pair.transcript.expectNever({ kind: "error" });
  pair.transcript.expectInOrder("client: initialize", "client: session/prompt", "agent: session/request_permission");
});

test("both sides of a scripted conversation keep to the schemas", async () => {
  for (const [dialect, contract] of [
    ["v1", v1.contract],
    ["v2", v2.contract],
  ] as const) {
    const steps: ClientStep[] = [{ hello: {} }, { open: {} }, { prompt: "Hi", during: [{ permit: "allow_once" }] }];
    await using pair = await open(asking, dialect, steps);
    await pair.client.done;
    pair.transcript.expectValid(contract);
  }
});

test.each(dialects)("a cancel ends the turn, in %s", async (dialect) => {
  const waiting: Partial<AgentHandlers> = {
    async prompt(turn) {
      turn.say("waiting");
      await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
    },
  };
  const during = [{ update: { sessionUpdate: "agent_message_chunk" } }, { cancel: true }] as const;
  await using pair = await open(waiting, dialect, [
    { hello: {} },
    { open: {} },
    { prompt: "Hi", during, ends: "cancelled" },
  ]);
  await pair.client.done;
});

test("a handler that ignores the cancel is ended after the grace, and the test does not wait for it", async () => {
  using clock = installManualClock();
  const deaf: Partial<AgentHandlers> = {
    prompt(turn) {
      turn.say("deaf");
      return new Promise<never>(() => {});
    },
  };
  await using pair = await open(deaf, "v1", [
    { hello: {} },
    { open: {} },
    { prompt: "Hi", during: [{ update: { content: { text: "deaf" } } }, { cancel: true }], ends: "cancelled" },
  ]);
  await pair.transcript.when("client: session/cancel");
  await clock.advance(9_999);
  pair.transcript.expectNever("agent: result of session/prompt");
  await clock.advance(1);
  await pair.client.done;
});

test("an agent that does otherwise is found out", async () => {
  await using pair = await open({ prompt: (turn) => void turn.say("Good day") }, "v2", [
    { hello: {} },
    { open: {} },
    { prompt: "Hi", says: "Hello" },
  ]);
  await expect(pair.client.done).rejects.toThrow('what the agent said: expected "Hello", got "Good day"');
});
