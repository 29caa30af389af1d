import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createAgent } from "@turnkit/agent";
import { connect } from "@turnkit/client";
import { createWebSocketChannel, type WebSocketLike } from "@turnkit/transport/channels";
import { expect, onTestFinished, test, vi } from "vitest";
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

test("the page says that its connection is lost, and why a conversation could not begin", async () => {
  const elements = new Map<string, { textContent: string }>();
  const find = (name: string) => elements.set(name, elements.get(name) ?? { textContent: "" }).get(name);
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal("document", { querySelector: find });
  let socket: WebSocket | undefined;
  const open = (url: string) => {
    socket = new WebSocket(url, { origin: url.replace("ws:", "http:").replace("/acp", "") });
    return socket;
  };
  vi.stubGlobal("WebSocket", function create(url: string) {
    return open(url);
  });
  const said = () => find("#status")?.textContent;

  vi.stubGlobal("location", { host: await serve() });
  await import("./page.js");
  expect(said()).toBe("");
  socket?.terminate();
  await vi.waitFor(() => expect(said()).toContain("Reload the page"));

  vi.stubGlobal("location", { host: "127.0.0.1:1" });
  vi.resetModules();
  await expect(import("./page.js")).rejects.toThrow();
  expect(said()).toMatch(/^The conversation could not begin: ./);
});
