import type { ConfigOption, WireEvent } from "@turnkit/session";
import { describe, expect, test } from "vitest";
import type { AgentSession, Turn } from "../src/index.js";
import { clientInfo, openAs, v2Hello } from "./raw-client.js";

const v1Hello = { protocolVersion: 1, clientInfo };
const dialects: readonly [string, object][] = [
  ["version 1", v1Hello],
  ["version 2", v2Hello],
];

const mode: ConfigOption = {
  ...{ configId: "mode", name: "Mode", type: "select", category: "mode", currentValue: "a" },
  options: [
    { value: "a", name: "A" },
    { value: "b", name: "B" },
  ],
};

/** Runs one prompt. Returns the thrown error, the reports, and the updates that the client got. */
async function outcomeAs(hello: object, prompt: (turn: Turn) => unknown, configOptions?: readonly ConfigOption[]) {
  let thrown = "";
  const { client, sessionId, diagnostics } = await openAs(
    hello,
    {
      newSession: () => (configOptions === undefined ? undefined : { configOptions }),
      async prompt(turn) {
        try {
          await prompt(turn);
        } catch (error) {
          thrown = `${(error as Error).name}: ${(error as Error).message}`;
        }
      },
    },
    { validateOutgoing: undefined as never },
  );
  client.prompt(sessionId);
  await client.next(({ result, params }) => result?.stopReason !== undefined || params?.update?.state === "idle");
  const reports = diagnostics.filter(({ code }) => code === "unused_option").map(({ message }) => message);
  return { thrown, reports, updates: client.updates() };
}

const call = { type: "tool_call_update", toolCallId: "c", title: "T" } as const;

describe.each(dialects)("defect N111: emit checks a tool call as toolCall does, in %s:", (_version, hello) => {
  test.each<[string, object, string]>([
    ["a diff of version 1", { content: [{ type: "diff", path: "/a", oldText: "a", newText: "b" }] }, "changes: ["],
    ["a block as content", { content: [{ type: "text", text: "x" }] }, "content of type text got an object"],
    ["a location as text", { locations: ["/a"] }, "locations got"],
    ["content as text", { content: "x" }, "content got"],
  ])("%s is refused", async (_name, members, message) => {
    for (const emit of [
      (turn: Turn, event: WireEvent) => turn.emit(event),
      (turn: Turn, event: WireEvent) => turn.session.emit(event),
    ]) {
      const { thrown, updates } = await outcomeAs(hello, (turn) => emit(turn, { ...call, ...members } as never));
      expect(thrown).toMatch(/^TypeError: emit tool_call_update /);
      expect(thrown).toContain(message);
      expect(updates.filter(({ toolCallId }) => toolCallId === "c")).toEqual([]);
    }
  });

  test("a piece of content is refused", async () => {
    const piece = { type: "tool_call_content_chunk", toolCallId: "c", content: { type: "text", text: "x" } };
    const { thrown } = await outcomeAs(hello, (turn) => turn.emit(piece as never));
    expect(thrown).toMatch(/^TypeError: emit tool_call_content_chunk content of type text got/);
  });

  test.each<[string, object, string]>([
    ["a status", { status: "done" }, 'The status of a tool call is "done".'],
    ["a kind", { kind: "write" }, 'The kind of a tool call is "write".'],
    ["a member", { raw_input: 1 }, "Do you mean rawInput?"],
    ["a relative path", { locations: [{ path: "a.ts" }] }, "is relative"],
    ["a value", { rawOutput: new Map() }, "which JSON cannot contain"],
  ])("%s that no client knows is reported once", async (_name, members, message) => {
    const { thrown, reports } = await outcomeAs(hello, (turn) => turn.emit({ ...call, ...members } as never));
    expect([thrown, reports]).toEqual(["", [expect.stringContaining(message)]]);
  });

  test("the updates of toolCall itself are reported once", async () => {
    const { reports } = await outcomeAs(hello, (turn) =>
      turn.toolCall({ title: "T", kind: "write" as never }).finish({ status: "completed" }),
    );
    expect(reports).toEqual([expect.stringContaining('The kind of a tool call is "write".')]);
  });

  test("sound updates pass without a report", async () => {
    const { thrown, reports } = await outcomeAs(hello, (turn) => {
      const changes = [{ operation: "modify", path: "/a", oldText: "a", newText: "b" }] as const;
      turn.emit({ ...call, status: "completed", content: [{ type: "diff", changes }], rawInput: { a: 1 } });
      turn.emit({ type: "agent_message_chunk", content: { type: "text", text: "x", annotations: null }, _meta: {} });
      turn.session.emit({ type: "_own", any: 1 } as never);
      turn.emit({ type: "session_info_update", title: "T", at: 1 } as never);
    });
    expect([thrown, reports]).toEqual(["", []]);
  });

  test.each<[object, string]>([
    [{ type: "notice", severity: "warn", title: "t" }, 'The severity of a notice is "warn".'],
    [{ type: "session_info_update", tittle: "t" }, "Do you mean title?"],
    [
      {
        type: "plan_update",
        plan: { type: "items", planId: "p", entries: [{ content: "c", priority: "p", status: "x" }] },
      },
      'The status of a plan entry is "x".',
    ],
  ])("another update follows the same rule: %j", async (event, message) => {
    const { reports } = await outcomeAs(hello, (turn) => turn.emit(event as never));
    expect(reports.join()).toContain(message);
  });

  test("a plan with entries of another form is refused", async () => {
    const plan = { type: "items", planId: "p", entries: [{ text: "c" }] };
    const { thrown } = await outcomeAs(hello, (turn) => turn.emit({ type: "plan_update", plan } as never));
    expect(thrown).toContain("emit plan_update plan entry 0 got an object of another form: pass entries such as");
  });
});

