import { createAgent } from "@turnkit/agent";
import { connect } from "@turnkit/client";
import { createGate } from "@turnkit/testing";
import { createWebSocketChannel } from "@turnkit/transport/channels";
import { expect, it } from "vitest";
import { FramedSocket } from "./framed-socket.js";
import { startSocketServer } from "./remote-server.js";

const info = { name: "pace", version: "1.0.0" };
const pieces = 1_000;
const piece = "x".repeat(32 * 1024);

it("a slow listener holds up an agent over a WebSocket that can be paused, and nothing is lost", async () => {
  let said = 0;
  const agent = createAgent({
    info,
    newSession() {},
    async prompt(turn) {
      for (; said < pieces; said += 1) await turn.say(`${said} ${piece}`);
    },
  });
  const url = await startSocketServer((socket) => void agent.serve(createWebSocketChannel(socket)));
  const client = await connect(createWebSocketChannel(new FramedSocket(url)), { info });
  const gate = createGate();
  const received: number[] = [];
  const session = await client.newSession({ cwd: "/srv" }, async (event) => {
    if (event.type !== "agent_message_chunk" || event.content.type !== "text") return;
    await gate.opened;
    received.push(Number.parseInt(event.content.text, 10));
  });
  const turn = session.prompt("go");
  // What lies in the network's buffers is not ours to bound: it stops somewhere before the end.
  for (let quiet = 0, before = -1; quiet < 300; quiet = said === before ? quiet + 1 : 0) {
    before = said;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(said).toBeGreaterThan(100);
  expect(said).toBeLessThan(pieces * 0.8);
  gate.open();
  expect(await turn.ended).toMatchObject({ stopReason: "end_turn" });
  expect(received).toEqual(Array.from({ length: pieces }, (_, n) => n));
  await client.close();
});
