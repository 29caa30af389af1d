import { Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk";

// An agent as somebody writes it who has only the official SDK and its documentation. The first word of a prompt picks
// the scene; without one of these words it edits the file that the prompt links.

let hasTerminals = false;

type Prompt = acp.AgentRequestContext<acp.PromptRequest>;
type Scene = (prompt: Prompt, cancel: AbortSignal) => Promise<acp.StopReason>;

const scenes: Readonly<Record<string, Scene>> = {
  /** Starts a command that never ends; stops when the turn is cancelled. */
  async wait(prompt, cancel) {
    await tell(prompt, { sessionUpdate: "tool_call", toolCallId: "wait", title: "Serve", kind: "execute" });
    await using terminal = await runNode(prompt, "console.log('serving'); setInterval(() => {}, 60_000)");
    await tell(prompt, {
      ...{ sessionUpdate: "tool_call_update", toolCallId: "wait", status: "in_progress" },
      content: [{ type: "terminal", terminalId: terminal.id }],
    });
    const stop = () => void terminal.kill();
    cancel.addEventListener("abort", stop);
    if (cancel.aborted) stop();
    const { exitCode, signal } = await terminal.waitForExit();
    await tell(prompt, { sessionUpdate: "tool_call_update", toolCallId: "wait", status: "failed" });
    await say(prompt, `The command ended: ${signal ?? exitCode}.\n`);
    return cancel.aborted ? "cancelled" : "end_turn";
  },

  /** Does not heed anybody who wants it to stop. */
  async ignore(prompt) {
    process.on("SIGTERM", () => undefined);
    setInterval(() => undefined, 60_000);
    await say(prompt, "I shall not stop.\n");
    return new Promise(() => undefined);
  },

  /** Asks for a file that is none of its business. */
  async peek(prompt) {
    const asked = prompt.client.request(acp.methods.client.fs.readTextFile, {
      sessionId: prompt.params.sessionId,
      path: "/etc/passwd",
    });
    await asked.then(
      ({ content }) => say(prompt, content),
      ({ code }: acp.RequestError) => say(prompt, `refused with ${code}`),
    );
    return "end_turn";
  },

  async refuse() {
    return "refusal";
  },

  async fail() {
    throw new acp.RequestError(-32603, "The model is on holiday");
  },

  async die() {
    console.error("out of memory");
    process.exit(7);
  },

  /** Imitates a forgotten `console.log`: a line lands between the messages. */
  async chatter(prompt) {
    console.log("debug: got a prompt");
    console.log("debug: its length is", prompt.params.prompt.length);
    await say(prompt, "Did you see that?\n");
    return "end_turn";
  },
};

/** Looks at a file, proposes an edit, and runs a command on it. */
const edit: Scene = async (prompt, cancel) => {
  const { client, params } = prompt;
  const { sessionId } = params;
  const link = params.prompt.find((block) => block.type === "resource_link");
  const path = new URL(link?.uri ?? "file:///nothing").pathname;
  const plan = (...statuses: acp.PlanEntryStatus[]) =>
    tell(prompt, {
      sessionUpdate: "plan",
      entries: ["Read", "Edit", "Test"].map((content, at) => ({
        ...{ content, priority: at === 1 ? "high" : "medium", status: statuses[at] ?? "pending" },
      })),
    });

  await plan("in_progress");
  await tell(prompt, { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "A note, I think." } });
  await say(prompt, `I look at ${link?.name}. `);
  await say(prompt, "Then I edit it.\n");
  await tell(prompt, {
    ...{ sessionUpdate: "tool_call", toolCallId: "read", title: "Read the note", kind: "read", status: "in_progress" },
    locations: [{ path, line: 1 }],
  });
  const { content: before } = await client.request(acp.methods.client.fs.readTextFile, { sessionId, path });
  await tell(prompt, {
    ...{ sessionUpdate: "tool_call_update", toolCallId: "read", status: "completed" },
    content: [{ type: "content", content: { type: "text", text: before } }],
  });

  await plan("completed", "in_progress");
  const after = before.toUpperCase();
  const toolCall: acp.ToolCall = {
    ...{ toolCallId: "edit", title: "Shout", kind: "edit", status: "pending" },
    content: [{ type: "diff", path, oldText: before, newText: after }],
    rawInput: { path },
  };
  await tell(prompt, { sessionUpdate: "tool_call", ...toolCall });
  const { outcome } = await client.request(acp.methods.client.session.requestPermission, {
    ...{ sessionId, toolCall },
    options: [
      { optionId: "y", name: "Shout", kind: "allow_once" },
      { optionId: "n", name: "Whisper", kind: "reject_once" },
    ],
  });
  if (outcome.outcome === "selected" && outcome.optionId === "y") {
    await client.request(acp.methods.client.fs.writeTextFile, { sessionId, path, content: after });
    await tell(prompt, { sessionUpdate: "tool_call_update", toolCallId: "edit", status: "completed" });
  } else {
    await tell(prompt, { sessionUpdate: "tool_call_update", toolCallId: "edit", status: "failed" });
    await say(prompt, "Then I leave it.\n");
  }
  // Not before: the SDK settles an answer before it has told what came in front of it, here `session/cancel`.
  if (cancel.aborted) return "cancelled";

  await plan("completed", "completed", "in_progress");
  await tell(prompt, { sessionUpdate: "tool_call", toolCallId: "test", title: "Test it", kind: "execute" });
  if (!hasTerminals) {
    await tell(prompt, { sessionUpdate: "tool_call_update", toolCallId: "test", status: "failed" });
    await say(prompt, "I cannot run the test.\n");
    return "end_turn";
  }
  const terminal = await runNode(prompt, "console.log('2 passed'); console.log('gr\\u00fcn'); process.exitCode = 3");
  await tell(prompt, {
    ...{ sessionUpdate: "tool_call_update", toolCallId: "test", status: "in_progress" },
    content: [{ type: "terminal", terminalId: terminal.id }],
  });
  const { exitCode } = await terminal.waitForExit();
  const { output } = await terminal.currentOutput();
  await terminal.release();
  await tell(prompt, {
    ...{ sessionUpdate: "tool_call_update", toolCallId: "test", status: "completed" },
    rawOutput: { exitCode, output },
  });

  await plan("completed", "completed", "completed");
  modes.currentModeId = "rest";
  await tell(prompt, { sessionUpdate: "current_mode_update", currentModeId: "rest" });
  await tell(prompt, { sessionUpdate: "session_info_update", title: "A note" });
  await tell(prompt, { sessionUpdate: "usage_update", used: 50, size: 200 });
  await say(prompt, "Done.\n");
  return "end_turn";
};

