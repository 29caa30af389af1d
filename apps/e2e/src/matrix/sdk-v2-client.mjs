import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk/experimental/v2";

// A client of version 2 that follows the documentation of the official SDK: sdk-v2-client.mjs AGENT-COMMAND.

const [program, ...args] = process.argv.slice(2);
const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
const { agent, client } = acp.methods;

let session;
let finish = () => {};
const idle = new Promise((resolve) => {
  finish = resolve;
});

const app = acp
  .client({ name: "sdk-v2-client" })
  .onRequest(client.session.requestPermission, ({ params }) => {
    const option = params.options.find(({ kind }) => kind === "allow_once");
    return { outcome: option ? { outcome: "selected", optionId: option.optionId } : { outcome: "cancelled" } };
  })
  .onNotification(client.session.update, ({ params: { sessionId, update } }) => {
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
      process.stdout.write(update.content.text);
    if (sessionId === session && update.sessionUpdate === "state_update" && update.state === "idle")
      finish(update.stopReason);
  });

const stream = acp.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout));
await app.connectWith(stream, async (ctx) => {
  await ctx.request(agent.initialize, {
    protocolVersion: 2,
    info: { name: "sdk-v2-client", version: "2.4.0" },
    capabilities: {},
  });
  const { sessionId } = await ctx.request(agent.session.new, { cwd: process.cwd(), mcpServers: [] });
  session = sessionId;
  process.on("SIGINT", () => void ctx.notify(agent.session.cancel, { sessionId }));
  await ctx.request(agent.session.prompt, { sessionId, prompt: [{ type: "text", text: "Hello" }] });
  process.exitCode = (await idle) === "end_turn" ? 0 : 1;
});
child.stdin.end();
