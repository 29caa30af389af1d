import type { Session } from "@turnkit/client";
import { describe, expect, test } from "vitest";
import { type TurnControl, useTurn } from "../src/index.js";
import { newSession, openSession, openV2 } from "./conversation.js";
import { drawnAfter, mount } from "./mounted.js";

/** A mounted component with the hook, and its newest result. */
async function mountTurn(session: Session, options = {}) {
  const seen: TurnControl[] = [];
  const Shown = ({ session }: { session: Session }) => {
    seen.push(useTurn(session));
    return seen.at(-1)?.status;
  };
  const mounted = await mount(Shown, { session }, options);
  return { ...mounted, seen, now: () => seen.at(-1) as TurnControl };
}

describe("a turn", () => {
  test("is sent, works, asks and ends; its functions stay the same", async () => {
    const { agent, session } = await openSession();
    const { text, now } = await mountTurn(session);
    const first = now();
    expect(text()).toBe("ready");
    await drawnAfter(() => void now().send("Hi"));
    const prompt = await agent.call("session/prompt");
    expect(text()).toBe("working");
    await agent.ask("q");
    expect(text()).toBe("asking");
    await drawnAfter(() =>
      session.answer(session.state.pendingPermissions[0]?.requestId ?? "", { outcome: "cancelled" }),
    );
    expect(text()).toBe("working");
    await agent.answer(prompt, { stopReason: "end_turn" });
    expect(now()).toMatchObject({ status: "ready", end: { stopReason: "end_turn" }, error: undefined });
    expect([now().send, now().cancel]).toEqual([first.send, first.cancel]);
  });

  test("pieces of an answer draw nothing", async () => {
    const { agent, session } = await openSession();
    const { now, seen } = await mountTurn(session, { isStrict: false });
    await drawnAfter(() => void now().send("Hi"));
    const drawings = seen.length;
    await agent.say("a");
    await agent.say("b");
    expect(seen.length).toBe(drawings);
  });

  test("in version 2 is sent until the agent begins", async () => {
    const opened = await openV2();
    const { agent } = opened;
    const session = await newSession(opened);
    const { text, now } = await mountTurn(session);
    await drawnAfter(() => void now().send("Hi"));
    const prompt = await agent.call("session/prompt");
    expect(text()).toBe("sent");
    const echo = { sessionUpdate: "user_message", messageId: "u-1", content: [{ type: "text", text: "Hi" }] };
    await agent.update(echo, { sessionUpdate: "state_update", state: "running", background: [] });
    await agent.answer(prompt, { messageId: "u-1" });
    expect(text()).toBe("working");
    await agent.update({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" });
    expect([text(), now().end?.stopReason]).toEqual(["ready", "end_turn"]);
  });

  test("that is cancelled shows it until the agent has ended it", async () => {
    const { agent, session } = await openSession();
    const { text, now } = await mountTurn(session);
    await drawnAfter(() => void now().send("Hi"));
    const prompt = await agent.call("session/prompt");
    await agent.say("working on it");
    await drawnAfter(now().cancel);
    expect(text()).toBe("cancelling");
    await agent.answer(prompt, { stopReason: "cancelled" });
    expect(now()).toMatchObject({ status: "ready", end: { stopReason: "cancelled" } });
  });

  test("that ends with an error of the agent has it as error, until the next prompt", async () => {
    const { agent, session } = await openSession();
    const { now } = await mountTurn(session);
    await drawnAfter(() => void now().send("Hi"));
    await agent.refuse(await agent.call("session/prompt"), -32603, "No model");
    expect(now()).toMatchObject({ status: "ready", error: { message: "No model" }, end: { stopReason: "error" } });
    await drawnAfter(() => void now().send("Again"));
    expect(now()).toMatchObject({ status: "working", error: undefined, end: undefined });
  });

  test("that the client refuses is no turn", async () => {
    const { session } = await openSession();
    const { now } = await mountTurn(session);
    const refused = await drawnAfter(() => now().send([{ type: "image", data: "", mimeType: "image/png" }]));
    expect(refused).toBeUndefined();
    expect(now()).toMatchObject({ status: "ready", turn: undefined, error: { code: "capability" } });
  });

  test("that loses its connection has the error, and the session is closed", async () => {
    const { agent, session } = await openSession();
    const { now } = await mountTurn(session);
    await drawnAfter(() => void now().send("Hi"));
    await agent.call("session/prompt");
    await agent.close();
    expect(now()).toMatchObject({ status: "closed", error: { code: "connection_closed" } });
  });

  test("of another component counts, and only the newest prompt has an outcome here", async () => {
    const { agent, session } = await openSession();
    const { text, now } = await mountTurn(session);
    await drawnAfter(() => void session.prompt("by somebody else"));
    const first = await agent.call("session/prompt");
    expect([text(), now().turn]).toEqual(["working", undefined]);
    await drawnAfter(() => void now().send("one"));
    const turn = await drawnAfter(() => now().send("two"));
    await agent.answer(first, { stopReason: "end_turn" });
    await agent.answer(await agent.call("session/prompt"), { stopReason: "max_tokens" });
    expect([now().turn, now().end]).toEqual([turn, undefined]);
    await agent.answer(await agent.call("session/prompt"), { stopReason: "refusal" });
    expect(now().end?.stopReason).toBe("refusal");
  });

  test("belongs to its session", async () => {
    const one = await openSession();
    const other = await openSession();
    const { now, render } = await mountTurn(one.session);
    await drawnAfter(() => void now().send("Hi"));
    await one.agent.call("session/prompt");
    await render({ session: other.session });
    expect(now()).toMatchObject({ status: "ready", turn: undefined });
  });

  test("goes on without its component", async () => {
    const { agent, session } = await openSession();
    const { now, unmount } = await mountTurn(session);
    await drawnAfter(() => void now().send("Hi"));
    await unmount();
    const again = await mountTurn(session);
    expect(again.text()).toBe("working");
    await agent.answer(await agent.call("session/prompt"), { stopReason: "end_turn" });
    expect(again.text()).toBe("ready");
  });
});
