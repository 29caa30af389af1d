import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { echo, idle } from "./draft-agent.js";
import { known, lose, restore } from "./lost-prompt.js";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const piece = (text: string, messageId = "u-1") => ({
  sessionUpdate: "user_message_chunk",
  messageId,
  content: { type: "text", text },
});
const words = [{ type: "text" as const, text: "delete the folder tmp" }];

describe("a lost prompt that the agent had begun to repeat", () => {
  test.each([
    ["a part of it", piece("delete the folder")],
    ["other words", echo("u-1", "The user said: delete the folder tmp")],
    ["the message of somebody else", echo("u-1", "stop")],
  ])("P-IDEM-03, P-RETRY-06, defect K2: is sent again as it was submitted, after %s", async (_, echoed) => {
    const _meta = { "example.com": 1 };
    const { agents, retry, key } = await lose({ content: words, options: { _meta }, echoed: [echoed] });
    const retried = retry({ evidence: known() });
    const agent = await restore(agents, 0, 500, echoed);
    const again = await agent.call("session/prompt");
    expect(again.params).toEqual({ sessionId: "s-1", idempotencyKey: key, prompt: words, _meta });
    agent.answer(again, { messageId: "u-1" });
    expect(await retried).toMatchObject({ status: "sent" });
  });

  test.each([
    ["whole", echo("u-1", "delete the folder tmp")],
    ["in other words", echo("u-1", "The user said: delete the folder tmp")],
  ])("P-RETRY-06, defect K2: is inserted if the replay has it %s, under the id of the echo", async (_, replayed) => {
    const { agents, retry } = await lose({ content: words, echoed: [piece("delete the folder")] });
    const retried = retry();
    await restore(agents, 0, 500, replayed);
    expect(await retried).toMatchObject({ status: "inserted", messageId: "u-1" });
  });

  test("P-RETRY-06, defect K2: is inserted under the id of the echo, also if another lost prompt has its content", async () => {
    const { agents, retries } = await lose({ prompts: 2, echoed: [echo("u-1")] });
    for (const [at, outcome] of [{ status: "inserted", messageId: "u-1" }, { status: "unknown" }].entries()) {
      const retried = retries[at]?.();
      await restore(agents, agents.length, 500, echo("u-1"));
      expect(await retried).toMatchObject(outcome);
    }
  });

  test("P-RETRY-06: is found by its content, if the echo was the message of somebody else", async () => {
    const { agents, retry } = await lose({ content: words, echoed: [echo("u-1", "stop")] });
    const retried = retry();
    await restore(agents, 0, 500, echo("u-1", "stop"), echo("u-2", "delete the folder tmp"));
    expect(await retried).toMatchObject({ status: "inserted", messageId: "u-2" });
  });

  test("P-RETRY-06: stays unknown if the replay does not have the id of the echo", async () => {
    const { agents, retry } = await lose({ content: words, echoed: [piece("delete the folder")] });
    const retried = retry();
    await restore(agents, 0, 500, echo("u-2", "delete the folder"), idle());
    expect(await retried).toMatchObject({ status: "unknown" });
  });
});

test.each([
  ["in pieces", [piece("delete the "), piece("folder tmp")]],
  [
    "with its members in another order",
    [{ ...echo("u-1"), content: [{ text: "delete the folder tmp", type: "text" }] }],
  ],
  ["with absent members as null", [{ ...echo("u-1"), content: [{ ...words[0], annotations: null }] }]],
])("P-RETRY-06, defect K2: a lost prompt is found in a replay that has it %s", async (_, replay) => {
  const { agents, retry } = await lose({ content: [{ ...words[0]!, annotations: undefined } as never] });
  const retried = retry();
  await restore(agents, 0, 500, ...replay);
  expect(await retried).toMatchObject({ status: "inserted", messageId: "u-1" });
});
