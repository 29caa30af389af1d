import { expect, it } from "vitest";
import type { AgentHandlers, ChildSession, Turn } from "../src/index.js";
import { type Frame, open, openAs, type RawClient, v2Hello } from "./raw-client.js";

const withSubagents = { capabilities: { subagents: {} } };
const prompt = [{ type: "text", text: "go" }];

/** An agent of version 2 whose prompt does `work`, after the end of its turn. */
async function worked(work: (turn: Turn) => unknown, more: Partial<AgentHandlers> = {}) {
  const connected = await openAs(v2Hello, { ...more, prompt: async (turn) => void (await work(turn)) });
  const { client, sessionId } = connected;
  await client.result("session/prompt", { sessionId, prompt });
  const end = await client.next(({ params }) => params?.sessionId === sessionId && params.update?.state === "idle");
  return { ...connected, end: end.params.update };
}

/** Sizes of the lists of background work that a session has sent. */
const listsOf = ({ received }: RawClient, sessionId: string): number[] =>
  received.flatMap(({ params }) =>
    params?.sessionId === sessionId && params.update?.background ? [params.update.background.length] : [],
  );

it("P-BG-02: a listed child session of a child session may be forgotten: no later end fails, and the list is empty", async () => {
  const { client, sessionId, end } = await worked(({ session }) => {
    const kid = session.child("Kid");
    const grandkid = kid.child("Grandkid");
    session.setBackground([{ type: "subagent", sessionId: grandkid.id }]);
    grandkid.forget();
    kid.idle();
    kid.forget();
  });
  expect(end).toMatchObject({ stopReason: "end_turn", background: [] });
  expect(listsOf(client, sessionId)).toEqual([1, 0, 0]);
  await client.result("session/close", { sessionId });
});

it("P-BG-02: a child session of a child session leaves the list of the root when its work is done", async () => {
  const { client, sessionId } = await worked(({ session }) => {
    const kid = session.child("Kid");
    const grandkid = kid.child("Grandkid");
    session.setBackground([{ type: "subagent", sessionId: grandkid.id }]);
    session.setBackground([]);
    grandkid.idle();
  });
  expect(listsOf(client, sessionId)).toEqual([1, 1, 0, 0]);
});

it("P-SUB-13: a child session that is ending opens no child session, which nobody would end", async () => {
  let failure: unknown;
  let late: ChildSession | undefined;
  const { client, sessionId } = await worked(({ session }) => {
    const kid = session.child("Kid");
    kid.signal.addEventListener("abort", () => {
      try {
        late = kid.child("Late");
      } catch (error) {
        failure = error;
      }
    });
    kid.forget();
  });
  expect(failure).toMatchObject({ code: "state" });
  late?.say("Late.");
  await client.result("session/close", { sessionId });
  expect(client.updates("subagent_update").map(({ title }) => title)).not.toContain("Late");
});

it("P-SUB1-03: the tool calls of a child session end with its cancelled work: no answer of a prompt ends them", async () => {
  const { client, sessionId } = await open(
    {
      prompt({ session }) {
        const kid = session.child("Kid");
        kid.toolCall({ title: "npm test" });
        kid.forget();
      },
    },
    withSubagents,
  );
  await client.ask(sessionId);
  const statuses = client.updates().filter(({ toolCallId }) => toolCallId !== undefined) as Frame[];
  expect(statuses.map(({ status }) => status)).toEqual(["pending", "failed"]);
});

it("P-SUB1-10: a client without subagents gets the text of a child session until its tool call is full", {
  timeout: 30_000,
}, async () => {
  const reports: string[] = [];
  const failures: unknown[] = [];
  const { client, sessionId } = await open(
    {
      async prompt({ session }) {
        const kid = session.child("Kid");
        const line = `${"x".repeat(20 * 1024 * 1024)}\n`;
        try {
          for (let count = 0; count < 3; count += 1) await kid.say(line);
        } catch (error) {
          failures.push(error);
        }
        kid.idle();
      },
    },
    { onDiagnostic: ({ message }) => reports.push(message) },
  );
  expect(await client.ask(sessionId)).toMatchObject({ result: { stopReason: "end_turn" } });
  expect(failures).toEqual([]);
  expect(client.updates("tool_call_update").at(-1)).toMatchObject({ status: "completed" });
  expect(reports.filter((message) => message.includes("Kid"))).toEqual([
    'Text of the subagent "Kid" was left out, because the tool call that shows it is full.',
  ]);
});
