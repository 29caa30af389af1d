import type { AgentHandlers, ConfigOption } from "@turnkit/agent";
import type { Client, Session } from "@turnkit/client";

/** A conversation: what the agent does, and what the client does. Neither knows which dialect they speak. */
export type Story = {
  readonly name: string;
  readonly agent: Partial<AgentHandlers>;
  /** Resolves to another session if that one is looked at in the end. */
  act(session: Session, client: Client): Promise<unknown>;
  /** Number of the first entries of the timeline that a dialect without keys of prompts has twice. */
  readonly keyed?: number;
};

const mode: ConfigOption = {
  type: "select",
  configId: "mode",
  category: "mode",
  name: "Mode",
  currentValue: "ask",
  options: [
    { value: "ask", name: "Ask" },
    { value: "code", name: "Code" },
  ],
};

/** Stories that run in every dialect over every transport, and must end in the same picture. */
export const stories: readonly Story[] = [
  {
    name: "an answer in pieces, with thoughts, a plan, a title and usage",
    agent: {
      async prompt(turn) {
        turn.session.setTitle("Counting");
        turn.think("How many?");
        turn.plan([{ content: "count", priority: "high", status: "in_progress" }]);
        for (const piece of ["one, ", "two, ", "three"]) await turn.say(piece);
        turn.plan([{ content: "count", priority: "high", status: "completed" }]);
        turn.session.reportUsage({ used: 10, size: 100, cost: { amount: 0.5, currency: "EUR" } });
      },
    },
    act: (session) => session.prompt("count").ended,
  },
  {
    name: "a tool call that asks, runs and shows a diff",
    agent: {
      async prompt(turn) {
        const call = turn.toolCall({
          title: "Edit a.ts",
          kind: "edit",
          locations: [{ path: "/srv/a.ts", line: 3 }],
          rawInput: { to: 2 },
        });
        const allowed = await call.ask();
        if (!allowed) return;
        await call.run(() => {
          call.append({
            type: "diff",
            changes: [{ operation: "modify", path: "/srv/a.ts", oldText: "1\n", newText: "2\n" }],
          });
          call.append({ type: "content", content: { type: "text", text: "written" } });
        });
        turn.say("done");
      },
    },
    act: (session) => session.prompt("edit").ended,
  },
  {
    name: "two turns, each with its own message",
    agent: {
      prompt: (turn) => void turn.say(turn.prompt[0]?.type === "text" ? `You said ${turn.prompt[0].text}.` : "?"),
    },
    async act(session) {
      await session.prompt("one").ended;
      await session.prompt("two").ended;
    },
  },
  {
    name: "a prompt that is sent again with its key",
    agent: {
      prompt: (turn) => void turn.say(turn.prompt[0]?.type === "text" ? `You said ${turn.prompt[0].text}.` : "?"),
    },
    async act(session) {
      const idempotencyKey = "0b9f6a52-6a9e-4f6e-9a0e-3a1d5a4d9c10";
      await session.prompt("deploy", { idempotencyKey }).ended;
      const again = session.prompt("deploy", { idempotencyKey });
      await session.prompt("thanks").ended;
      await again.ended;
    },
    keyed: 2,
  },
  {
    name: "a cancel in the middle of a tool call",
    agent: {
      async prompt(turn) {
        turn.say("working");
        const call = turn.toolCall({ title: "Wait", kind: "execute" });
        await call.run(
          (signal) =>
            new Promise((_, reject) => {
              signal.addEventListener("abort", () => reject(signal.reason), { once: true });
            }),
        );
      },
    },
    async act(session) {
      const turn = session.prompt("wait");
      for await (const event of turn) {
        if (event.type === "tool_call_update" && event.status === "in_progress") break;
      }
      await turn.cancel();
    },
  },
  {
    name: "a turn that fails",
    agent: {
      prompt(turn) {
        turn.say("I try.");
        throw new Error("the model is gone");
      },
    },
    act: (session) => session.prompt("try").ended,
  },
  {
    name: "a refusal",
    agent: { prompt: () => "refusal" },
    act: (session) => session.prompt("do evil").ended,
  },
  {
    name: "commands, and a mode that the client and then the agent changes",
    agent: {
      newSession: () => ({
        configOptions: [mode],
        availableCommands: [
          { type: "command", name: "test", description: "Run tests", input: { type: "text", hint: "suite" } },
        ],
      }),
      prompt(turn) {
        turn.say(`mode ${turn.session.configValue("mode")}`);
        turn.session.setConfigOptions([{ ...mode, currentValue: "ask" } as ConfigOption]);
      },
    },
    async act(session) {
      await session.setConfigOption("mode", "code");
      await session.prompt("which?").ended;
    },
  },
];
