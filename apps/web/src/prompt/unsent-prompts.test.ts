import { connectWith, type Session, v2Dialect } from "@turnkit/client";
import { useTurn } from "@turnkit/react";
import { createMemoryPair } from "@turnkit/transport/channels";
import { createElement } from "react";
import { expect, it, onTestFinished, vi } from "vitest";
import { draw, drawnAfter } from "../../test/page.js";
import { keepDraft } from "./drafts.js";
import { mayHaveLost } from "./kept-prompts.js";
import { PromptBox } from "./prompt-box.js";

type Frame = { readonly id?: unknown; readonly method?: string; readonly params?: any };

/** Client of an agent that answers at once, except a restore: `answer` does that. */
async function openSession() {
  const [channel, end] = createMemoryPair();
  const prompts: unknown[] = [];
  let restore: Frame | undefined;
  const answer = ({ id }: Frame, result: object) => end.send({ jsonrpc: "2.0", id, result } as never);
  const info = { name: "test", version: "1.0.0" };
  end.start({
    invalidLine: () => undefined,
    message(message) {
      const frame = message as Frame;
      const { method, params } = frame;
      if (method === "initialize") answer(frame, { protocolVersion: 2, info, capabilities: { session: {} } });
      else if (method === "session/new") answer(frame, { sessionId: "s-1" });
      else if (method === "session/resume") restore = frame;
      else if (method === "session/prompt") prompts.push(params.prompt);
    },
  });
  const client = await connectWith([v2Dialect], channel, { info });
  onTestFinished(() => client.close());
  const session = await client.newSession({ cwd: "/work" });
  const restoring = client.restore("s-1", { cwd: "/work" });
  await vi.waitUntil(() => restore);
  const restored = async () => {
    answer(restore as Frame, {});
    const outcome = await restoring;
    if (outcome.status === "unavailable") throw outcome.error;
    return outcome.session;
  };
  return { session, restored, prompts };
}

const Box = ({ session }: { readonly session: Session }) =>
  createElement(PromptBox, {
    session,
    turn: useTurn(session),
    takesImages: true,
    listFiles: async () => [],
    isFocused: false,
    isConnected: true,
    onSend: () => undefined,
  });

it("defect E30: a prompt that is sent while the earlier entries are loaded is sent once, when they are there", async () => {
  const { session, restored, prompts } = await openSession();
  keepDraft("s-1", "Meanwhile");
  const { element, render } = await draw(createElement(Box, { session }));
  const form = (element as unknown as Element).querySelector("form");
  await drawnAfter(() => form?.requestSubmit());
  expect([form?.querySelector("textarea")?.value, prompts]).toEqual(["", []]);
  let whole = session;
  await drawnAfter(async () => {
    whole = await restored();
  });
  await render(createElement(Box, { session: whole }));
  await vi.waitUntil(() => prompts.length > 0);
  expect(prompts).toEqual([[{ type: "text", text: "Meanwhile" }]]);
  // The page waits for the end of this prompt.
  expect(mayHaveLost("s-1")).toBe(false);
});
