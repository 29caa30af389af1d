import type { DialectName } from "../../src/dialects/dialect.js";
import { ModelAgent } from "./model-agent.js";
import { failure, type Loose, type ModelSession } from "./model-session.js";
import { play } from "./model-turns.js";
import { words } from "./model-words.js";

/** Creates a correct agent. */
export function correctAgent(dialect: DialectName): ModelAgent {
  const agent = new ModelAgent(dialect);
  addSessions(agent);
  return agent;
}

function addSessions(agent: ModelAgent): void {
  const { dialect, handlers, notifications, sessions } = agent;
  const say = words[dialect.name];
  let created = 0;

  const find = (sessionId: string): ModelSession => {
    const session = sessions.get(sessionId);
    if (session === undefined) throw failure(-32002, "Resource not found", { sessionId });
    return session;
  };
  const active = (sessionId: string): ModelSession => {
    const session = find(sessionId);
    if (!session.isOpen) throw failure(-32002, "Resource not found", { sessionId });
    return session;
  };
  const checkPlace = ({ cwd, additionalDirectories, mcpServers }: Loose): void => {
    const folders = [cwd, ...(additionalDirectories ?? [])];
    if (!folders.every((folder) => folder.startsWith("/"))) throw failure(-32602, "A path is not absolute");
    const types = dialect.version === 2 ? ["stdio", "http"] : ["stdio", "http", undefined];
    if ((mcpServers ?? []).some(({ type }: Loose) => !types.includes(type))) throw failure(-32602, "Unknown transport");
  };
  const facts = (session: ModelSession) => say.facts(agent, session.mode);

  handlers.set("initialize", (params) => {
    const { protocolVersion } = params;
    // V1-INIT-16: an agent may refuse this, so no check may need it.
    if (sessions.size > 0) throw failure(-32600, "A session is open already");
    if (protocolVersion < dialect.version) {
      throw failure(-32022, "Unsupported protocol version", {
        requested: protocolVersion,
        supported: [dialect.version],
      });
    }
    agent.client = params;
    return say.hello(agent);
  });
  handlers.set(dialect.name === "v2" ? "auth/login" : "authenticate", () => {
    throw failure(-32602, "Unknown method");
  });
  handlers.set("session/new", (params) => {
    checkPlace(params);
    const session: ModelSession = {
      ...{ id: `s-${++created}`, cwd: params.cwd, history: [], keys: new Map(), values: {} },
      ...{ isOpen: true, mode: "ask", turn: undefined, prompts: 0 },
    };
    sessions.set(session.id, session);
    return { sessionId: session.id, ...facts(session) };
  });

  const restore = (params: Loose, replays: boolean): Loose => {
    checkPlace(params);
    const session = find(params.sessionId);
    session.isOpen = true;
    if (replays) for (const update of session.history) agent.say(session.id, update);
    if (dialect.name === "v2") {
      if (replays) agent.say(session.id, { sessionUpdate: "replay_complete" });
      agent.say(session.id, {
        sessionUpdate: "state_update",
        state: session.turn ? "running" : "idle",
        background: [],
      });
    }
    return facts(session);
  };
  if (dialect.name !== "v2") handlers.set("session/load", (params) => restore(params, true));
  handlers.set("session/resume", (params) => {
    const { replayFrom } = params;
    if (replayFrom != null && replayFrom.type !== "start") throw failure(-32602, "Unsupported cursor");
    return restore(params, dialect.name === "v2" && replayFrom != null);
  });
  handlers.set("session/list", ({ cwd, cursor }) => {
    if (cursor != null && cursor !== "page-2") throw failure(-32602, "Unknown cursor");
    const all = [...sessions.values()].filter((session) => cwd == null || session.cwd === cwd);
    const page = cursor == null ? all.slice(0, 2) : all.slice(2);
    return {
      sessions: page.map((session) => ({ sessionId: session.id, cwd: session.cwd })),
      ...(cursor == null && all.length > 2 && { nextCursor: "page-2" }),
    };
  });
  handlers.set("session/close", async ({ sessionId }) => {
    const session = sessions.get(sessionId);
    if (session === undefined) return {};
    session.turn?.abort();
    await session.turn?.aborted;
    while (session.turn !== undefined) await new Promise((resolve) => setTimeout(resolve, 0));
    session.isOpen = false;
    return {};
  });
  handlers.set("session/delete", ({ sessionId }) => {
    sessions.delete(sessionId);
    return {};
  });
  if (dialect.name === "v1") {
    handlers.set("session/set_mode", ({ sessionId, modeId }) => {
      if (!["ask", "code"].includes(modeId)) throw failure(-32602, "Unknown mode");
      active(sessionId).mode = modeId;
      return {};
    });
  }
  handlers.set("session/set_config_option", ({ sessionId, configId, type, value }) => {
    const { values } = active(sessionId);
    const isKnown =
      configId === "effort"
        ? ["low", "high"].includes(value) && type !== "boolean"
        : configId === "fast" && type === "boolean" && typeof value === "boolean";
    if (!isKnown) throw failure(-32602, "Unknown option or value");
    values[configId] = value;
    return { configOptions: say.options(agent, values) };
  });
  handlers.set("session/prompt", (params) => {
    checkBlocks(params.prompt);
    return play(agent, active(params.sessionId), params);
  });
  if (dialect.name === "v2") {
    const notCancellable = () => {
      throw failure(-32602, "Nothing to cancel");
    };
    handlers.set("tool_call/cancel", notCancellable);
    handlers.set("terminal/cancel", notCancellable);
  }
  notifications.set("session/cancel", ({ sessionId }) => sessions.get(sessionId)?.turn?.abort());
  const running = new Map<unknown, ModelSession>();
  const prompt = handlers.get("session/prompt");
  handlers.set("session/prompt", (params, call) => {
    const session = sessions.get(params.sessionId);
    if (session !== undefined) running.set(call.id, session);
    return prompt?.(params, call);
  });
  notifications.set("$/cancel_request", ({ requestId }) => {
    if (dialect.turnEnd === "answer") running.get(requestId)?.turn?.abort();
  });
}

const offered = new Set(["text", "resource_link", "image", "resource"]);

function checkBlocks(prompt: Loose[]): void {
  if (prompt.length === 0) throw failure(-32602, "The prompt is empty");
  const unknown = prompt.find(({ type }) => !offered.has(type));
  if (unknown !== undefined) throw failure(-32602, `Unsupported block ${unknown.type}`);
}
