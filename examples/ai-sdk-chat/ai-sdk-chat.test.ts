import { createAgent } from "@turnkit/agent";
import { connect, type Session } from "@turnkit/client";
import { createMemoryPair } from "@turnkit/transport/channels";
import { Window } from "happy-dom";
import { createElement, StrictMode } from "react";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";

const window = new Window();

beforeAll(() => {
  for (const name of ["window", "document", "navigator"] as const) vi.stubGlobal(name, window[name as "document"]);
});

afterAll(async () => {
  // React's scheduler may still have a task that reads the window.
  for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
  vi.unstubAllGlobals();
});

const agent = createAgent({
  info: { name: "digger", version: "1.0.0" },
  newSession() {},
  async prompt(turn) {
    const call = turn.toolCall({ title: "Dig" });
    if (await call.ask()) await call.run(async () => turn.say("Dug."));
    else turn.say("Left.");
  },
});

async function openPage(): Promise<Page> {
  const [channel, end] = createMemoryPair();
  agent.serve(end);
  const client = await connect(channel, { info: { name: "page", version: "1.0.0" }, permissions: () => "wait" });
  onTestFinished(() => client.close().then(() => undefined));
  return draw(await client.newSession({ cwd: "/" }));
}

type Page = {
  readonly find: (selector: string, text?: string) => Promise<{ click(): void; value: string }>;
  readonly session: Session;
};

async function draw(session: Session): Promise<Page> {
  const { createRoot } = await import("react-dom/client");
  const { ChatPage } = await import("./chat-page.js");
  const element = window.document.createElement("div");
  window.document.body.append(element);
  const root = createRoot(element as never);
  root.render(createElement(StrictMode, null, createElement(ChatPage, { session })));
  onTestFinished(() => root.unmount());
  // Lets the effects run twice, as StrictMode does. Version 7 of the AI SDK stops a chat at the end of the first time.
  for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
  const find: Page["find"] = async (selector, text = "") =>
    vi.waitFor(() => {
      const found = [...element.querySelectorAll(selector)].find(({ textContent }) => textContent.includes(text));
      if (found === undefined) throw new Error(`no ${selector} with "${text}" in ${element.innerHTML}`);
      return found as never;
    });
  return { find, session };
}

async function send({ find }: Page, text: string) {
  await find("[role=status]", "ready");
  (await find("input")).value = text;
  (await find("button", "Send")).click();
}

test("a chat asks for permission, sends the response by itself, and goes on in the same message", async () => {
  const page = await openPage();
  await send(page, "Dig here");
  (await page.find("fieldset button", "Allow")).click();
  await page.find("article.assistant p.text", "Dug.");
  await page.find("article.assistant p.tool", "Dig: output-available");
  await page.find("[role=status]", "ready");
  expect(page.session.state.timeline.length).toBe(3);
});

test("a chat that is loaded again while a question waits shows it, and its answer", async () => {
  const page = await openPage();
  await send(page, "Dig here");
  await page.find("fieldset button", "Reject");
  const again = await draw(page.session);
  await again.find("article.user p.text", "Dig here");
  // A click while the answer is read again is lost: the question comes back.
  const reject = async () => {
    (await again.find("fieldset button", "Reject")).click();
    await again.find("article.assistant p.text", "Left.");
  };
  await vi.waitFor(reject, { timeout: 10_000 });
  await again.find("article.assistant p.tool", "Dig: output-denied");
  await again.find("[role=status]", "ready");
});
