import { createRawPeer, type Frame } from "./raw-lines.js";

// An agent as somebody wrote it in June 2026 who had the draft of version 2 of those days and no library. It is strict
// about what that draft requires. The first word of a prompt picks the scene.

type Session = { readonly said: Frame[]; mode: string; cancel?: () => void };

const sessions = new Map<string, Session>();
let client = "";
let user = "";

const peer = createRawPeer(process.stdin, process.stdout, ({ method, params }) => {
  const handle = calls[method];
  if (handle === undefined) throw { code: -32601, message: `Method not found: ${method}` };
  return handle(params);
});
void peer.ended.then(() => process.exit(0));

const calls: Readonly<Record<string, (params: Frame) => object | undefined | Promise<object>>> = {
  initialize({ clientInfo, capabilities }) {
    must(typeof clientInfo?.name === "string" && typeof capabilities === "object", "clientInfo and capabilities");
    client = clientInfo.name;
    return {
      protocolVersion: 2,
      agentInfo: { name: "seed-agent", version: "0.6.0" },
      capabilities: {
        session: { prompt: {}, mcp: { stdio: {} }, load: {}, list: {}, resume: {}, close: {}, delete: {} },
        auth: { logout: {} },
      },
      authMethods: [{ type: "agent", id: "web", name: "Sign in" }],
    };
  },
  authenticate({ methodId }) {
    must(methodId === "web", "methodId");
    user = methodId;
    return {};
  },
  logout() {
    user = "";
    return {};
  },
  "session/new"(params) {
    mustPlace(params);
    const sessionId = `seed-${sessions.size + 1}`;
    sessions.set(sessionId, { said: [], mode: "ask" });
    setImmediate(() => tell(sessionId, commands, false));
    return { sessionId, configOptions: options(sessionId) };
  },
  "session/load"(params) {
    mustPlace(params);
    for (const update of find(params.sessionId).said) tell(params.sessionId, update, false);
    return { configOptions: options(params.sessionId) };
  },
  "session/list": () => ({ sessions: [...sessions.keys()].map((sessionId) => ({ sessionId, cwd: "/" })) }),
  "session/close"({ sessionId }) {
    find(sessionId).cancel?.();
    return {};
  },
  "session/delete"({ sessionId }) {
    sessions.delete(sessionId);
    return {};
  },
  "session/set_config_option"({ sessionId, configId, value }) {
    must(configId === "mode" && (value === "ask" || value === "yolo"), "configId and value");
    find(sessionId).mode = value;
    return { configOptions: options(sessionId) };
  },
  "session/cancel"({ sessionId }) {
    find(sessionId).cancel?.();
    return undefined;
  },
  async "session/prompt"({ sessionId, prompt }) {
    const [word = ""] = (prompt[0].text as string).split(" ");
    tell(sessionId, { sessionUpdate: "user_message", messageId: `u-${find(sessionId).said.length}`, content: prompt });
    return { stopReason: await (scenes[word] ?? edit)(sessionId) };
  },
};

const commands = {
  sessionUpdate: "available_commands_update",
  availableCommands: [{ name: "edit", description: "Edits", input: { hint: "file" } }],
};

const options = (sessionId: string) => [
  {
    ...{ type: "select", id: "mode", category: "mode", name: "Mode", currentValue: find(sessionId).mode },
    options: [
      { value: "ask", name: "Ask" },
      { value: "yolo", name: "Do not ask" },
    ],
  },
];

const scenes: Readonly<Record<string, (sessionId: string) => Promise<string>>> = {
  async whoami(sessionId) {
    say(sessionId, "m-who", `You are ${user || "nobody"} with ${client}.`);
    return "_budget_spent";
  },
  async fail() {
    throw { code: -32050, message: "The model is on holiday" };
  },
  /** Asks twice and waits; the draft has the client answer both when it cancels. */
  async wait(sessionId) {
    tell(sessionId, { sessionUpdate: "tool_call_update", toolCallId: "w", title: "Wait", status: "in_progress" });
    const cancelled = new Promise<void>((resolve) => {
      find(sessionId).cancel = resolve;
    });
    const answers = await Promise.all([ask(sessionId, { toolCallId: "w" }), ask(sessionId, { toolCallId: "w" })]);
    await cancelled;
    tell(sessionId, { sessionUpdate: "tool_call_update", toolCallId: "w", status: "failed" });
    say(sessionId, "m-w", `Answers: ${answers.join(", ")}.`);
    return "cancelled";
  },
};

async function edit(sessionId: string): Promise<string> {
  plan(sessionId, "in_progress");
  const thought = { type: "text", text: "I would shout." };
  tell(sessionId, { sessionUpdate: "agent_thought_chunk", messageId: "t-1", content: thought });
  say(sessionId, "m-1", "I look ");
  say(sessionId, "m-1", "at it.");
  const diff = { type: "diff", path: "/srv/note.txt", oldText: "note\n", newText: "NOTE\n" };
  const call = {
    toolCallId: "e",
    title: "Shout",
    kind: "edit",
    status: "pending",
    locations: [{ path: "/srv/note.txt" }],
  };
  tell(sessionId, { sessionUpdate: "tool_call_update", ...call, content: [diff] });
  const outcome = find(sessionId).mode === "yolo" ? "yolo" : await ask(sessionId, { toolCallId: "e", title: "Shout" });
  const content = { type: "content", content: { type: "text", text: `answer: ${outcome}` } };
  tell(sessionId, { sessionUpdate: "tool_call_content_chunk", toolCallId: "e", content });
  const status = outcome === "y" || outcome === "yolo" ? "completed" : "failed";
  tell(sessionId, { sessionUpdate: "tool_call_update", toolCallId: "e", status });
  plan(sessionId, "completed");
  tell(sessionId, { sessionUpdate: "usage_update", used: 5, size: 50 });
  tell(sessionId, {
    sessionUpdate: "agent_message",
    messageId: "m-1",
    content: [{ type: "text", text: "I am done." }],
  });
  return "end_turn";
}

function plan(sessionId: string, status: string): void {
  const entries = [{ content: "Shout", priority: "high", status }];
  tell(sessionId, { sessionUpdate: "plan_update", plan: { type: "items", id: "p-1", entries } });
}

function say(sessionId: string, messageId: string, text: string): void {
  tell(sessionId, { sessionUpdate: "agent_message_chunk", messageId, content: { type: "text", text } });
}

/** The chosen option, or what else the outcome is. */
async function ask(sessionId: string, toolCall: Frame): Promise<string> {
  const { result } = await peer.request("session/request_permission", {
    ...{ sessionId, toolCall },
    options: [
      { optionId: "y", name: "Shout", kind: "allow_once" },
      { optionId: "n", name: "Whisper", kind: "reject_once" },
    ],
  });
  return result?.outcome?.optionId ?? result?.outcome?.outcome ?? "no answer";
}

function tell(sessionId: string, update: Frame, isNew = true): void {
  if (isNew) find(sessionId).said.push(update);
  peer.notify("session/update", { sessionId, update });
}

function find(sessionId: string): Session {
  const session = sessions.get(sessionId);
  if (session === undefined) throw { code: -32002, message: "Resource not found" };
  return session;
}

function mustPlace({ cwd, mcpServers }: Frame): void {
  must(typeof cwd === "string" && Array.isArray(mcpServers), "cwd and mcpServers");
  const whole = mcpServers.every((one: Frame) => Array.isArray(one.args) && Array.isArray(one.env));
  must(whole, "args and env of each server");
}

function must(isSound: boolean, what: string): void {
  if (!isSound) throw { code: -32602, message: `Invalid params: ${what} are required` };
}
