import type { ClientTask } from "../../src/client/client-pipe.js";
import type { DialectName } from "../../src/dialects/dialect.js";
import { ModelClient } from "./model-client.js";
import { addClientTools } from "./model-client-tools.js";
import { failure, type Loose } from "./model-session.js";

/** Creates a correct client. It begins with its task when its pipe is taken. */
export function correctClient(dialect: DialectName, task: ClientTask = {}): ModelClient {
  const client = new ModelClient(dialect);
  client.task = task;
  const state: State = { sessionId: undefined, isPrompting: false, isCancelled: false, ended: () => {} };
  addUpdates(client, state);
  addQuestions(client, state);
  addClientTools(client);
  client.onInterrupt = () => {
    if (!state.isPrompting || state.isCancelled) return;
    state.isCancelled = true;
    client.notify("session/cancel", { sessionId: state.sessionId });
    client.emitCancel();
  };
  // Mutants change the client before its first message.
  queueMicrotask(() => queueMicrotask(() => void run(client, state).catch(() => client.quit(1))));
  return client;
}

type State = { sessionId: unknown; isPrompting: boolean; isCancelled: boolean; ended: (reason: string) => void };

const info = { name: "model-client", version: "1.0.0" };

function hello({ dialect }: ModelClient): Loose {
  if (dialect.name === "v1") {
    return {
      ...{ protocolVersion: 1, clientInfo: info },
      clientCapabilities: {
        fs: { readTextFile: true, writeTextFile: true },
        terminal: true,
        elicitation: { form: {} },
        subagents: {},
      },
    };
  }
  const capabilities = { elicitation: { form: {} } };
  return dialect.name === "v2"
    ? { protocolVersion: 2, info, capabilities }
    : { protocolVersion: 2, clientInfo: info, capabilities };
}

async function run(client: ModelClient, state: State): Promise<void> {
  const result = async (method: string, params: Loose) => {
    const answer = await client.ask(method, params);
    if (answer.error !== undefined || answer.result === undefined) throw new Error(`${method} failed`);
    return answer.result as Loose;
  };
  const { dialect, folder, task } = client;
  const agreed = await result("initialize", hello(client));
  if (!dialect.agrees(agreed)) return client.quit(1);
  const place = dialect.name === "v2" ? { cwd: folder.cwd } : { cwd: folder.cwd, mcpServers: [] };
  if (task.session === undefined) state.sessionId = (await result("session/new", place)).sessionId;
  else {
    if (!dialect.offers(agreed, dialect.restore.ability)) return client.quit(1);
    state.sessionId = task.session;
    await result(dialect.restore.method, { sessionId: task.session, ...place, ...dialect.restore.params });
  }
  if (client.isEnded) return;
  state.isPrompting = true;
  const ended = new Promise<string>((resolve) => {
    state.ended = resolve;
  });
  const answer = await result("session/prompt", {
    sessionId: state.sessionId,
    prompt: [{ type: "text", text: "hello" }],
  });
  const reason = dialect.turnEnd === "answer" ? answer.stopReason : await ended;
  state.isPrompting = false;
  client.quit(reason === "cancelled" ? 130 : 0);
}

function addUpdates(client: ModelClient, state: State): void {
  client.notifications.set("session/update", ({ sessionId, update }) => {
    if (update.sessionUpdate === "subagent_update") client.children.add(update.sessionId);
    if (state.sessionId === undefined || sessionId !== state.sessionId) return;
    const { sessionUpdate, content } = update;
    if (!state.isPrompting) return;
    if (sessionUpdate === "agent_message_chunk" && content?.type === "text") client.print(content.text);
    if (sessionUpdate === "state_update" && update.state === "idle" && state.isPrompting)
      state.ended(update.stopReason);
  });
}

function addQuestions(client: ModelClient, state: State): void {
  const open = new Map<unknown, () => void>();
  client.handlers.set("session/request_permission", ({ sessionId, options }, { id }) => {
    const cancelled = { outcome: { outcome: "cancelled" } };
    if (state.isCancelled || (sessionId !== state.sessionId && !client.children.has(sessionId))) return cancelled;
    return new Promise<Loose>((resolve) => {
      open.set(id, () => resolve(cancelled));
      // A person needs a moment.
      setTimeout(() => {
        if (state.isCancelled || client.holdsQuestions) return;
        const option = options.find(({ kind }: Loose) => kind === "allow_once");
        resolve(option ? { outcome: { outcome: "selected", optionId: option.optionId } } : cancelled);
      }, 1);
    });
  });
  client.onCancel(() => {
    for (const settle of open.values()) settle();
  });
  client.notifications.set("$/cancel_request", ({ requestId }) => open.get(requestId)?.());
  client.handlers.set("elicitation/create", (params) => {
    if ("sessionId" in params === "requestId" in params) throw failure(-32602, "One scope is needed");
    if (params.mode !== "form") throw failure(-32602, "Unknown mode");
    const { properties = {} } = params.requestedSchema;
    return "name" in properties ? { action: "accept", content: { name: "model" } } : { action: "decline" };
  });
}
