import { messageText } from "@turnkit/session";
import { describe, expect, test } from "vitest";
import type { Session, SessionEvent } from "../src/index.js";
import { idle, running } from "./draft-agent.js";
import { openIdle, openTurn } from "./open-turn.js";
import { back, chunk, settle } from "./raw-agent.js";

const place = { cwd: "/work" };
const textsOf = ({ state }: Session) =>
  [...state.timeline].map((entry) => (entry.type === "message" ? `${entry.role}: ${messageText(entry)}` : entry.type));

describe.each(["v1", "v2", "seed"] as const)("updates before the replay of %s", (dialect) => {
  const isV1 = dialect === "v1";
  const message = (role: "user" | "agent", id: string, text: string) =>
    isV1
      ? { sessionUpdate: `${role}_message_chunk`, content: { type: "text", text } }
      : { sessionUpdate: `${role}_message`, messageId: id, content: [{ type: "text", text }] };
  const late = (text: string) => (isV1 ? chunk(text) : { ...chunk(text), messageId: "a-2" });
  const replay = [
    message("user", "u-1", "hi"),
    message("agent", "a-1", "first"),
    message("user", "u-2", "again"),
    message("agent", "a-2", "second, late"),
  ];
  const whole = ["user: hi", "agent: first", "user: again", "agent: second, late"];

  /** A session in its second turn, and the call that restores it. */
  async function openSecondTurn() {
    const opened = await openTurn(dialect);
    const { agent, client, session, turn, say, finish } = opened;
    say("first");
    finish();
    await turn.ended;
    const second = session.prompt("again");
    const prompt = await agent.call("session/prompt");
    if (dialect === "v2") {
      agent.answer(prompt, { messageId: "u-2" });
      agent.update("s-1", message("user", "u-2", "again"), running);
    }
    agent.update("s-1", late("second, "));
    await settle(agent);
    const events: SessionEvent[] = [];
    const restoring = client.restore("s-1", place, (event) => void events.push(event));
    const call = await agent.call(opened.restore);
    const end = () => {
      if (dialect === "v2") agent.update("s-1", idle("cancelled"));
      else agent.answer(prompt, { stopReason: "cancelled" });
    };
    return { ...opened, second, restoring, call, end, events };
  }

  test("defect B2: are in the restored session once, in order, by the replay alone", async () => {
    const { agent, session, second, restoring, call, end, events } = await openSecondTurn();
    agent.update("s-1", late("late"));
    end();
    agent.update("s-1", ...replay);
    agent.answer(call, {});
    const restored = await back(restoring);
    expect(textsOf(restored)).toEqual(whole);
    expect(textsOf(session)).toEqual(whole);
    expect(events.filter(({ type }) => type.includes("_message"))).toHaveLength(replay.length);
    expect(await second.ended).toMatchObject({ stopReason: "cancelled", agentConfirmed: true });
  });

  test("defect B2: that come after the end of the turn are there once, too", async () => {
    const { agent, restoring, call, end } = await openSecondTurn();
    end();
    agent.update("s-1", late("late"));
    agent.update("s-1", ...replay);
    agent.answer(call, {});
    expect(textsOf(await back(restoring))).toEqual(whole);
  });

  test("defect B2: are there in order where they are more than can be kept", async () => {
    const { agent, restoring, call, end } = await openSecondTurn();
    for (let n = 0; n < 1_100; n++) agent.update("s-1", late("x"));
    end();
    agent.update("s-1", ...replay);
    agent.answer(call, {});
    expect(textsOf(await back(restoring))).toEqual(whole);
  });

  test("defect B2: are all that there is where the agent replays nothing", async () => {
    const { agent, restoring, call, end } = await openSecondTurn();
    agent.update("s-1", late("late"));
    end();
    agent.answer(call, {});
    expect(textsOf(await back(restoring))).toEqual(["agent: late"]);
  });

  test("defect B2: a replay during the turn, and what follows it, is there whole", async () => {
    const { agent, restoring, call, end } = await openSecondTurn();
    agent.update("s-1", ...replay.slice(0, 3), late("second, "), late("late"));
    end();
    agent.answer(call, {});
    expect(textsOf(await back(restoring))).toEqual(whole);
  });

  // Version 2 alone has notices and terminals of the agent.
  if (dialect !== "v2") return;

  test("defect B2: notices are not lost, nor terminals before the first message", async () => {
    const { agent, restoring, call, end } = await openSecondTurn();
    agent.update("s-1", { sessionUpdate: "notice", severity: "info", title: "Low on tokens" }, late("late"));
    end();
    agent.update("s-1", { sessionUpdate: "terminal_update", terminalId: "t", command: "ls" }, ...replay);
    agent.answer(call, {});
    const restored = await back(restoring);
    expect(textsOf(restored)).toEqual([...whole, "notice"]);
    expect(restored.state.terminals.length).toBe(1);
  });
});

test("defect B2: a late piece that begins like the conversation is no replay while its turn runs", async () => {
  const { agent, client, session, restore } = await openIdle("v1");
  agent.say("s-1", "Hello");
  await settle(agent);
  void session.prompt("hi");
  const prompt = await agent.call("session/prompt");
  const restoring = client.restore("s-1", place);
  const call = await agent.call(restore);
  agent.say("s-1", "Hello again");
  agent.answer(prompt, { stopReason: "cancelled" });
  const hi = { sessionUpdate: "user_message_chunk", content: { type: "text", text: "hi" } };
  agent.update("s-1", chunk("Hello"), hi, chunk("Hello again"));
  agent.answer(call, {});
  expect(textsOf(await back(restoring))).toEqual(["agent: Hello", "user: hi", "agent: Hello again"]);
});
