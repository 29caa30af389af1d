import { randomUUID } from "node:crypto";
import { Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk/experimental/v2";

// An agent of version 2 that follows the documentation of the official SDK. Some prompts cause the behaviour that
// checks need.

const sessions = new Map();
const { agent, client } = acp.methods;

const tell = (ctx, update) => {
  const { sessionId } = ctx.params;
  const said = sessions.get(sessionId)?.said;
  if (update.sessionUpdate !== "state_update") said?.push(update);
  return ctx.client.notify(client.session.update, { sessionId, update });
};
const say = (ctx, text) =>
  tell(ctx, { sessionUpdate: "agent_message_chunk", messageId: randomUUID(), content: { type: "text", text } });
const state = (ctx, name, more) => tell(ctx, { sessionUpdate: "state_update", state: name, ...more });

const scenes = {
  async long(ctx, signal) {
    await say(ctx, "I begin.");
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  },
  async permission(ctx, signal) {
    const toolCallId = randomUUID();
    const call = { sessionUpdate: "tool_call_update", toolCallId };
    await tell(ctx, { ...call, title: "Write conformance.txt", kind: "edit", status: "pending" });
    await state(ctx, "requires_action");
    const { sessionId } = ctx.params;
    const options = [
      { kind: "allow_once", name: "Allow", optionId: "allow" },
      { kind: "reject_once", name: "Skip", optionId: "reject" },
    ];
    const subject = { type: "tool_call", toolCall: { toolCallId } };
    const question = { sessionId, title: "Write conformance.txt?", subject, options };
    const { outcome } = await ctx.client.request(client.session.requestPermission, question, {
      cancellationSignal: signal,
    });
    if (signal.aborted) return;
    await state(ctx, "running");
    const isAllowed = outcome.outcome === "selected" && outcome.optionId === "allow";
    await tell(ctx, { ...call, status: isAllowed ? "completed" : "failed" });
  },
};

async function work(ctx, turn) {
  const [block] = ctx.params.prompt;
  const scene = block?.type === "text" ? scenes[block.text] : undefined;
  await state(ctx, "running");
  try {
    await (scene ?? ((one) => say(one, "Hello.")))(ctx, turn.signal);
    await state(ctx, "idle", { stopReason: turn.signal.aborted ? "cancelled" : "end_turn" });
  } catch (failure) {
    const { code = -32603, message } = failure;
    const end = turn.signal.aborted ? { stopReason: "cancelled" } : { stopReason: "error", error: { code, message } };
    await state(ctx, "idle", end);
  }
}

const find = (sessionId) => {
  const session = sessions.get(sessionId);
  if (session === undefined) throw acp.RequestError.resourceNotFound(sessionId);
  return session;
};

acp
  .agent({ name: "sdk-v2-agent" })
  .onRequest(agent.initialize, () => ({
    protocolVersion: 2,
    info: { name: "sdk-v2-agent", version: "2.4.0" },
    capabilities: { session: {} },
  }))
  .onRequest(agent.session.new, ({ params }) => {
    const sessionId = randomUUID();
    sessions.set(sessionId, { cwd: params.cwd, said: [], turn: undefined });
    return { sessionId };
  })
  .onRequest(agent.session.list, ({ params }) => ({
    sessions: [...sessions]
      .filter(([, { cwd }]) => params.cwd == null || params.cwd === cwd)
      .map(([sessionId, { cwd }]) => ({ sessionId, cwd })),
  }))
  .onRequest(agent.session.resume, async ({ params: { sessionId, replayFrom }, client: to }) => {
    const { said } = find(sessionId);
    const idle = { sessionUpdate: "state_update", state: "idle" };
    for (const update of [...(replayFrom ? said : []), idle])
      await to.notify(client.session.update, { sessionId, update });
    return {};
  })
  .onRequest(agent.session.close, async ({ params: { sessionId } }) => {
    const session = find(sessionId);
    session.turn?.abort();
    await session.work;
    sessions.delete(sessionId);
    return {};
  })
  .onNotification(agent.session.cancel, ({ params }) => sessions.get(params.sessionId)?.turn?.abort())
  .onRequest(agent.session.prompt, async (ctx) => {
    const session = find(ctx.params.sessionId);
    const messageId = randomUUID();
    await tell(ctx, { sessionUpdate: "user_message", messageId, content: ctx.params.prompt });
    session.turn = new AbortController();
    session.work = work(ctx, session.turn);
    return { messageId };
  })
  .connect(acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
