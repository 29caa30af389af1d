import {
  type Agent,
  type AgentSession,
  createAgent,
  RpcError,
  type SessionLog,
  type SessionState,
  type Turn,
  type TurnResult,
} from "@turnkit/agent";
import { configurationFolder } from "@turnkit/node-client/user-folders";
import { rpcErrorCode } from "@turnkit/transport";
import { showChanges, undoLastPrompt } from "./checkpoints/undo-command.js";
import { changesNothing, commandsFor, expandCommand, helpText } from "./commands.js";
import { forgetKeys } from "./config/keys.js";
import type { Settings } from "./config/settings.js";
import { beginTurn, compactNow, createSpending, keepRoom, type Spending } from "./conversation/keep-room.js";
import { restoreConversation, type StoredConversation, storeConversation } from "./conversation/stored-conversation.js";
import { ConfigError, ModelError } from "./errors.js";
import { type LoopOptions, runLoop } from "./loop.js";
import { missingFolders } from "./missing-folders.js";
import type { ConversationItem, Model } from "./model.js";
import type { Spent } from "./models/cost.js";
import { authMethods } from "./models/known-providers.js";
import { showEmpty, showRetry, showUnseen } from "./notices.js";
import { reviewer } from "./reviewer/reviewer.js";
import { readFacts } from "./session-facts.js";
import { choicesOf, effortFor, sessionOptions, titleOf } from "./session-options.js";
import { systemPrompt } from "./system-prompt.js";
import { version } from "./version.js";
import { openWorkbench, type Stage, type Workbench } from "./workbench.js";

/** Data of a session that its log stores. */
type SessionData = { conversation?: StoredConversation };

type Session = AgentSession<SessionData>;

/** Parts of an open session that no log stores. */
type SessionParts = {
  readonly settings: Settings;
  readonly workbench: Workbench;
  readonly spending: Spending;
  /** State after a restore, before the next prompt. The state of a new session is empty. */
  readonly past: SessionState;
  /** Facts for the system prompt; absent before the first prompt. */
  facts?: string;
  /** Conversation of the model; absent before the first prompt. */
  conversation?: ConversationItem[];
};

const partsOfSessions = new WeakMap<Session, SessionParts>();

/** Returns the parts of a session. `newSession` has created them. */
const partsOf = (session: Session): SessionParts => partsOfSessions.get(session) as SessionParts;

/** Returns the conversation of a session. It is restored with the first prompt, when the session has its data. */
function conversationOf(session: Session): ConversationItem[] {
  const parts = partsOf(session);
  const { past, workbench } = parts;
  const { conversation: stored } = session.data;
  parts.conversation ??= restoreConversation(past, { stored, own: workbench.commands.list() });
  return parts.conversation;
}

/**
 * Creates the agent behind `turnkit-agent`. Every session has the same loop and the same tools; the user chooses the
 * model.
 *
 * @param loadSettings reads the settings. The agent calls it for every new session, so a changed file needs no restart.
 * @param log stores the sessions. Without a log, a session ends with the process.
 */
export function createCodingAgent(loadSettings: () => Promise<Settings>, log?: SessionLog): Agent {
  return createAgent<SessionData>({
    info: { name: "turnkit-agent", title: "turnkit agent", version },
    promptCapabilities: { image: true, embeddedContext: true },
    mcpCapabilities: { http: true, sse: true },
    sessionCapabilities: { additionalDirectories: true },
    log,
    authMethods,
    logout: () => forgetKeys(configurationFolder()),

    async newSession(_request, session) {
      const missing = await missingFolders(session.roots);
      // A client with files may have the folder on another machine, and an earlier session may have lost its folder.
      const isUsable = missing.length === 0 || session.client.capabilities.files.read || hasBegun(session);
      if (!isUsable) throw new RpcError(rpcErrorCode.invalidParams, noFolder(missing));
      const settings = await withRpcErrors(loadSettings);
      const { models, mode, effort, webSearch } = settings;
      const configOptions = await withRpcErrors(async () =>
        sessionOptions(settings, { mode, model: models.preferred, effort, webSearch }),
      );
      const currentMode = () => choicesOf(session, settings).mode;
      const workbench = openWorkbench(session, { ...settings, currentMode });
      if (missing.length > 0) workbench.showNotice({ severity: "warning", title: noFolder(missing) });
      session.setCommands(commandsFor(models.preferred, await workbench.commands.known()));
      partsOfSessions.set(session, { settings, workbench, spending: createSpending(session), past: session.state });
      // In a restored session, the stored data replaces this empty object.
      return { configOptions, data: {} };
    },

    prompt: (turn) => withRpcErrors(() => answer(turn)).finally(() => log && storeData(turn.session)),

    async setConfigOption(session, configId, value) {
      // A change of the mode revokes every answer "always".
      if (configId === "mode") partsOf(session).workbench.forgetAnswers();
      if (configId !== "model") return;
      const { settings } = partsOf(session);
      // The new model may have other levels of effort, or none.
      const choices = { ...choicesOf(session, settings), model: String(value) };
      await withRpcErrors(async () => session.setConfigOptions(sessionOptions(settings, choices)));
      session.setCommands(commandsFor(String(value), partsOf(session).workbench.commands.list()));
    },

    closeSession: (session) => partsOf(session).workbench.close(),
  });
}

const noFolder = (paths: readonly string[]): string =>
  `The agent has no folder ${paths.join(" and no folder ")} on its machine.`;

