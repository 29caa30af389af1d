import { randomUUID } from "node:crypto";
import { Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk";

// An agent of version 1 that follows the documentation of the official SDK. Some prompts cause the behaviour that
// checks need.

const sessions = new Map();
const { agent, client } = acp.methods;

const tell = (ctx, update) => ctx.client.notify(client.session.update, { sessionId: ctx.params.sessionId, update });
const say = (ctx, text) => tell(ctx, { sessionUpdate: "agent_message_chunk", content: { type: "text", text } });

const scenes = {
  async long(ctx, signal) {
    await say(ctx, "I begin.");
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  },
  async permission(ctx, signal) {
    const call = { toolCallId: randomUUID(), title: "Write conformance.txt", kind: "edit", status: "pending" };
    await tell(ctx, { sessionUpdate: "tool_call", ...call });
    const { outcome } = await ctx.client.request(client.session.requestPermission, {
      sessionId: ctx.params.sessionId,
      toolCall: call,
      options: [
        { kind: "allow_once", name: "Allow", optionId: "allow" },
        { kind: "reject_once", name: "Skip", optionId: "reject" },
      ],
    });
    if (signal.aborted) return;
    const status = outcome.outcome === "selected" && outcome.optionId === "allow" ? "completed" : "failed";
    await tell(ctx, { sessionUpdate: "tool_call_update", toolCallId: call.toolCallId, status });
  },
};

const app = acp
  .agent({ name: "sdk-agent" })
  .onRequest(agent.initialize, () => ({
    protocolVersion: acp.PROTOCOL_VERSION,
    agentInfo: { name: "sdk-agent", version: "2.4.0" },
    agentCapabilities: { loadSession: false },
  }))
  .onRequest(agent.session.new, () => {
    const sessionId = randomUUID();
    sessions.set(sessionId, undefined);
    return { sessionId };
  })
  .onNotification(agent.session.cancel, ({ params }) => sessions.get(params.sessionId)?.abort())
  .onRequest(agent.session.prompt, async (ctx) => {
    const { sessionId, prompt } = ctx.params;
    if (!sessions.has(sessionId)) throw acp.RequestError.resourceNotFound(sessionId);
    const turn = new AbortController();
    sessions.set(sessionId, turn);
    const scene = prompt[0]?.type === "text" ? scenes[prompt[0].text] : undefined;
    await (scene ?? ((one) => say(one, "Hello.")))(ctx, turn.signal);
    return { stopReason: turn.signal.aborted ? "cancelled" : "end_turn" };
  });

app.connect(acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
