import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { createAgent } from "@turnkit/agent";
import { createWebSocketChannel } from "@turnkit/transport/channels";
import { expect, it } from "vitest";
import { runSource } from "../process/source.js";
import type { FramedSocket } from "./framed-socket.js";
import { startSocketServer } from "./remote-server.js";

it("V2-REM-10, V1-STDIO-11: our client reaches our agent over the WebSocket of the platform", async () => {
  const sockets: FramedSocket[] = [];
  const agent = createAgent({
    info: { name: "platform", version: "1.0.0" },
    newSession() {},
    prompt(turn) {
      if (turn.prompt[0]?.type === "text" && turn.prompt[0].text === "leave") sockets.at(-1)?.close(1001, "Leaving");
      else turn.say("Grüße. ".repeat(20_000));
    },
  });
  const kinds: Promise<string>[] = [];
  const url = await startSocketServer((socket, path) => {
    if (path === "/none") return socket.close(1008, "Nobody is here");
    sockets.push(socket);
    kinds.push(agent.serve(createWebSocketChannel(socket)).closed.then(({ kind }) => kind));
  });
  const [node, ...args] = runSource(new URL("platform-client.ts", import.meta.url));
  // Node 20 has it behind a flag.
  const { stdout } = await promisify(execFile)(node, ["--experimental-websocket", ...args, url], { encoding: "utf8" });
  expect(JSON.parse(stdout)).toEqual({
    received: [{ type: "text", text: "Grüße. ".repeat(20_000) }],
    ends: ["local", "remote"],
    nobody: "connection_closed",
  });
  expect(await Promise.all(kinds)).toEqual(["remote", "remote"]);
});