/** Note for the model about results of tools that are older than a restore. */
const RESTORED =
  "This session was restored. Files may have changed since the earlier results of tools: read a file again before you edit it.";

/** Puts the conversation into the data of the session, which the log stores at the end of the turn. */
function storeData(session: Session): void {
  session.data.conversation = storeConversation(conversationOf(session), session.state);
}

async function answer(turn: Turn<SessionData>): Promise<TurnResult | undefined> {
  const { session } = turn;
  const parts = partsOf(session);
  const { settings, workbench, spending, past } = parts;
  const { maxRequests, compactAt, models } = settings;
  const conversation = conversationOf(session);
  const choices = choicesOf(session, settings);
  const model = models.find(choices.model);
  const isReviewer = model.id === reviewer.id;
  // The advice follows the first answer only, as a separate message.
  if (models.setupAdvice !== undefined && isReviewer && !hasAnswer(session)) await turn.say(models.setupAdvice);
  const title = session.state.title === undefined ? titleOf(turn.prompt) : undefined;
  if (title !== undefined) session.setTitle(title);
  if (await runCommand(turn, model)) return undefined;
  const promptId = promptIdOf(session);
  const prompt = isReviewer ? turn.prompt : expandCommand(turn.prompt, await workbench.commands.refresh(turn));
  beginTurn(conversation, { prompt, promptId });
  if (promptId !== undefined) workbench.checkpoints.begin(promptId);
  if (!isReviewer) await showUnseen(turn, model);
  const use = changesNothing(turn.command?.name) && !isReviewer ? "look" : "work";
  const { toolsFor, contextFor, rules, hooks } = await workbench.prepareTurn(turn, use);
  if (!isReviewer) parts.facts ??= await readFacts(session, session.signal);
  const system = systemPrompt(session, { mode: choices.mode, facts: parts.facts ?? "", rules });
  const instructions = past.timeline.length > 0 ? `${system}\n\n${RESTORED}` : system;
  // The provider does not ask before a search. The option of the session and its mode therefore decide about it.
  const maySearch = () => {
    const { webSearch, mode } = choicesOf(session, settings);
    return webSearch && mode !== "review" && use === "work";
  };
  const loop = { model, effort: effortFor(model, choices), maxRequests, maySearch };
  const tools = [...toolsFor(conversation)];
  if (!isReviewer && use === "work") {
    const { createTaskTool } = await import("./subagents/task-tool.js");
    const onAnswer = ({ cost }: Spent) => spending.paid(model, cost);
    tools.push(createTaskTool({ session, instructions, loop, compactAt, toolsFor, contextFor, onAnswer }));
  }
  const terminal: Stage["terminal"] = (start) => session.terminal(start);
  const { files, terminals, signal } = turn;
  const options: LoopOptions = {
    ...loop,
    tools,
    conversation,
    context: contextFor({ files, terminals, signal, terminal }),
    instructions,
    onAnswer: (spent) => spending.answered(model, spent, conversation),
    onRetry: (retry) => showRetry(turn, retry),
    onEmpty: () => showEmpty(turn, model),
    makeRoom: keepRoom(turn, { model, conversation, spending, compactAt }),
  };
  try {
    const result = await runLoop(turn, options);
    if (!turn.signal.aborted) await hooks.endTurn(turn);
    return result;
  } finally {
    await workbench.checkpoints.end();
  }
}

const hasBegun = ({ state }: Pick<Session, "state">): boolean => state.timeline.length > 0;

/** Returns `true` after the first message of the agent. */
function hasAnswer({ state: { timeline } }: Pick<Session, "state">): boolean {
  for (const entry of timeline) if (entry.type === "message" && entry.role === "agent") return true;
  return false;
}

function promptIdOf({ state: { timeline } }: Pick<Turn["session"], "state">): string | undefined {
  for (let at = timeline.length - 1; at >= 0; at -= 1) {
    const entry = timeline.at(at);
    if (entry?.type === "message" && entry.role === "user") return entry.messageId;
  }
  return undefined;
}

/** Runs a slash command that needs no request to a model. Returns `false` for every other prompt. */
async function runCommand(turn: Turn<SessionData>, model: Model): Promise<boolean> {
  const { spending, workbench } = partsOf(turn.session);
  const conversation = conversationOf(turn.session);
  const { checkpoints } = workbench;
  const { name, input = "" } = turn.command ?? {};
  if (name === "undo") await undoLastPrompt(turn, { checkpoints, conversation });
  else if (name === "diff") await showChanges(turn, { checkpoints, conversation, all: input.trim() === "all" });
  else if (model.id === reviewer.id) return false;
  else if (name === "help") await turn.say(helpText(model.name));
  else if (name === "compact") {
    const done = await compactNow(turn, { model, conversation, spending, keep: "nothing", focus: input });
    await turn.say(done ? "The conversation is a summary now." : "There is nothing to summarise yet.");
  } else return false;
  return true;
}

/**
 * Runs `work` and converts its errors to errors of the protocol:
 * - a failure of the provider or the configuration: an internal error with the same message
 * - a missing or refused key: a request for a login
 * - every other error: unchanged
 */
async function withRpcErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConfigError)
      throw new RpcError(rpcErrorCode.internalError, error.message, { problem: "config" });
    if (!(error instanceof ModelError)) throw error;
    const { code, message, provider, status } = error;
    const rpcCode = code === "login" ? rpcErrorCode.authRequired : rpcErrorCode.internalError;
    throw new RpcError(rpcCode, message, { problem: code, provider, status });
  }
}
