import { createAgentWith, v1Dialect } from "@turnkit/agent";
import type { SessionState } from "@turnkit/session";
import { expect, it } from "vitest";
import { attach, clientOf, gatewayOf } from "./attached-clients.js";
import { RawClient } from "./raw-client.js";

const messagesOf = (state: SessionState): string[] =>
  [...state.timeline].flatMap((entry) => {
    if (entry.type !== "message") return [];
    const author = (entry._meta ?? entry.chunkMeta)?.["turnkit.author"];
    const text = entry.content.toArray().map((block) => ("text" in block ? block.text : ""));
    return `${entry.role}${author ? ` (${author})` : ""}: ${text.join("")}`;
  });

const text = (words: string) => [{ type: "text", text: words }];

/** Gateway in front of an agent of all versions, or of version 1 alone. */
const behind = (version: string, handlers: Parameters<typeof gatewayOf>[0]) =>
  gatewayOf(handlers, {}, version === "v1" ? (all) => createAgentWith([v1Dialect], all) : undefined);

it.each(["v1", "v2"])(
  "SHARE-07 prompts of several clients run one after the other, each with its author (agent of %s)",
  async (version) => {
    const { gateway } = behind(version, {
      async prompt(turn) {
        await turn.say(`To ${(turn.prompt[0] as { text: string }).text}.`);
      },
    });
    const one = await (await clientOf(gateway, "v2", { id: "a", name: "Ann" })).newSession({ cwd: "/work" });
    const two = await attach(await clientOf(gateway, "v1", { id: "b", name: "Bob" }), one.id);
    const three = await attach(await clientOf(gateway, "seed", { id: "c" }), one.id);
    const ends = [one.prompt("one"), two.prompt("two"), three.prompt("three"), one.prompt("four")].map(
      (turn) => turn.ended,
    );
    expect((await Promise.all(ends)).map(({ stopReason }) => stopReason)).toEqual(Array(4).fill("end_turn"));
    const heard = messagesOf(one.state).filter((message) => message.startsWith("agent"));
    expect(heard.sort()).toEqual(["agent: To four.", "agent: To one.", "agent: To three.", "agent: To two."]);
    const said = messagesOf(one.state).filter((message) => message.startsWith("user"));
    expect(said.sort()).toEqual(["user (Ann): four", "user (Ann): one", "user (Bob): two", "user: three"]);
    // A client of version 1 shows its own prompt itself, and gets those of the others.
    await expect.poll(() => messagesOf(two.state).filter((message) => message.startsWith("user")).length).toBe(4);
  },
);

it.each([1, 2] as const)(
  "SHARE-04 SHARE-07 the client of version %i that sent a prompt sees it once",
  async (version) => {
    const { gateway } = behind("v2", { prompt: (turn) => turn.say("Heard.") });
    const session = await (await clientOf(gateway, "v2")).newSession({ cwd: "/work" });
    const raw = new RawClient(gateway.open({ id: "raw", group: "all", name: "Raw" }));
    await raw.initialize(version);
    await raw.request(version === 1 ? "session/load" : "session/resume", {
      sessionId: session.id,
      cwd: "/work",
      mcpServers: [],
    });
    await raw.request("session/prompt", { sessionId: session.id, prompt: text("Hello") });
    await raw.next((frame) => JSON.stringify(frame).includes("Heard."));
    const shown = raw.updates.filter(({ sessionUpdate }) => String(sessionUpdate).startsWith("user_message"));
    expect(shown).toHaveLength(version === 1 ? 0 : 1);
    await expect.poll(() => messagesOf(session.state)).toContain("user (Raw): Hello");
  },
);

it("SHARE-07 P-IDEM-07 a prompt that is sent again with its key runs once, on any connection", async () => {
  let ran = 0;
  const { gateway } = behind("v1", {
    prompt: () => {
      ran += 1;
    },
  });
  const session = await (await clientOf(gateway, "v2")).newSession({ cwd: "/work" });
  const answers = [];
  for (const id of ["a", "b"]) {
    const raw = new RawClient(gateway.open({ id, group: "all" }));
    await raw.initialize(2);
    await raw.request("session/resume", { sessionId: session.id, cwd: "/work" });
    const prompt = { sessionId: session.id, prompt: text("Once"), idempotencyKey: "key-1" };
    answers.push((await raw.request("session/prompt", prompt)).result.messageId);
    const other = await raw.request("session/prompt", { ...prompt, prompt: text("Other") });
    expect(other.error).toMatchObject({ code: -32602, data: { reason: "key_reused" } });
  }
  expect(answers[1]).toBe(answers[0]);
  expect(ran).toBe(1);
});

it.each(["v1", "v2"] as const)(
  "SHARE-07 a cancel of one client ends the turn of another (client of %s)",
  async (dialect) => {
    const { gateway } = behind("v2", {
      async prompt(turn) {
        if (!turn.signal.aborted) await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
      },
    });
    const one = await (await clientOf(gateway, dialect)).newSession({ cwd: "/work" });
    const two = await attach(await clientOf(gateway, "v2"), one.id);
    const turn = one.prompt("Go");
    const waiting = one.prompt("Then");
    await expect.poll(() => two.state.activity.state).toBe("running");
    await two.cancel();
    expect(await turn.ended).toMatchObject({ stopReason: "cancelled" });
    // A client of version 1 holds its second prompt itself, and sends it now.
    if (dialect === "v1") await waiting.cancel();
    expect(await waiting.ended).toMatchObject({ stopReason: "cancelled" });
  },
);

it("SHARE-07 a failed turn is told to everybody, and answered with its error", async () => {
  const { gateway } = behind("v2", {
    prompt() {
      throw new Error("broken");
    },
  });
  const one = await (await clientOf(gateway, "v1")).newSession({ cwd: "/work" });
  const two = await attach(await clientOf(gateway, "v2"), one.id);
  expect(await one.prompt("Go").ended).toMatchObject({ stopReason: "error", error: { code: -32603 } });
  await expect.poll(() => two.state.activity.error?.code).toBe(-32603);
  expect(two.state.activity.state).toBe("idle");
});

it("an option that one client sets is told to the others", async () => {
  const options = [
    { value: "a", name: "A" },
    { value: "b", name: "B" },
  ];
  const mode = { configId: "mode", name: "Mode", category: "mode", type: "select", currentValue: "a", options };
  const { gateway } = behind("v1", { newSession: () => ({ configOptions: [mode as never] }), prompt: () => undefined });
  const one = await (await clientOf(gateway, "v1")).newSession({ cwd: "/work" });
  const two = await attach(await clientOf(gateway, "v2"), one.id);
  const optionOf = (state: SessionState) =>
    (state.configOptions?.[0] as { currentValue?: unknown } | undefined)?.currentValue;
  expect(optionOf(two.state)).toBe("a");
  await one.setConfigOption("mode", "b");
  await expect.poll(() => optionOf(two.state)).toBe("b");
  await two.setConfigOption("mode", "a");
  await expect.poll(() => optionOf(one.state)).toBe("a");
  const three = await attach(await clientOf(gateway, "seed"), one.id);
  expect(optionOf(three.state)).toBe("a");
});
