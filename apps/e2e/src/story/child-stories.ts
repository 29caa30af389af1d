import { createMemoryLog, type PlanEntry, type Turn } from "@turnkit/agent";
import type { Session } from "@turnkit/client";
import type { Story } from "./stories.js";

const text = (said: string) => ({ type: "content", content: { type: "text", text: said } }) as const;
const step = (content: string, status: PlanEntry["status"]): PlanEntry => ({ content, priority: "high", status });

/** Work of a parent that delegates, and of the subagent: a tool call that asks, and text. */
async function delegate(turn: Turn): Promise<void> {
  turn.say("I delegate.");
  const call = turn.toolCall({ title: "Delegate tests", kind: "think" });
  await call.run(async () => {
    const kid = turn.session.child("Test runner", { description: "Runs the suite", cwd: "/srv/tests" });
    call.append({ type: "session", sessionId: kid.id });
    kid.say("I look.\n");
    const test = kid.toolCall({ title: "npm test", kind: "execute", rawInput: { command: "npm test" } });
    if (await test.ask()) await test.run(() => test.append(text("12 passed")));
    kid.say("All green.");
    kid.idle();
  });
  turn.say("The tests pass.");
}

const prompted = async (session: Session): Promise<void> => void (await session.prompt("Test it").ended);

/** Stories of child sessions, plans and replays. */
export const childStories: readonly Story[] = [
  { name: "a subagent that asks, and its parent goes on", agent: { prompt: delegate }, act: prompted },
  {
    name: "a subagent of a subagent, and one that fails",
    agent: {
      prompt(turn) {
        const kid = turn.session.child("Builder");
        kid.say("I ask another.\n");
        const grandkid = kid.child("Linker");
        grandkid.say("Linked.");
        grandkid.idle();
        kid.idle({ stopReason: "error", error: { code: -32050, message: "no space" } });
        turn.say("It failed.");
      },
    },
    act: prompted,
  },
  {
    name: "a cancel while a subagent works",
    agent: {
      async prompt(turn) {
        const kid = turn.session.child("Sleeper");
        const call = kid.toolCall({ title: "Sleep" });
        turn.say("It sleeps.");
        await call.run(
          (signal) =>
            new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true })),
        );
      },
    },
    async act(session) {
      const turn = session.prompt("sleep");
      for await (const event of turn) if (event.type === "agent_message_chunk") break;
      await turn.cancel();
    },
  },
  {
    name: "several plans, one of them in Markdown, one removed",
    agent: {
      prompt(turn) {
        turn.plan([step("read", "completed"), step("patch", "in_progress")], "code");
        turn.plan([step("write docs", "pending")], "docs");
        turn.session.emit({
          type: "plan_update",
          plan: { type: "markdown", planId: "notes", content: "# Notes\n", path: "/srv/NOTES.md" },
        });
        turn.session.emit({ type: "plan_removed", planId: "docs" });
        turn.plan([step("read", "completed"), step("patch", "completed")], "code");
      },
    },
    act: prompted,
  },
  {
    name: "a session with a subagent, restored from the log",
    agent: { prompt: delegate, log: createMemoryLog() },
    async act(session, client) {
      await prompted(session);
      const outcome = await client.restore(session.id, { cwd: "/srv" });
      return outcome.status === "unavailable" ? undefined : outcome.session;
    },
  },
];
