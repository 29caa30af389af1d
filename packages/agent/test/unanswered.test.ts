import { expect, test } from "vitest";
import { open, openAs, v2Hello } from "./raw-client.js";

const options = [{ optionId: "y", name: "Yes", kind: "allow_once" }] as const;

test("defect B9: questions that a client never answers and that end with their turn use nothing up", async () => {
  const { client, sessionId, diagnostics } = await open(
    {
      prompt(turn) {
        void turn.requestPermission({ title: "May I?", options }).then(() => undefined);
      },
    },
    { limits: { outgoingRequests: 10 } },
  );
  for (let turn = 0; turn < 50; turn++) await client.ask(sessionId);
  const asked = client.received.filter(({ method }) => method === "session/request_permission");
  expect(asked).toHaveLength(50);
  // A late answer is ours, and nothing is made of it.
  client.reply(asked[49] ?? {}, { outcome: { outcome: "cancelled" } });
  await client.ask(sessionId);
  expect(diagnostics).toEqual([]);
});

test("defect B9: of offers to cancel that never end the newest stay", async () => {
  const cancelled: number[] = [];
  const ids: string[] = [];
  const { client, sessionId } = await openAs(v2Hello, {
    newSession(_, session) {
      for (let n = 0; n < 900; n++) ids.push(session.toolCall({ title: `${n}`, onCancel: () => cancelled.push(n) }).id);
    },
    prompt({ session }) {
      for (let n = 900; n < 1_200; n++)
        ids.push(session.toolCall({ title: `${n}`, onCancel: () => cancelled.push(n) }).id);
    },
  });
  await client.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "hi" }] });
  await client.next(({ params }) => params?.update?.state === "idle");
  expect(await client.error("tool_call/cancel", { sessionId, toolCallId: ids[0] })).toMatchObject({ code: -32602 });
  await client.result("tool_call/cancel", { sessionId, toolCallId: ids[1_199] });
  expect(cancelled).toEqual([1_199]);
});
