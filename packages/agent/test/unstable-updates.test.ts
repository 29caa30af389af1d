import { expect, test } from "vitest";
import { open } from "./raw-client.js";

const entry = { content: "a", priority: "low", status: "pending" } as const;

test("V1-UNST-09: a client without plans by id gets the one plan, and never the unstable update", async () => {
  const { client, sessionId } = await open({
    prompt({ session }) {
      session.emit({ type: "plan_update", plan: { type: "items", planId: "p", entries: [entry] } });
      session.emit({ type: "plan_update", plan: { type: "markdown", planId: "q", content: "- b" } });
      session.emit({ type: "plan_removed", planId: "p" });
    },
  });
  await client.ask(sessionId);
  const kinds = client.updates().map(({ sessionUpdate }) => sessionUpdate);
  expect(kinds.filter((kind) => kind.startsWith("plan_"))).toEqual([]);
  expect(client.updates("plan").map(({ entries }) => entries)).toEqual([[entry], []]);
  expect(client.text).toContain("- b");
});
