import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createAgent } from "@turnkit/agent";
import { connect } from "@turnkit/client";
import { createWebSocketChannel, type WebSocketLike } from "@turnkit/transport/channels";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { linesOf } from "./draw.js";
import { createPageServer } from "./server.js";

const agent = createAgent({
  info: { name: "digger", version: "1.0.0" },
  newSession() {},
  async prompt(turn) {
    const allowed = await turn.toolCall({ title: "Dig" }).ask();
    await turn.say(allowed ? "Dug." : "Left.");
  },
});

async function serve() {
  const server = await createPageServer(agent);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close().closeAllConnections());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a page gets the conversation over its WebSocket, and its buttons answer the agent", async () => {
  const host = await serve();
  const socket = new WebSocket(`ws://${host}/acp`, { origin: `http://${host}` });
  const client = await connect(createWebSocketChannel(socket as WebSocketLike), {
    info: { name: "test", version: "1.0.0" },
  });
  onTestFinished(() => client.close());
  const session = await client.newSession({ cwd: "/" });
  session.subscribe(() => {
    const question = linesOf(session.state).find(({ kind }) => kind === "question");
    const button = question?.answers?.[0];
    if (button) session.answer(button.requestId, { outcome: "selected", optionId: button.optionId });
  });

  await session.prompt("Dig").ended;

  expect(linesOf(session.state).map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
    "user: Dig",
    expect.stringMatching(/^tool: Dig/),
    "agent: Dug.",
  ]);
});

test("the page and its script are served", async () => {
  const host = await serve();
  expect(await (await fetch(`http://${host}/`)).text()).toContain('src="/page.js"');
  expect(await (await fetch(`http://${host}/page.js`)).text()).toContain("session/prompt");
});

test("a page of another site opens no connection", async () => {
  const host = await serve();
  const socket = new WebSocket(`ws://${host}/acp`, { origin: "http://evil.example" });
  const [error] = await once(socket, "error");
  expect(error.message).toContain("403");
});
