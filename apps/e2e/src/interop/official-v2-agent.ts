import { Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk/experimental/v2";

// An agent of version 2 as somebody writes it who has only the official SDK and its documentation. The first word of a
// prompt picks the scene; without one of these words it proposes an edit of a note.

type Prompt = acp.AgentRequestContext<acp.PromptRequest>;
type Scene = (prompt: Prompt, work: AbortSignal) => Promise<"end_turn" | "cancelled" | "refusal">;
type Session = { readonly said: acp.SessionUpdate[]; work?: AbortController; style: string };

const { agent, client } = acp.methods;
const sessions = new Map<string, Session>();

const scenes: Readonly<Record<string, Scene>> = {
  /** Asks, and goes on until the work is cancelled. */
  async wait(prompt, work) {
    await tell(prompt, { sessionUpdate: "tool_call_update", toolCallId: "w", title: "Wait", status: "in_progress" });
    await tell(prompt, { sessionUpdate: "state_update", state: "requires_action" });
    const asked = ask(
      prompt,
      "May I go on?",
      { type: "command", command: "sleep", cwd: "/srv", toolCallId: "w" },
      work,
    );
    const cancelled = new Promise((resolve) => work.addEventListener("abort", resolve, { once: true }));
    const answer = await asked.catch(() => "withdrawn");
    if (!work.aborted) await cancelled;
    await tell(prompt, { sessionUpdate: "tool_call_update", toolCallId: "w", status: "cancelled" });
    await say(prompt, "m-w", `The question: ${answer}.`);
    return "cancelled";
  },

  async refuse() {
    return "refusal";
  },

  async fail() {
    throw new acp.RequestError(-32050, "The model is on holiday");
  },

  async die() {
    console.error("out of memory");
    process.exit(7);
  },
};

/** A plan, a thought, an edit that asks, and a command in a terminal of its own. */
const edit: Scene = async (prompt, work) => {
  await plan(prompt, "in_progress");
  const thought = { type: "text" as const, text: "I would shout." };
  await tell(prompt, { sessionUpdate: "agent_thought_chunk", messageId: "t-1", content: thought });
  await say(prompt, "m-1", "I look ");
  await say(prompt, "m-1", "at it.");
  const path = "/srv/note.txt";
  const text = `diff --git ${path} ${path}\n--- ${path}\n+++ ${path}\n@@ -1 +1 @@\n-note\n+NOTE\n`;
  await tell(prompt, {
    ...{ sessionUpdate: "tool_call_update", toolCallId: "e", name: "edit", title: "Shout", kind: "edit" },
    ...{ status: "pending", locations: [{ path, line: 1 }], rawInput: { path } },
    content: [
      {
        type: "diff",
        changes: [{ operation: "modify", path, fileType: "text" }],
        patch: { format: "git_patch", text },
      },
    ],
  });
  await tell(prompt, { sessionUpdate: "state_update", state: "requires_action" });
  const subject = { type: "tool_call", toolCall: { toolCallId: "e" } } as const;
  const answer = await ask(prompt, "Shall I shout?", subject, work);
  await tell(prompt, { sessionUpdate: "state_update", state: "running" });
  const status = answer === "y" ? "completed" : "failed";
  await tell(prompt, { sessionUpdate: "tool_call_update", toolCallId: "e", status });

  await tell(prompt, { sessionUpdate: "terminal_update", terminalId: "r", command: "npm test", cwd: "/srv" });
  await tell(prompt, { sessionUpdate: "tool_call_update", toolCallId: "t", title: "Test", kind: "execute" });
  const content = { type: "terminal" as const, terminalId: "r" };
  await tell(prompt, { sessionUpdate: "tool_call_content_chunk", toolCallId: "t", content });
  // A character whose bytes come in two pieces.
  for (const bytes of [Buffer.from("gr\u00fcn").subarray(0, 3), Buffer.from("gr\u00fcn\n").subarray(3)]) {
    await tell(prompt, { sessionUpdate: "terminal_output_chunk", terminalId: "r", data: bytes.toString("base64") });
  }
  await tell(prompt, { sessionUpdate: "terminal_update", terminalId: "r", exitStatus: { exitCode: 0 } });
  await tell(prompt, { sessionUpdate: "tool_call_update", toolCallId: "t", status: "completed" });
  await plan(prompt, "completed");
  await tell(prompt, { sessionUpdate: "notice", severity: "warning", title: "The index is stale" });
  await tell(prompt, { sessionUpdate: "session_info_update", title: "A note" });
  await tell(prompt, { sessionUpdate: "usage_update", used: 5, size: 50 });
  await tell(prompt, { sessionUpdate: "agent_message", messageId: "m-1", content: [{ type: "text", text: "Done." }] });
  return "end_turn";
};

function plan(prompt: Prompt, status: "in_progress" | "completed"): Promise<void> {
  const entries = [{ content: "Shout", priority: "high" as const, status }];
  return tell(prompt, { sessionUpdate: "plan_update", plan: { type: "items", planId: "p-1", entries } });
}

function say(prompt: Prompt, messageId: string, text: string): Promise<void> {
  return tell(prompt, { sessionUpdate: "agent_message_chunk", messageId, content: { type: "text", text } });
}

function tell({ client: to, params: { sessionId } }: Prompt, update: acp.SessionUpdate): Promise<void> {
  sessions.get(sessionId)?.said.push(update);
  return to.notify(client.session.update, { sessionId, update });
}

async function ask(
  { client: to, params: { sessionId } }: Prompt,
  title: string,
  subject: acp.RequestPermissionRequest["subject"],
  work: AbortSignal,
): Promise<string> {
  const options = [
    { optionId: "y", name: "Shout", kind: "allow_once" as const },
    { optionId: "n", name: "Whisper", kind: "reject_once" as const },
  ];
  const question = { sessionId, title, subject, options };
  const { outcome } = await to.request(client.session.requestPermission, question, { cancellationSignal: work });
  return "optionId" in outcome ? String(outcome.optionId) : outcome.outcome;
}

/** The whole work on one prompt, after that was answered. */
async function run(prompt: Prompt, session: Session): Promise<void> {
  session.work = new AbortController();
  await tell(prompt, { sessionUpdate: "state_update", state: "running" });
  const [block] = prompt.params.prompt;
  const [word = ""] = block?.type === "text" ? String(block.text).split(" ") : [];
  try {
    const stopReason = await (scenes[word] ?? edit)(prompt, session.work.signal);
    const idle = { sessionUpdate: "state_update", state: "idle", stopReason };
    await tell(prompt, idle as acp.SessionUpdate);
  } catch (failure) {
    const { code, message } = failure as acp.RequestError;
    await tell(prompt, { sessionUpdate: "state_update", state: "idle", stopReason: "error", error: { code, message } });
  }
}

const find = (sessionId: string): Session => {
  const session = sessions.get(sessionId);
  if (session === undefined) throw acp.RequestError.resourceNotFound(sessionId);
  return session;
};

const optionsOf = ({ style }: Session): acp.SessionConfigOption[] => [
  {
    ...{ type: "select", configId: "style", name: "Style", currentValue: style },
    options: [
      { value: "loud", name: "Loud" },
      { value: "calm", name: "Calm" },
    ],
  },
];

acp
  .agent({ name: "official-v2-agent" })
  .onRequest(agent.initialize, () => ({
    protocolVersion: 2,
    info: { name: "official-v2-agent", version: "2.4.0" },
    capabilities: { session: { delete: {} } },
  }))
  .onRequest(agent.session.new, () => {
    const sessionId = `s-${sessions.size + 1}`;
    const session = { said: [], style: "loud" };
    sessions.set(sessionId, session);
    return { sessionId, configOptions: optionsOf(session) };
  })
  .onRequest(agent.session.resume, async ({ params: { sessionId, replayFrom }, client: to }) => {
    const session = find(sessionId);
    const said = replayFrom ? session.said.filter(({ sessionUpdate }) => sessionUpdate !== "state_update") : [];
    const idle: acp.SessionUpdate = { sessionUpdate: "state_update", state: "idle" };
    for (const update of [...said, idle]) await to.notify(client.session.update, { sessionId, update });
    return { configOptions: optionsOf(session) };
  })
  .onRequest(agent.session.list, () => ({
    sessions: [...sessions.keys()].map((sessionId) => ({ sessionId, cwd: "/srv" })),
  }))
  .onRequest(agent.session.close, ({ params }) => {
    find(params.sessionId).work?.abort();
    return {};
  })
  .onRequest(agent.session.delete, ({ params }) => {
    sessions.delete(params.sessionId);
    return {};
  })
  .onRequest(agent.session.setConfigOption, ({ params }) => {
    const session = find(params.sessionId);
    if (params.value !== "loud" && params.value !== "calm") throw acp.RequestError.invalidParams();
    session.style = params.value;
    return { configOptions: optionsOf(session) };
  })
  .onNotification(agent.session.cancel, ({ params }) => sessions.get(params.sessionId)?.work?.abort())
  .onRequest(agent.session.prompt, async (prompt) => {
    const session = find(prompt.params.sessionId);
    const messageId = `u-${session.said.length}`;
    await tell(prompt, { sessionUpdate: "user_message", messageId, content: prompt.params.prompt });
    void run(prompt, session);
    return { messageId };
  })
  .connect(
    acp.ndJsonStream(
      Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
      Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
    ),
  );