function tell({ client, params }: Prompt, update: acp.SessionUpdate): Promise<void> {
  return client.notify(acp.methods.client.session.update, { sessionId: params.sessionId, update });
}

function say(prompt: Prompt, text: string): Promise<void> {
  return tell(prompt, { sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
}

function runNode({ client, params }: Prompt, script: string): Promise<acp.TerminalHandle> {
  return client.createTerminal({ sessionId: params.sessionId, command: process.execPath, args: ["-e", script] });
}

const modes = {
  currentModeId: "work",
  availableModes: [
    { id: "work", name: "Work" },
    { id: "rest", name: "Rest" },
    { id: "root", name: "Root" },
  ],
};
const turns = new Map<string, AbortController>();
let sessions = 0;

acp
  .agent({ name: "official-agent" })
  .onRequest(acp.methods.agent.initialize, ({ params }) => {
    hasTerminals = params.clientCapabilities?.terminal === true;
    return {
      protocolVersion: acp.PROTOCOL_VERSION,
      agentInfo: { name: "official-agent", version: "2.4.0" },
      agentCapabilities: {},
    };
  })
  .onRequest(acp.methods.agent.session.new, () => {
    sessions += 1;
    return { sessionId: `s-${sessions}`, modes };
  })
  .onRequest(acp.methods.agent.session.setMode, ({ params }) => {
    if (params.modeId === "root") throw acp.RequestError.invalidParams();
    modes.currentModeId = params.modeId;
  })
  .onNotification(acp.methods.agent.session.cancel, ({ params }) => turns.get(params.sessionId)?.abort())
  .onRequest(acp.methods.agent.session.prompt, async (prompt) => {
    const turn = new AbortController();
    turns.set(prompt.params.sessionId, turn);
    const [block] = prompt.params.prompt;
    const [word = ""] = block?.type === "text" ? block.text.split(" ") : [];
    return { stopReason: await (scenes[word] ?? edit)(prompt, turn.signal) };
  })
  .connect(
    acp.ndJsonStream(
      Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
      Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
    ),
  );
