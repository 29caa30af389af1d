import { seedDialect, v1Dialect, v2Dialect } from "@turnkit/client";
import { messageText } from "@turnkit/session";
import { expect, it } from "vitest";
import { reached, said, startCodingAgent, type WireName } from "./coding-agent.js";
import { call, type Part, say, think } from "./step.js";
import { THOUGHT_SIGNATURE } from "./wire/anthropic-messages.js";
import { SEALED_THOUGHT } from "./wire/openai-responses.js";

/** A promise, and what settles it. */
function gate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}

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

it.each<WireName>(["anthropic", "openai"])(
  "a model of another provider goes on with the same conversation, after %s",
  async (wire) => {
    const { session, server } = await startCodingAgent({
      wire,
      script: [
        [think("Let me see."), say("I look."), call("list_directory", { path: "." })],
        [say("Nothing there.")],
        [say("As my rival said.")],
      ],
    });
    await session.prompt("What is there?").ended;
    await session.setConfigOption("model", "rival/coder");
    expect(await session.prompt("Sure?").ended).toMatchObject({ stopReason: "end_turn" });
    expect(said(session.state)).toBe("I look.Nothing there.As my rival said.");
    const [first, , last] = server.requests;
    expect(last?.wire).not.toBe(first?.wire);
    for (const text of ["What is there?", "I look.", "list_directory", "Nothing there.", "Sure?"]) {
      expect(JSON.stringify(last?.body)).toContain(text);
    }
  },
);

it.each([
  ["v1", v1Dialect],
  ["v2", v2Dialect],
  ["seed", seedDialect],
])("defect P3: each answer of a turn with several answers is a message of its own: %s", async (_, dialect) => {
  const plan = call("update_plan", { entries: [{ content: "Look", status: "in_progress" }] });
  const { session } = await startCodingAgent({
    dialects: [dialect],
    script: [[say("I'll make a plan first."), plan], [say("| a |\n|---|"), plan], [say("Now I look.")]],
  });
  await session.prompt("Go").ended;
  const messages = [...session.state.timeline].flatMap((entry) =>
    entry.type === "message" && entry.role === "agent" ? [messageText(entry)] : [],
  );
  expect(messages).toEqual(["I'll make a plan first.", "| a |\n|---|", "Now I look."]);
});

it("an answer is seen while it is written", async () => {
  const seen = gate();
  async function* slowly(): AsyncGenerator<Part> {
    yield think("Hm.");
    yield say("First, ");
    // Nobody would wait for the rest if the beginning came with it.
    await seen.passed;
    yield say("second.");
  }
  const { session } = await startCodingAgent({ script: [slowly()] });
  const turn = session.prompt("Count.");
  await reached(session, (state) => said(state) === "First, " && said(state, "thought") === "Hm.");
  seen.open();
  await turn.ended;
  expect(said(session.state)).toBe("First, second.");
});

it("two sessions talk to their models at the same time, and neither hears of the other", async () => {
  const end = gate();
  async function* slowly(): AsyncGenerator<Part> {
    yield say("A begins, ");
    await end.passed;
    yield say("A ends.");
  }
  const { client, session, server, folder } = await startCodingAgent({
    script: ({ prompt }) => (prompt === "A?" ? slowly() : [say("B.")]),
  });
  const other = await client.newSession({ cwd: folder });
  await other.setConfigOption("model", "rival/coder");
  const first = session.prompt("A?");
  await reached(session, (state) => said(state) === "A begins, ");
  await other.prompt("B?").ended;
  end.open();
  await first.ended;
  expect([said(session.state), said(other.state)]).toEqual(["A begins, A ends.", "B."]);
  expect(JSON.stringify(server.requests[1]?.body)).not.toContain("A?");
});
