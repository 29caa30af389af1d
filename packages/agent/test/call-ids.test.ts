import { expect, test } from "vitest";
import { open } from "./raw-client.js";

test("a session remembers the newest 10 000 ids that the agent chose, and no more", async () => {
  const thrown: unknown[] = [];
  const { client, sessionId } = await open(
    {
      prompt({ session }) {
        const call = (id: number) => session.toolCall({ toolCallId: `call-${id}`, title: "Read", status: "completed" });
        for (let at = 0; at <= 10_000; at += 1) call(at);
        for (const again of [1, 0]) {
          try {
            call(again);
          } catch (error) {
            thrown.push(again, error);
          }
        }
      },
    },
    { limits: { stateBytes: 100_000 } },
  );
  await client.ask(sessionId);
  expect(thrown).toEqual([1, expect.objectContaining({ code: "state" })]);
});
