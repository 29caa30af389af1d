import { expect, it } from "vitest";
import { said, startCodingAgent, type WireName } from "./coding-agent.js";
import { call, say, think } from "./step.js";
import { THOUGHT_SIGNATURE } from "./wire/anthropic-messages.js";
import { SEALED_THOUGHT } from "./wire/openai-responses.js";

it.each<[WireName, string]>([
  ["anthropic", THOUGHT_SIGNATURE],
  ["openai", SEALED_THOUGHT],
])("thoughts are shown apart from the answer, and go back as the provider wants them: %s", async (wire, seal) => {
  const { session, server } = await startCodingAgent({
    wire,
    script: [
      [think("Let me see."), call("list_directory", { path: "." })],
      [think("So it is."), say("Nothing there.")],
    ],
  });
  await session.prompt("What is there?").ended;
  expect(said(session.state, "thought")).toContain("Let me see.");
  expect(said(session.state)).toBe("Nothing there.");
  const sent = JSON.stringify(server.requests[1]?.body);
  expect(sent).toContain("Let me see.");
  expect(sent).toContain(seal);
});
