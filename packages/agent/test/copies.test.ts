import { describe, expect, test } from "vitest";
import { type AgentSession, createMemoryLog, type Turn } from "../src/index.js";
import { clientInfo, everything, type Frame, gate, openAs, seedHello, v2Hello } from "./raw-client.js";

const hellos = {
  v1: { protocolVersion: 1, clientCapabilities: { ...everything, elicitation: { form: {}, url: {} } }, clientInfo },
  v2: v2Hello,
  seed: seedHello,
};
const dialects = ["v1", "v2", "seed"] as const;

/** Changes a passed value in depth, as a caller may do. */
function spoil(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    spoil(member);
    if (typeof member === "string") (value as Frame)[key] = "spoilt";
    else if (typeof member === "number") (value as Frame)[key] = -1;
  }
  (value as Frame).more = "spoilt";
  if (Array.isArray(value)) value.length = 0;
}

const content = () => ({ type: "content", content: { type: "text", text: "good" } }) as const;
const option = () => ({ optionId: "y", name: "good", kind: "allow_once" }) as const;
const select = () => ({
  ...{ type: "select", configId: "mode", name: "good", category: "mode", currentValue: "a" },
  options: [{ value: "a", name: "good" }],
});

/** Each verb, with what is passed to it. */
const verbs: Readonly<Record<string, (turn: Turn, session: AgentSession) => object>> = {
  say(turn) {
    const block = { type: "text", text: "good", annotations: { audience: ["user"] } } as const;
    turn.say(block);
    return block;
  },
  think(turn) {
    const block = { type: "resource_link", uri: "file:///good", name: "good", _meta: { a: "good" } } as const;
    turn.think(block);
    return block;
  },
  plan(turn) {
    const entries = [{ content: "good", priority: "high", status: "pending" } as const];
    turn.plan(entries);
    return entries;
  },
  "toolCall and its update"(turn) {
    const start = { title: "good", locations: [{ path: "/good" }], rawInput: { a: ["good"] }, _meta: { a: "good" } };
    const call = turn.toolCall(start);
    const patch = { rawOutput: { a: { b: "good" } }, content: [content()] };
    call.update(patch);
    const end = { rawOutput: ["good"] };
    call.finish(end);
    return [start, patch, end];
  },
  append(turn) {
    const item = content();
    turn.toolCall({ title: "good" }).append(item);
    return item;
  },
  "the append of a diff"(turn) {
    const diff = { type: "diff", changes: [{ operation: "modify", path: "/good", oldText: "1", newText: "good" }] };
    turn.toolCall({ title: "good" }).append(diff as never);
    return diff;
  },
  emit(turn) {
    const event = { type: "agent_message", messageId: "good", content: [{ type: "text", text: "good" }] } as const;
    turn.emit(event);
    return event;
  },
  "emit of what nobody knows"(turn) {
    const event = { type: "unknown", raw: { sessionUpdate: "_odd", a: { b: "good" } } } as const;
    turn.emit(event);
    return event;
  },
  setCommands(_, session) {
    const commands = [{ type: "command", name: "good", description: "good", input: { type: "text", hint: "good" } }];
    session.setCommands(commands as never);
    return commands;
  },
  setConfigOptions(_, session) {
    const options = [select()];
    session.setConfigOptions(options as never);
    return options;
  },
  reportUsage(_, session) {
    const usage = { used: 1, size: 2, cost: { amount: 3, currency: "USD" } };
    session.reportUsage(usage);
    return usage;
  },
  terminal(turn, session) {
    const start = { command: "good", size: { cols: 80, rows: 24 } };
    const { terminalId, ...terminal } = session.terminal(start);
    turn.toolCall({ title: "good" }).append({ type: "terminal", terminalId });
    const status = { exitCode: 0 };
    terminal.exit(status);
    return [start, status];
  },
};

const reported = (frames: readonly Frame[]): string =>
  JSON.stringify(frames).replaceAll(/"(?:\w+-)?[0-9a-f]{8}-\d+"/g, "ID");

/** Returns the messages to the client in one turn of a verb, and the agent's state; `spoiling` the passed values. */
async function turnOf(dialect: (typeof dialects)[number], verb: string, spoiling: boolean) {
  let state = "";
  const { client, sessionId } = await openAs(hellos[dialect], {
    async prompt(turn) {
      const passed = verbs[verb]?.(turn, turn.session);
      if (spoiling) spoil(passed);
      state = JSON.stringify(turn.session.state);
    },
  });
  const ended = client.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "hi" }] });
  await ended;
  if (dialect === "v2") await client.next(({ params }) => params?.update?.state === "idle");
  const normal = (text: string) => text.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{8}-\d+/g, "ID");
  return { updates: normal(reported(client.updates())), state: normal(state) };
}

