import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk";

// A client of version 1 that follows the documentation of the official SDK: sdk-client.mjs AGENT-COMMAND.

const [program, ...args] = process.argv.slice(2);
const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
const { agent, client } = acp.methods;

const app = acp
  .client({ name: "sdk-client" })
  .onRequest(client.session.requestPermission, ({ params }) => {
    const option = params.options.find(({ kind }) => kind === "allow_once");
    return { outcome: option ? { outcome: "selected", optionId: option.optionId } : { outcome: "cancelled" } };
  })
  .onNotification(client.session.update, ({ params: { update } }) => {
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
      process.stdout.write(update.content.text);
  });

const stream = acp.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout));
await app.connectWith(stream, async (ctx) => {
  await ctx.request(agent.initialize, {
    protocolVersion: acp.PROTOCOL_VERSION,
    clientInfo: { name: "sdk-client", version: "2.4.0" },
    clientCapabilities: {},
  });
  const { sessionId } = await ctx.request(agent.session.new, { cwd: process.cwd(), mcpServers: [] });
  process.on("SIGINT", () => void ctx.notify(agent.session.cancel, { sessionId }));
  const { stopReason } = await ctx.request(agent.session.prompt, {
    sessionId,
    prompt: [{ type: "text", text: "Hello" }],
  });
  process.exitCode = stopReason === "end_turn" ? 0 : 1;
});
child.stdin.end();
