import { setImmediate } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  type AgentHandlers,
  defaultPermissionOptions,
  RpcError,
  type ServeOptions,
  type Turn,
} from "../../src/index.js";
import { aborted, type Frame, gate, openAs, type RawClient, v2Hello } from "../raw-client.js";

afterEach(() => {
  vi.useRealTimers();
});

const open = (handlers: Partial<AgentHandlers>, options: ServeOptions = {}) => openAs(v2Hello, handlers, options);

const textOf = (turn: Turn) => turn.prompt.map((block) => ("text" in block ? block.text : block.type)).join();
const states = (client: RawClient): Frame[] => client.updates("state_update").map(({ sessionUpdate, ...rest }) => rest);
const idle = async (client: RawClient, n = 0): Promise<Frame> => {
  const nth = () => client.updates("state_update").filter(({ state }) => state === "idle")[n];
  return (await client.next((frame) => frame.params?.update !== undefined && frame.params.update === nth())).params
    .update;
};

describe("session/prompt of version 2", () => {
  test("V2-PRM-02 V2-PRM-03 V2-PRM-04 V2-PRM-11 V2-UPD-30: echo, running, answer, output, idle", async () => {
    const { client, sessionId } = await open({ prompt: (turn) => turn.say("Forty") });
    const id = client.prompt(sessionId, "Count");
    expect(await idle(client)).toEqual({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" });
    expect(client.story.slice(2)).toEqual(["user_message", "state_update", `#${id}`, "Forty", "state_update"]);
    const [echo] = client.updates("user_message");
    expect(echo).toMatchObject({ content: [{ type: "text", text: "Count" }] });
    expect((await client.answer(id)).result).toEqual({ messageId: echo?.messageId });
    expect(states(client)).toEqual([{ state: "running" }, { state: "idle", stopReason: "end_turn" }]);
  });

  test("V2-PRM-04 V2-CAN-02: a cancel at any moment: the end follows the answer", async () => {
    for (let ticks = 0; ticks < 40; ticks++) {
      const { client, sessionId } = await open({ prompt: (turn) => aborted(turn.signal) });
      const first = client.prompt(sessionId, "first");
      const second = client.prompt(sessionId, "second");
      await client.answer(first);
      client.cancel(sessionId);
      const third = client.prompt(sessionId, "third");
      for (let tick = 0; tick < ticks; tick++) await undefined;
      client.cancel(sessionId);
      for (const id of [second, third]) await client.answer(id);
      const idles = client.updates("state_update").filter(({ state }) => state === "running").length;
      await idle(client, idles - 1);
      const { story } = client;
      if ((await client.answer(third)).result === undefined) continue;
      expect(story.lastIndexOf("state_update"), `after ${ticks} microtasks`).toBeGreaterThan(
        story.indexOf(`#${third}`),
      );
    }
  });

  test("V2-PRM-14 V2-PRM-13: the handler's reason, custom ones too", async () => {
    const reasons = ["max_tokens", "refusal", "_budget_spent", "error"] as const;
    const { client, sessionId } = await open({ prompt: (turn) => reasons[Number(textOf(turn))] as "refusal" });
    for (const [n, stopReason] of reasons.entries()) {
      client.prompt(sessionId, String(n));
      expect(await idle(client, n)).toMatchObject({ stopReason });
    }
  });

  test("V2-PRM-05 V2-PRM-15: a failure after the insertion is an idle with the error", async () => {
    const errors = [new RpcError(-32042, "Quota.", { left: 0 }), new Error("down")];
    const { client, sessionId } = await open({
      prompt(turn) {
        turn.say(textOf(turn));
        throw errors[Number(textOf(turn))];
      },
    });
    expect((await client.ask(sessionId, "0")).result).toHaveProperty("messageId");
    expect(await idle(client)).toMatchObject({
      stopReason: "error",
      error: { code: -32042, message: "Quota.", data: { left: 0 } },
    });
    expect((await client.ask(sessionId, "1")).result).toHaveProperty("messageId");
    expect(await idle(client, 1)).toMatchObject({
      stopReason: "error",
      error: { code: -32603, data: { details: "down" } },
    });
  });

  test.each<[string, Frame[]]>([
    ["V2-PRM-08 an empty prompt", []],
    ["V2-PRM-09 an image that was not offered", [{ type: "image", data: "AA==", mimeType: "image/png" }]],
    ["V2-PRM-09 an unknown block", [{ type: "hologram" }]],
  ])("%s: -32602, not inserted", async (_, prompt) => {
    const { client, sessionId } = await open({});
    expect(await client.error("session/prompt", { sessionId, prompt })).toMatchObject({ code: -32602 });
    expect(client.updates()).toEqual([]);
  });

  test("V2-SES-24: an unknown session is -32002", async () => {
    const { client } = await open({});
    expect((await client.ask("s-9")).error).toMatchObject({ code: -32002, data: { sessionId: "s-9" } });
  });

  test("V2-PRM-06: held prompts are inserted in order, each when the turn before it is over", async () => {
    const end = gate();
    const { client, sessionId } = await open({
      async prompt(turn) {
        await end.promise;
        turn.say(textOf(turn));
      },
    });
    const ids = ["a", "b", "c"].map((text) => client.prompt(sessionId, text));
    await client.answer(ids[0]);
    await setImmediate();
    expect(client.received.some(({ id }) => id === ids[1])).toBe(false);
    end.open();
    await idle(client, 2);
    expect(client.updates("user_message").map(({ content }) => content[0].text)).toEqual(["a", "b", "c"]);
    expect(client.text).toBe("abc");
    expect(states(client).map(({ state }) => state)).toEqual(["running", "idle", "running", "idle", "running", "idle"]);
  });

  test("the agent's own state is what a client would draw", async () => {
    const seen: unknown[] = [];
    const { client, sessionId } = await open({
      prompt({ session }) {
        seen.push(
          session.state.activity.state,
          [...session.state.timeline].map(({ type }) => type),
        );
      },
    });
    client.prompt(sessionId);
    await idle(client);
    expect(seen).toEqual(["running", ["message"]]);
  });
});

describe("cancelling in version 2", () => {
  test("V2-CAN-03 V2-PRM-16: last updates, then one idle as cancelled; what the abort throws is no error", async () => {
    const { client, sessionId } = await open({
      async prompt(turn) {
        await aborted(turn.signal);
        await setImmediate();
        turn.say("last words");
        throw turn.signal.reason;
      },
    });
    const id = client.prompt(sessionId);
    await client.answer(id);
    client.cancel(sessionId);
    expect(await idle(client)).toMatchObject({ stopReason: "cancelled" });
    expect(client.story.slice(-2)).toEqual(["last words", "state_update"]);
    client.cancel(sessionId);
    await client.newSession();
    expect(states(client)).toHaveLength(2);
  });

  test("V2-PRM-07: held prompts end with -32800, one that comes after the cancel runs", async () => {
    const { client, sessionId } = await open({
      async prompt(turn) {
        if (textOf(turn) === "a") await aborted(turn.signal);
        turn.say(textOf(turn));
      },
    });
    const a = client.prompt(sessionId, "a");
    await client.answer(a);
    const b = client.prompt(sessionId, "b");
    client.cancel(sessionId);
    const c = client.prompt(sessionId, "c");
    expect((await client.answer(b)).error).toMatchObject({ code: -32800 });
    expect((await client.answer(c)).result).toHaveProperty("messageId");
    await idle(client, 1);
    expect(client.updates("user_message").map(({ content }) => content[0].text)).toEqual(["a", "c"]);
    expect(client.text).toBe("ac");
  });

  test("V2-PRM-07: a cancel in the same write as the prompt: not inserted", async () => {
    const handler = vi.fn();
    const { client, sessionId } = await open({ prompt: handler });
    client.send(
      { id: "p", method: "session/prompt", params: { sessionId, prompt: [{ type: "text", text: "hi" }] } },
      { method: "session/cancel", params: { sessionId } },
    );
    expect((await client.answer("p")).error).toMatchObject({ code: -32800 });
    expect(handler).not.toHaveBeenCalled();
    expect(client.updates()).toEqual([]);
  });

  test("V2-PRM-07 V2-CAN-08: $/cancel_request withdraws a held prompt and leaves an inserted one", async () => {
    const end = gate();
    const { client, sessionId } = await open({ prompt: () => end.promise });
    const a = client.prompt(sessionId, "a");
    await client.answer(a);
    const b = client.prompt(sessionId, "b");
    client.notify("$/cancel_request", { requestId: b });
    client.notify("$/cancel_request", { requestId: a });
    expect((await client.answer(b)).error).toMatchObject({ code: -32800 });
    end.open();
    expect(await idle(client)).toMatchObject({ stopReason: "end_turn" });
    expect(client.updates("user_message")).toHaveLength(1);
  });

  test("V2-CAN-02 V2-PERM-11: questions are withdrawn, as not granted", async () => {
    const answers: unknown[] = [];
    const { client, sessionId } = await open({
      async prompt(turn) {
        answers.push(await turn.requestPermission({ title: "Go?", options: defaultPermissionOptions }));
      },
    });
    client.prompt(sessionId);
    const question = await client.call("session/request_permission");
    client.cancel(sessionId);
    expect(await client.call("$/cancel_request")).toMatchObject({ params: { requestId: question.id } });
    client.reply(question, { outcome: { outcome: "cancelled" } });
    expect(await idle(client)).toMatchObject({ stopReason: "cancelled" });
    expect(answers).toEqual([{ allowed: false }]);
    expect(states(client).map(({ state }) => state)).toEqual(["running", "requires_action", "idle"]);
  });

  test("V2-CAN-04: answers that come after a cancel is complete count for nothing", async () => {
    const answers: unknown[] = [];
    const { client, sessionId, diagnostics } = await open({
      async prompt(turn) {
        if (textOf(turn) === "next") return;
        const form = { type: "object", properties: {} } as const;
        const both = [
          turn.requestPermission({ title: "Go?", options: defaultPermissionOptions }),
          turn.elicit({ mode: "form", message: "Which?", requestedSchema: form }),
        ];
        answers.push(...(await Promise.all(both)));
      },
    });
    client.prompt(sessionId);
    const permission = await client.call("session/request_permission");
    const elicitation = await client.call("elicitation/create");
    client.cancel(sessionId);
    expect(await idle(client)).toMatchObject({ stopReason: "cancelled" });
    const before = client.received.length;
    client.reply(permission, { outcome: { outcome: "selected", optionId: "allow_once" } });
    client.reply(elicitation, { action: "accept", content: {} });
    client.prompt(sessionId, "next");
    expect(await idle(client, 1)).toMatchObject({ stopReason: "end_turn" });
    expect(answers).toEqual([{ allowed: false }, { action: "cancel" }]);
    expect(client.story.slice(before)).toHaveLength(4);
    expect(diagnostics).toEqual([]);
  });

  test("a turn that does not end is ended after the grace, and muted", async () => {
    const reported = gate();
    const said = gate();
    const { client, sessionId } = await open(
      {
        async prompt(turn) {
          turn.say("begun");
          await reported.promise;
          turn.say("too late");
          said.open();
        },
      },
      { cancelGraceMs: 10 },
    );
    client.prompt(sessionId, "a");
    await client.update("agent_message_chunk");
    client.cancel(sessionId);
    expect(await idle(client)).toMatchObject({ stopReason: "cancelled" });
    reported.open();
    await said.promise;
    // Its answer comes behind whatever the turn may have sent.
    await client.request("session/list", {});
    expect(client.text).toBe("begun");
  });
});

describe("the end of a version 2 connection", () => {
  test("its death ends turns and closes sessions, once", async () => {
    const closed: string[] = [];
    const ended = gate();
    const { client, served, sessionId } = await open({
      async prompt(turn) {
        await aborted(turn.signal);
        turn.say("to nobody");
        ended.open();
      },
      closeSession: ({ id }) => void closed.push(id),
    });
    await client.ask(sessionId);
    client.prompt(sessionId, "held");
    await client.close();
    await ended.promise;
    await served.closed;
    expect(closed).toEqual([sessionId]);
  });

  test("a prompt that came with the death is never begun", async () => {
    const handler = vi.fn();
    const { client, served, sessionId } = await open({ prompt: handler });
    client.prompt(sessionId);
    await client.close();
    await served.closed;
    expect(handler).not.toHaveBeenCalled();
  });

  test("close cancels turns and tells their ends", async () => {
    const { client, served, sessionId } = await open({ prompt: (turn) => aborted(turn.signal) });
    await client.ask(sessionId);
    const held = client.prompt(sessionId, "held");
    await setImmediate();
    await served.close();
    expect((await client.answer(held)).error).toMatchObject({ code: -32800 });
    expect(await idle(client)).toMatchObject({ stopReason: "cancelled" });
  });

  test("V2-BRG-03: older clients are not told of background work, and the agent hears of it", async () => {
    const lost: unknown[] = [];
    const { client, sessionId } = await openAs(
      { protocolVersion: 1 },
      { prompt: (turn) => turn.session.setBackground([]) },
      { onLoss: ({ id, to }, about) => void lost.push([id, to, about]) },
    );
    await client.ask(sessionId);
    expect(lost).toEqual([["state", "v1", sessionId]]);
    expect(client.updates()).toEqual([]);
  });
});

describe("waiting for the user", () => {
  test("V2-PRM-12 V2-PERM-01 V2-PERM-04: requires_action while questions are open, and running after the last", async () => {
    const { client, sessionId } = await open({
      async prompt(turn) {
        const call = turn.toolCall({
          title: "Edit",
          kind: "edit",
          rawInput: { path: "/a" },
          locations: [{ path: "/a" }],
        });
        await Promise.all([
          call.requestPermission(),
          turn.requestPermission({ title: "Two?", options: defaultPermissionOptions }),
        ]);
        turn.say("on");
      },
    });
    client.prompt(sessionId);
    const first = await client.call("session/request_permission");
    const second = await client.call("session/request_permission", 1);
    const { toolCallId } = await client.update("tool_call_update");
    expect(first.params).toEqual({
      sessionId,
      title: "Edit",
      options: defaultPermissionOptions,
      subject: {
        type: "tool_call",
        toolCall: {
          toolCallId,
          title: "Edit",
          kind: "edit",
          status: "pending",
          rawInput: { path: "/a" },
          locations: [{ path: "/a" }],
        },
      },
    });
    expect(second.params).toEqual({ sessionId, title: "Two?", options: defaultPermissionOptions });
    client.reply(first, { outcome: { outcome: "selected", optionId: "allow_once" } });
    await setImmediate();
    expect(states(client).map(({ state }) => state)).toEqual(["running", "requires_action"]);
    client.reply(second, { outcome: { outcome: "new" } });
    await idle(client);
    expect(states(client).map(({ state }) => state)).toEqual(["running", "requires_action", "running", "idle"]);
  });

  test.each<[string, Frame, boolean]>([
    ["V2-PERM-08 selected", { outcome: { outcome: "selected", optionId: "allow_once" } }, true],
    ["V2-PERM-09 not offered", { outcome: { outcome: "selected", optionId: "x" } }, false],
    ["V2-PERM-09 unknown", { outcome: { outcome: "approved", optionId: "allow_once" } }, false],
    ["V2-PERM-10 cancelled", { outcome: { outcome: "cancelled" } }, false],
    ["V2-PERM-09 malformed", {}, false],
  ])("%s", async (_, reply, granted) => {
    const seen: boolean[] = [];
    const { client, sessionId } = await open({
      async prompt(turn) {
        seen.push((await turn.requestPermission({ title: "Go?", options: defaultPermissionOptions })).allowed);
      },
    });
    client.prompt(sessionId);
    client.reply(await client.call("session/request_permission"), reply);
    await idle(client);
    expect(seen).toEqual([granted]);
  });
});
