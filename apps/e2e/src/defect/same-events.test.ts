import { createAgent, createMemoryLog } from "@turnkit/agent";
import { allDialects, allowOnce, connectWith, type SessionEvent } from "@turnkit/client";
import { watchSessions } from "@turnkit/session/watch";
import type { Message } from "@turnkit/transport";
import { createMemoryPair, type PipeSide, pipeChannels } from "@turnkit/transport/channels";
import { describe, expect, test } from "vitest";
import { arrive, dialects } from "./stage.js";

type Dialect = (typeof dialects)[number];

const select = (configId: string, category: string | undefined, values: readonly [string, string]) => ({
  ...{ configId, name: configId, type: "select" as const, currentValue: values[0] },
  ...(category !== undefined && { category }),
  options: values.map((value) => ({ value, name: value })),
});

const agent = () =>
  createAgent({
    info: { name: "teller", version: "1.0.0" },
    log: createMemoryLog(),
    newSession: () => ({
      configOptions: [select("mode", "mode", ["ask", "do"]), select("effort", undefined, ["low", "high"])],
      availableCommands: [{ name: "review", description: "Reviews." }],
    }),
    async prompt(turn) {
      const [block] = turn.prompt;
      const text = block?.type === "text" ? block.text : "";
      if (text === "break") throw new Error("no model");
      if (text === "nothing") return;
      if (text === "title") return void turn.session.setTitle("A title");
      turn.think("Hm.");
      turn.say("Hello");
      if (text === "fail") throw new Error("the model is gone");
      if (text === "wait") {
        await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
        return;
      }
      const call = turn.toolCall({ title: "Edit", kind: "edit" });
      await call.requestPermission();
      await call.run(async () => undefined);
      turn.plan([{ content: "Rest", priority: "low", status: "pending" }]);
      await turn.say("Done.");
    },
  });

/** A conversation with two listeners: one of a client, and one of a watch between both sides. */
async function tell(dialect: Dialect) {
  const [clientEnd, client] = createMemoryPair();
  const [agentEnd, served] = createMemoryPair();
  const watched: SessionEvent[] = [];
  const watch = watchSessions({ onEvent: (_, event) => void watched.push(event) });
  const seen = <M extends Message>(message: M, from: PipeSide): M => {
    watch.message(message, from);
    return message;
  };
  void pipeChannels(client, served, { request: seen, notification: seen, response: (one, _, from) => seen(one, from) });
  agent().serve(agentEnd);
  const spoken = allDialects.filter((one) => one.dialect === dialect);
  const connected = await connectWith(spoken, clientEnd, {
    info: { name: "listener", version: "1.0.0" },
    permissions: allowOnce,
  });
  const heard: SessionEvent[] = [];
  const session = await connected.newSession({ cwd: "/work" }, (event) => void heard.push(event));
  await arrive(20);
  /** Runs one part, and returns the types of its events for both listeners. */
  const during = async (part: () => Promise<unknown>) => {
    heard.length = 0;
    watched.length = 0;
    await part();
    await arrive(20);
    return { heard: heard.map(({ type }) => type), watched: watched.map(({ type }) => type) };
  };
  const opened = { heard: heard.map(({ type }) => type), watched: watched.map(({ type }) => type) };
  return { client: connected, session, during, opened, listen: (event: SessionEvent) => void heard.push(event) };
}

const begun = ["prompt_sent", "turn_started", "user_message", "state_update", "prompt_accepted"];
const ended = ["state_update", "turn_ended"];

/** Parts of a conversation, with the events that each has in every dialect. */
const parts: readonly [string, readonly string[]][] = [
  [
    "work",
    [
      ...[...begun, "agent_thought_chunk", "agent_message_chunk", "tool_call_update", "state_update"],
      ...["permission_asked", "permission_answered", "state_update", "tool_call_update", "tool_call_update"],
      ...["plan_update", "agent_message_chunk", ...ended],
    ],
  ],
  ["fail", [...begun, "agent_thought_chunk", "agent_message_chunk", ...ended]],
  ["break", [...begun, ...ended]],
  ["nothing", [...begun, ...ended]],
  ["title", [...begun, "session_info_update", ...ended]],
];

describe.each(dialects)("defect F7: a listener of a client and one of a watch get the same events in %s", (dialect) => {
  test("when a session opens", async () => {
    const { opened } = await tell(dialect);
    expect(opened.heard).toEqual(["session_opened", "available_commands_update"]);
    expect(opened.watched).toEqual(opened.heard);
  });

  test.each(parts)("during the prompt %j", async (text, types) => {
    const { session, during } = await tell(dialect);
    const { heard, watched } = await during(() => session.prompt(text).ended);
    expect(heard).toEqual(types);
    expect(watched).toEqual(types);
  });

  test.each([
    ["mode", "do"],
    ["effort", "high"],
  ])("when the option %s is set", async (configId, value) => {
    const { session, during } = await tell(dialect);
    const { heard, watched } = await during(() => session.setConfigOption(configId, value));
    expect(heard).toEqual(["config_option_update"]);
    expect(watched).toEqual(heard);
  });

  test("when a turn is cancelled", async () => {
    const { session, during } = await tell(dialect);
    const turn = session.prompt("wait");
    await arrive(20);
    const { heard, watched } = await during(() => turn.cancel());
    expect(heard).toEqual(["cancel_asked", ...ended]);
    expect(watched).toEqual(heard);
  });

  test("when a session is closed and restored", async () => {
    const { client, session, during, listen } = await tell(dialect);
    await session.prompt("fail").ended;
    const closed = await during(() => session.close());
    expect(closed.heard).toEqual(["session_closed"]);
    expect(closed.watched).toEqual(closed.heard);
    const restored = await during(() => client.restore(session.id, { cwd: "/work" }, listen));
    expect(restored.heard[0]).toBe("replay_started");
    expect(restored.heard).toEqual(restored.watched);
  });
});
