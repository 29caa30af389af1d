import { createAgent } from "@turnkit/agent";
import { allowOnce, connect } from "@turnkit/client";
import { openRemote, type RemoteOptions } from "@turnkit/remote/client";
import type { Listening } from "@turnkit/remote/node";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { serveApp } from "./hono.js";
import { serveAgent } from "./plain.js";

const agent = createAgent({
  info: { name: "digger", version: "1.0.0" },
  newSession() {},
  async prompt(turn) {
    const allowed = await turn.toolCall({ title: "Dig" }).ask();
    await turn.say(allowed ? "Dug." : "Left.");
  },
});

const webSocket: RemoteOptions["webSocket"] = (url, { headers, protocols }) =>
  new WebSocket(url, [...protocols], { headers });

async function dig({ url, close }: Listening, scheme: "http" | "ws", path: string, token?: string): Promise<string> {
  onTestFinished(close);
  const address = new URL(path, url).href.replace("http", scheme);
  const channel = await openRemote(address, { webSocket, ...(token !== undefined && { token }) });
  const client = await connect(channel, { info: { name: "test", version: "1.0.0" }, permissions: allowOnce });
  const session = await client.newSession({ cwd: "/" });
  await session.prompt("Dig").ended;
  const told = JSON.stringify([...session.state.timeline]);
  await client.close();
  return told;
}

test.each(["http", "ws"] as const)("an agent behind a plain server answers over %s", async (scheme) => {
  expect(await dig(await serveAgent(agent, "secret"), scheme, "/acp", "secret")).toContain("Dug.");
});

test("a client without the token is refused", async () => {
  await expect(dig(await serveAgent(agent, "secret"), "http", "/acp", "other")).rejects.toThrow("401");
});

test("a page's WebSocket, which has its token as a subprotocol, is let in; one with another token is not", async () => {
  const { url, close } = await serveAgent(agent, "secret");
  onTestFinished(close);
  const opened = (token: string) =>
    new Promise<string>((resolve) => {
      const socket = new WebSocket(url.replace("http", "ws"), ["acp", `acp-token.${token}`]);
      socket.once("error", ({ message }) => resolve(message));
      socket.once("open", () => {
        resolve(socket.protocol);
        socket.close();
      });
    });
  expect(await opened("secret")).toBe("acp");
  expect(await opened("other")).toContain("401");
});

test.each(["http", "ws"] as const)("an agent mounted in Hono answers over %s", async (scheme) => {
  expect(await dig(await serveApp(agent), scheme, "/acp")).toContain("Dug.");
});

test("the other routes of the app are served too", async () => {
  const { url, close } = await serveApp(agent);
  onTestFinished(close);
  expect(await (await fetch(new URL("/health", url))).text()).toBe("ok");
});
