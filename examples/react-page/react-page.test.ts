import { createAgent } from "@turnkit/agent";
import { connect } from "@turnkit/client";
import { createMemoryPair } from "@turnkit/transport/channels";
import { Window } from "happy-dom";
import { createElement } from "react";
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
    const allowed = await turn.toolCall({ title: "Dig" }).ask();
    await turn.say(allowed ? "Dug." : "Left.");
  },
});

async function openPage() {
  const { createRoot } = await import("react-dom/client");
  const { Page } = await import("./conversation.js");

  const [channel, end] = createMemoryPair();
  agent.serve(end);
  const client = await connect(channel, { info: { name: "page", version: "1.0.0" }, permissions: () => "wait" });
  const element = window.document.createElement("div");
  window.document.body.append(element);
  const root = createRoot(element as never);
  root.render(createElement(Page, { client, cwd: "/" }));
  onTestFinished(async () => {
    root.unmount();
    await client.close();
  });
  const find = async (selector: string, text = ""): Promise<{ click(): void; value: string }> =>
    vi.waitFor(() => {
      const found = [...element.querySelectorAll(selector)].find(({ textContent }) => textContent.includes(text));
      if (found === undefined) throw new Error(`no ${selector} with "${text}" in ${element.innerHTML}`);
      return found as never;
    });
  return { find, client };
}

test("the page sends a prompt, answers the question with its button, and draws the answer", async () => {
  const { find } = await openPage();
  (await find("input")).value = "Dig here";
  (await find("button", "Send")).click();
  await find("p.user", "Dig here");
  await find("p", "asking");
  (await find("fieldset button", "Allow")).click();
  await find("p.agent", "Dug.");
  await find("p", "ready");
  expect((await find("input")).value).toBe("");
});

test("the page says that its connection is lost", async () => {
  const { find, client } = await openPage();
  await find("p", "ready");
  await client.close();
  await find("[role=alert]", "The connection is lost");
  await find("p", "closed");
});