describe.each(dialects)("what an agent passes in and changes afterwards (%s)", (dialect) => {
  test.each(Object.keys(verbs))("defect B11: %s", async (verb) => {
    const spoilt = await turnOf(dialect, verb, true);
    expect(spoilt).toEqual(await turnOf(dialect, verb, false));
    expect(spoilt.state).not.toContain("spoilt");
  });

  test("defect B11: the same object appended twice, with another text", async () => {
    const { client, sessionId } = await openAs(hellos[dialect], {
      prompt(turn) {
        const call = turn.toolCall({ title: "Build" });
        const item = { type: "content", content: { type: "text", text: "one" } } as const;
        call.append(item);
        (item.content as { text: string }).text = "two";
        call.append(item);
      },
    });
    await client.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "hi" }] });
    if (dialect === "v2") await client.next(({ params }) => params?.update?.state === "idle");
    const said = JSON.stringify(client.updates().filter(({ content }) => content !== undefined));
    expect(said).toContain('"one"');
    expect(said).toContain('"two"');
  });

  test("defect B11: the options of a question, its lists at the opening, and the prompt itself", async () => {
    const lists = { configOptions: [select()] };
    const asked = gate();
    const question = { title: "good", options: [option()], _meta: { a: "good" } };
    let granted: boolean | undefined;
    const states: string[] = [];
    const { client, sessionId } = await openAs(hellos[dialect], {
      newSession: () => lists as never,
      async prompt(turn) {
        const answer = turn.requestPermission(question);
        spoil(question);
        spoil(lists);
        spoil(turn.prompt);
        asked.open();
        granted = (await answer).allowed;
        states.push(JSON.stringify(turn.session.state));
      },
    });
    const params = { sessionId, prompt: [{ type: "text", text: "good" }] };
    const ended = client.request("session/prompt", params);
    await asked.promise;
    const call = await client.call("session/request_permission");
    expect(JSON.stringify(client.received)).not.toContain("spoilt");
    client.reply(call, { outcome: { outcome: "selected", optionId: "y" } });
    await ended;
    if (dialect === "v2") await client.next(({ params: said }) => said?.update?.state === "idle");
    expect(granted).toBe(true);
    expect(states.join()).toContain("good");
    expect(states.join()).not.toContain("spoilt");
    expect(params.prompt).toEqual([{ type: "text", text: "good" }]);
  });
});

test("defect B11: a list of background work, and the usage of a turn", async () => {
  const usage = { totalTokens: 1, inputTokens: 1, outputTokens: 0 };
  const work = [{ type: "_other", id: "good", title: "good" }];
  const { client, sessionId } = await openAs(v2Hello, {
    async prompt(turn) {
      turn.session.setBackground(work as never);
      spoil(work);
      return { stopReason: "end_turn", usage } as never;
    },
  });
  await client.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "hi" }] });
  const idle = await client.next(({ params }) => params?.update?.state === "idle");
  spoil(usage);
  expect(idle.params.update).toMatchObject({ background: [{ title: "good" }], usage: { totalTokens: 1 } });
});

test("defect B11: what is deep or says how it is written is copied", async () => {
  const when = new Date(0);
  let deep: unknown = { text: "good" };
  for (let level = 0; level < 500; level++) deep = [deep];
  const { client, sessionId } = await openAs(v2Hello, {
    prompt(turn) {
      turn.toolCall({ title: "x", rawInput: { when, deep } });
      when.setTime(1);
      spoil(deep);
    },
  });
  await client.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "hi" }] });
  await client.next(({ params }) => params?.update?.state === "idle");
  const update = JSON.stringify(client.updates("tool_call_update")[0]);
  expect(update).toContain('"when":"1970-01-01T00:00:00.000Z"');
  expect(update).toContain('"good"');
});

test("defect B11: a circle is refused, and the session goes on", async () => {
  const circle: Frame = { a: "good" };
  circle.self = circle;
  const thrown: unknown[] = [];
  // A log writes down what is said; a memory channel would not.
  const { client, sessionId } = await openAs(v2Hello, {
    log: createMemoryLog(),
    prompt(turn) {
      const call = turn.toolCall({ title: "x" });
      try {
        call.update({ rawOutput: circle });
      } catch (error) {
        thrown.push(error);
      }
      call.update({ rawOutput: { a: "later" } });
    },
  });
  await client.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "hi" }] });
  await client.next(({ params }) => params?.update?.state === "idle");
  expect(thrown).toEqual([expect.any(TypeError)]);
  expect(client.updates("tool_call_update").map(({ rawOutput }) => rawOutput)).toEqual([
    ...[undefined, { a: "later" }],
    undefined,
  ]);
});
