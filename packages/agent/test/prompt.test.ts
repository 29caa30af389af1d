import { setImmediate } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { MAX_WAITING_PROMPTS, RpcError, type StopReason, type Turn } from "../src/index.js";
import { aborted, connect, gate, open } from "./raw-client.js";

const textOf = (turn: Turn) => turn.prompt.map((block) => ("text" in block ? block.text : block.type)).join();

describe("session/prompt", () => {
  test("V1-PROMPT-07 V1-RPC-17: updates precede the answer, in the order of the calls", async () => {
    const { client, sessionId } = await open({
      async prompt(turn) {
        turn.think("hm");
        turn.say("one");
        await setImmediate();
        turn.say({ type: "text", text: "two" });
        turn.plan([{ content: "do", priority: "high", status: "pending" }]);
        turn.session.setTitle("title");
        turn.say("three");
      },
    });
    const prompt = client.prompt(sessionId);
    await client.answer(prompt);
    expect(client.story.slice(2)).toEqual(["hm", "one", "two", "plan", "session_info_update", "three", `#${prompt}`]);
  });

  test("V1-UPD-04 V1-UPD-09: pieces that follow each other are one message, another entry begins a new one", async () => {
    const { client, sessionId } = await open({
      prompt(turn) {
        turn.say("a");
        turn.say("b");
        turn.toolCall({ title: "Look" });
        turn.say("c");
        turn.think("d");
        turn.say("e");
      },
    });
    await client.ask(sessionId);
    await client.ask(sessionId);
    const ids = client.updates("agent_message_chunk").map(({ messageId }) => messageId);
    expect(ids[1]).toBe(ids[0]);
    expect(new Set(ids).size).toBe(6);
  });

  test("V1-UPD-04: another entry begins a new message also where the oldest has to go for it", async () => {
    const said = "x".repeat(5_000);
    const { client, sessionId } = await open(
      {
        async prompt(turn) {
          for (let round = 0; round < 100; round++) {
            await turn.say(said);
            turn.toolCall({ title: "t".repeat(1 + ((round * 7_919) % 5_000)) }).finish();
          }
        },
      },
      { limits: { stateBytes: 20_000 } },
    );
    await client.ask(sessionId);
    const ids = client.updates("agent_message_chunk").map(({ messageId }) => messageId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.each<StopReason>(["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"])(
    "V1-PROMPT-08 V1-PROMPT-09: the handler says %s",
    async (reason) => {
      const { client, sessionId } = await open({ prompt: () => reason });
      expect((await client.ask(sessionId)).result).toEqual({ stopReason: reason });
    },
  );

  test("V1-PROMPT-08: nothing means end_turn", async () => {
    const { client, sessionId } = await open({ prompt: async () => undefined });
    expect((await client.ask(sessionId)).result).toEqual({ stopReason: "end_turn" });
  });

  test("V1-PROMPT-11 V1-RPC-16: failures are errors, after what was said", async () => {
    const errors = [
      new Error("model down"),
      new RpcError(-32042, "Quota.", { left: 0 }),
      RpcError.authRequired(),
      "no error at all",
    ];
    const { client, sessionId } = await open({
      prompt(turn) {
        turn.say(textOf(turn));
        const error = errors[Number(textOf(turn))];
        if (error === undefined) return "error";
        throw error;
      },
    });
    expect((await client.ask(sessionId, "0")).error).toMatchObject({ code: -32603, data: { details: "model down" } });
    expect((await client.ask(sessionId, "1")).error).toEqual({ code: -32042, message: "Quota.", data: { left: 0 } });
    expect((await client.ask(sessionId, "2")).error).toMatchObject({ code: -32000 });
    expect((await client.ask(sessionId, "3")).error).toMatchObject({ code: -32603 });
    expect((await client.ask(sessionId, "4")).error).toMatchObject({ code: -32603 });
    expect(client.text).toBe("01234");
  });

  test.each([
    ["V1-PROMPT-15 an empty prompt", []],
    ["V1-CONT-02 V1-CONT-08 an image that was not offered", [{ type: "image", data: "AA==", mimeType: "image/png" }]],
    ["V1-CONT-08 a resource that was not offered", [{ type: "resource", resource: { uri: "file:///a", text: "a" } }]],
    ["V1-CONT-09 an unknown block", [{ type: "hologram" }]],
    ["V1-CONT-01 a broken block", [{ type: "text" }]],
  ])("%s: -32602, and no handler runs", async (_, prompt) => {
    const handler = vi.fn();
    const { client, sessionId } = await open({ prompt: handler, promptCapabilities: { audio: true } });
    expect(await client.error("session/prompt", { sessionId, prompt })).toMatchObject({ code: -32602 });
    expect(handler).not.toHaveBeenCalled();
  });

  test("V1-CONT-03: audio is taken where it was offered, and nowhere else", async () => {
    const prompt = [{ type: "audio", data: "AA==", mimeType: "audio/wav" }];
    for (const audio of [true, false]) {
      const { client, sessionId } = await open({ promptCapabilities: { audio } });
      const { error } = await client.request("session/prompt", { sessionId, prompt });
      expect(error?.code).toBe(audio ? undefined : -32602);
    }
  });

  test("V1-CONT-07: what an agent says is not bound by what it takes", async () => {
    const { client, sessionId } = await open({
      prompt(turn) {
        turn.say({ type: "image", data: "AA==", mimeType: "image/png" });
        turn.say({ type: "audio", data: "AA==", mimeType: "audio/wav" });
        turn.say({ type: "resource_link", uri: "file:///a", name: "a" });
        turn.say({ type: "resource", resource: { uri: "file:///b", text: "b" } });
      },
    });
    expect((await client.ask(sessionId)).result).toEqual({ stopReason: "end_turn" });
    const types = client.updates("agent_message_chunk").map(({ content }) => content.type);
    expect(types).toEqual(["image", "audio", "resource_link", "resource"]);
  });

  test("V1-PROMPT-03 V1-INIT-13 V1-CONT-04: links are always taken, other blocks where they were offered", async () => {
    const prompt = [
      { type: "resource_link", uri: "file:///a", name: "a" },
      { type: "image", data: "AA==", mimeType: "image/png" },
      { type: "resource", resource: { uri: "file:///b", text: "b" } },
    ];
    let seen: unknown;
    const { client, sessionId } = await open({
      promptCapabilities: { image: true, embeddedContext: true },
      prompt: (turn) => {
        seen = turn.prompt;
      },
    });
    await client.result("session/prompt", { sessionId, prompt });
    expect(seen).toEqual(prompt);
  });

  test("V1-SESS-42: an unknown session is -32002", async () => {
    const { client } = await connect({});
    expect((await client.ask("s-9")).error).toEqual({
      code: -32002,
      message: "Resource not found: s-9",
      data: { sessionId: "s-9" },
    });
  });

  test("V1-PROMPT-12: prompts of one session build on what was said before", async () => {
    const { client, sessionId } = await open({
      prompt(turn) {
        const said = [...turn.session.state.timeline].flatMap((entry) => {
          const blocks = entry.type === "message" ? entry.content.toArray() : [];
          return blocks.map((block) => ("text" in block ? block.text : block.type));
        });
        turn.say(`<${said.join(" ")}>`);
      },
    });
    for (const text of ["one", "two", "three"]) {
      expect((await client.ask(sessionId, text)).result).toEqual({ stopReason: "end_turn" });
    }
    expect(client.updates().at(-1)?.content.text).toBe("<one <one> two <one <one> two> three>");
    expect((await client.ask(await client.newSession(), "one")).result).toEqual({ stopReason: "end_turn" });
    expect(client.updates().at(-1)?.content.text).toBe("<one>");
  });

  test("the agent's own state is what a client would draw", async () => {
    const { client, sessionId } = await open({
      prompt(turn) {
        turn.say("Hello ");
        turn.say("you");
        const types = [...turn.session.state.timeline].map((entry) => entry.type === "message" && entry.role);
        turn.say(`: ${types}, ${turn.session.state.activity.state}`);
      },
    });
    await client.ask(sessionId);
    expect(client.text).toBe("Hello you: user,agent, running");
  });
});

describe("prompts at the same time", () => {
  test("V1-PROMPT-13 V1-RPC-18: those of several sessions run concurrently", async () => {
    const second = gate();
    const { client, sessionId } = await open({
      async prompt(turn) {
        if (textOf(turn) === "first") await second.promise;
        else second.open();
        turn.say(textOf(turn));
      },
    });
    const first = client.prompt(sessionId, "first");
    await client.ask(await client.newSession(), "second");
    await client.answer(first);
    expect(client.text).toBe("secondfirst");
  });

  test("queue: those of one session run one after the other, each answered before the next one speaks", async () => {
    let running = 0;
    const { client, sessionId } = await open({
      async prompt(turn) {
        running += 1;
        turn.say(`${textOf(turn)}${running}`);
        await setImmediate();
        running -= 1;
      },
    });
    const ids = ["a", "b", "c"].map((text) => client.prompt(sessionId, text));
    await client.answer(ids[2]);
    expect(client.story.slice(2)).toEqual(["a1", `#${ids[0]}`, "b1", `#${ids[1]}`, "c1", `#${ids[2]}`]);
  });

  test("queue: so it is when turns end at once, or in error", async () => {
    const { client, sessionId } = await open({
      prompt(turn) {
        turn.say(textOf(turn));
        if (textOf(turn) === "b") throw new Error("no");
      },
    });
    const ids = ["a", "b", "c"].map((text) => client.prompt(sessionId, text));
    await client.answer(ids[2]);
    expect(client.story.slice(2)).toEqual(["a", `#${ids[0]}`, "b", `#${ids[1]}`, "c", `#${ids[2]}`]);
  });

  test(`queue: ${MAX_WAITING_PROMPTS} may wait, one more is refused`, async () => {
    const end = gate();
    const { client, sessionId } = await open({ prompt: () => end.promise });
    const ids = Array.from({ length: MAX_WAITING_PROMPTS + 1 }, () => client.prompt(sessionId));
    expect((await client.ask(sessionId)).error).toMatchObject({ code: -32600 });
    end.open();
    for (const id of ids) expect((await client.answer(id)).result).toEqual({ stopReason: "end_turn" });
    expect((await client.ask(sessionId)).result).toEqual({ stopReason: "end_turn" });
  });

  test("reject: a second prompt is -32600, the first goes on", async () => {
    const end = gate();
    const { client, sessionId } = await open({ whilePrompting: "reject", prompt: () => end.promise });
    const first = client.prompt(sessionId);
    expect((await client.ask(sessionId)).error).toMatchObject({ code: -32600 });
    end.open();
    expect((await client.answer(first)).result).toEqual({ stopReason: "end_turn" });
    expect((await client.ask(sessionId)).result).toEqual({ stopReason: "end_turn" });
  });

  test("replace: a second prompt cancels what runs and what waits", async () => {
    const { client, sessionId } = await open({
      whilePrompting: "replace",
      async prompt(turn) {
        turn.say(textOf(turn));
        if (textOf(turn) !== "c") await aborted(turn.signal);
        turn.say(".");
      },
    });
    const a = client.prompt(sessionId, "a");
    await client.update("agent_message_chunk");
    const b = client.prompt(sessionId, "b");
    const c = client.prompt(sessionId, "c");
    expect((await client.answer(c)).result).toEqual({ stopReason: "end_turn" });
    expect((await client.answer(a)).result).toEqual({ stopReason: "cancelled" });
    expect((await client.answer(b)).result).toEqual({ stopReason: "cancelled" });
    expect(client.text).toBe("a.c.");
  });

  test("replace: a burst leaves only the last", async () => {
    const { client, sessionId } = await open({ whilePrompting: "replace", prompt: (turn) => turn.say(textOf(turn)) });
    const ids = Array.from({ length: 2 * MAX_WAITING_PROMPTS }, (_, n) => client.prompt(sessionId, String(n)));
    const ends = await Promise.all(ids.map(async (id) => (await client.answer(id)).result.stopReason));
    expect(ends.filter((reason) => reason === "cancelled")).toHaveLength(ids.length - 1);
    expect(ends.at(-1)).toBe("end_turn");
    expect(client.text).toBe(String(ids.length - 1));
  });
});