describe.each(dialects)("defect N112: commands in the form of version 1 are not lost, in %s:", (_version, hello) => {
  const input = { hint: "what" };

  test("setCommands adds the type of an input", async () => {
    const { updates, reports } = await outcomeAs(hello, (turn) =>
      turn.session.setCommands([{ name: "x", description: "d", input }]),
    );
    const [{ availableCommands }] = updates.filter((one) => one.availableCommands !== undefined) as any;
    expect(availableCommands).toMatchObject([{ name: "x", input: { hint: "what" } }]);
    expect(reports).toEqual([]);
  });

  test("and newSession too", async () => {
    const availableCommands = [{ name: "x", description: "d", input }];
    const { client } = await openAs(hello, { newSession: () => ({ availableCommands }) });
    const sent = JSON.stringify(await client.next((frame) => JSON.stringify(frame).includes("availableCommands")));
    expect(sent).toContain('"hint":"what"');
  });

  test.each<[string, object]>([
    ["a command", { name: "x", description: "d" }],
    ["an input", { type: "command", name: "x", description: "d", input }],
  ])("emit refuses %s without its type, and names setCommands", async (_name, command) => {
    const update = { type: "available_commands_update", availableCommands: [command] };
    const { thrown } = await outcomeAs(hello, (turn) => turn.emit(update as never));
    expect(thrown).toMatch(/^TypeError: emit available_commands_update .* call session\.setCommands, or pass type: /);
  });

  test("an input of another form is refused, and an unknown type is reported", async () => {
    const offer = { name: "x", description: "d" };
    const wrong = await outcomeAs(hello, (turn) => turn.session.setCommands([{ ...offer, input: "what" as never }]));
    expect(wrong.thrown).toContain('setCommands command 0 input got "what": pass an input such as { hint }');
    const unknown = await outcomeAs(hello, (turn) => turn.session.setCommands([{ ...offer, type: "cmd" as never }]));
    expect(unknown.reports).toEqual([expect.stringContaining('The type of a command is "cmd".')]);
  });

  test("emit checks options as setConfigOptions does", async () => {
    const configOptions = [mode, { ...mode, currentValue: "z" }];
    const { thrown } = await outcomeAs(hello, (turn) => turn.emit({ type: "config_option_update", configOptions }));
    expect(thrown).toContain('two options have the configId "mode"');
  });
});

describe.each(dialects)(
  "defect N113: emit refuses a mode that the session does not have, in %s:",
  (_version, hello) => {
    const to = (currentModeId: string): WireEvent => ({ type: "current_mode_update", currentModeId });

    test("an unknown mode", async () => {
      const { thrown } = await outcomeAs(hello, (turn) => turn.emit(to("z")), [mode]);
      expect(thrown).toBe('TypeError: emit current_mode_update: option mode has no value "z". It has: a, b.');
    });

    test("a mode of a session without modes", async () => {
      for (const emit of [
        (turn: Turn) => turn.session.emit(to("a")),
        (turn: Turn) => turn.session.child("c").emit(to("a")),
      ]) {
        const { thrown } = await outcomeAs(hello, emit);
        expect(thrown).toContain("emit current_mode_update: the session has no modes. Return configOptions");
      }
    });

    test("but not a mode of the session, and none while the session opens", async () => {
      const { thrown, reports } = await outcomeAs(hello, (turn) => turn.emit(to("b")), [mode]);
      expect([thrown, reports]).toEqual(["", []]);
      const newSession = (_: unknown, session: AgentSession<undefined>) => {
        session.emit(to("b"));
        return { configOptions: [mode] };
      };
      await openAs(hello, { newSession });
    });
  },
);

type Loose = (...all: unknown[]) => unknown;

describe("defect N115: what say ignores is reported:", () => {
  const block = { type: "text", text: "x", meta: {} };

  test.each<[string, (turn: Turn) => unknown, string]>([
    [
      "a second argument of say",
      (turn) => (turn.say as Loose).call(turn, "x", { _meta: {} }),
      "turn.say got a second argument",
    ],
    ["of think", (turn) => (turn.think as Loose).call(turn, "x", { _meta: {} }), "turn.think got a second argument"],
    [
      "of a child",
      ({ session }) => {
        const child = session.child("c");
        return (child.say as Loose).call(child, "x", {});
      },
      "turn.say got a second argument",
    ],
    ["a member of a block", (turn) => turn.say(block as never), "Do you mean _meta?"],
    [
      "a member of a block in an update",
      (turn) => turn.emit({ type: "agent_message_chunk", content: block } as never),
      "Do you mean _meta?",
    ],
    [
      "a member of a block in a tool call",
      (turn) => turn.toolCall({ title: "T", content: [{ type: "content", content: block as never }] }).finish(),
      "Do you mean _meta?",
    ],
  ])("%s", async (_name, say, message) => {
    const { reports } = await outcomeAs(v1Hello, say);
    expect(reports).toEqual([expect.stringContaining(message)]);
  });
});
