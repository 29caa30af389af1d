import type { Room, StopReason, TokenUsage, Turn } from "@turnkit/agent";
import type { Spent } from "./conversation/spending.js";
import type {
  AssistantPart,
  ConversationItem,
  FinishReason,
  Model,
  ModelPart,
  ToolOutput,
  ToolRequest,
  ToolResult,
} from "./model.js";
import { ModelError } from "./models/model-error.js";
import { addUsage } from "./models/token-usage.js";
import { messageOf, type OpenTool, type Tool, type ToolContext, ToolError } from "./tools/tool.js";

/** What a turn runs on. */
export type LoopOptions = {
  readonly model: Model;
  readonly tools: readonly Tool[];
  /** What was said so far. The turn's prompt is its last item; the loop adds to it. */
  readonly conversation: ConversationItem[];
  readonly context: Omit<ToolContext, "turn" | "signal">;
  /** What the model should know before the conversation. */
  readonly instructions?: string;
  /** How hard the model is to think. */
  readonly effort?: string;
  /** How often the model may be asked; then the turn ends as `max_turn_requests`. 50 unless said otherwise. */
  readonly maxRequests?: number;
  /** Hears of each answer of the model, when it is part of the conversation. */
  readonly onAnswer?: (spent: Spent) => void;
  /** Hears that the provider failed and is asked again after a while. */
  readonly onRetry?: (retry: Retry) => Room;
  /**
   * Shortens the conversation: before a request if that is `due`, or since the provider `refused` it as too long. Tells
   * whether it did.
   */
  readonly makeRoom?: (why: "due" | "refused") => Promise<boolean>;
};

/** How a turn ended, and what the model reported to have spent on it. */
export type LoopResult = { readonly stopReason: StopReason; readonly usage?: TokenUsage };

/** That the provider is asked again, and why. */
export type Retry = Extract<ModelPart, { type: "retry" }>;

type LoopTurn = Pick<Turn, "say" | "think" | "signal"> & ToolContext["turn"];
type Finish = Extract<ModelPart, { type: "finish" }>;
type Reply = { readonly content: readonly AssistantPart[]; readonly reason: FinishReason; readonly usage?: TokenUsage };

const CANCELLED: ToolOutput = { type: "error", code: "cancelled", message: "The user cancelled the turn." };

/**
 * Runs one turn: asks the model, makes the tool calls it wants, hands it the results, until it wants no more.
 *
 * A cancel stops it between two parts of an answer, or in whatever tool heeds the signal. The conversation stays whole:
 * every call in it has a result. A refused prompt is taken out of it.
 *
 * @throws what the model throws, unless the turn was cancelled
 */
export async function runLoop(turn: LoopTurn, options: LoopOptions): Promise<LoopResult> {
  const { conversation, maxRequests = 50 } = options;
  const prompt = conversation.at(-1);
  let usage: TokenUsage | undefined;
  try {
    for (let request = 0; request < maxRequests; request += 1) {
      await options.makeRoom?.("due");
      const reply = await askOrMakeRoom(turn, options);
      usage = addUsage(usage, reply.usage);
      if (turn.signal.aborted) return { stopReason: "cancelled", usage };
      if (reply.reason === "content-filter") {
        // The client drops a refused prompt too, so the next one must not build on it.
        const start = prompt ? conversation.indexOf(prompt) : -1;
        if (start >= 0) conversation.length = start;
        return { stopReason: "refusal", usage };
      }
      const calls = reply.content.filter((part) => part.type === "tool-call");
      if (calls.length === 0) return { stopReason: reply.reason === "length" ? "max_tokens" : "end_turn", usage };
      await runTools(turn, calls, options);
      if (turn.signal.aborted) return { stopReason: "cancelled", usage };
    }
    return { stopReason: "max_turn_requests", usage };
  } catch (error) {
    if (turn.signal.aborted) return { stopReason: "cancelled", usage };
    throw error;
  }
}

/** Asks once more, and only once, if the provider finds the conversation too long and it could be shortened. */
async function askOrMakeRoom(turn: LoopTurn, options: LoopOptions): Promise<Reply> {
  try {
    return await askModel(turn, options);
  } catch (error) {
    const tooLong = error instanceof ModelError && error.code === "context" && !turn.signal.aborted;
    if (!tooLong || !(await options.makeRoom?.("refused"))) throw error;
    return askModel(turn, options);
  }
}

/** One request: shows what the model says while it says it, and adds it to the conversation. */
async function askModel(turn: LoopTurn, options: LoopOptions): Promise<Reply> {
  const { model, tools, conversation, instructions, effort, onAnswer, onRetry } = options;
  const { signal } = turn;
  const content: AssistantPart[] = [];
  let finish: Finish | undefined;
  try {
    for await (const part of model.respond({ conversation, tools, signal, instructions, effort })) {
      if (signal.aborted) break;
      if (part.type === "finish") finish = part;
      else if (part.type === "retry") {
        content.length = 0;
        await onRetry?.(part);
      } else {
        addPart(content, part);
        await show(turn, part);
      }
    }
    if (!finish && !signal.aborted) throw new Error(`${model.name} stopped in the middle of its answer.`);
  } finally {
    // Of an answer that broke off, the text was seen; half a thought and calls that nobody will make are left out.
    const whole = finish !== undefined && !signal.aborted;
    const kept = whole ? content : content.filter(({ type }) => type === "text");
    if (kept.length > 0) conversation.push({ role: "assistant", content: kept });
    if (finish) onAnswer?.(finish);
  }
  return { content, reason: finish?.finishReason ?? "stop", ...(finish?.usage ? { usage: finish.usage } : {}) };
}

/** Parts may be empty: then they only bring the provider's data. */
function show(turn: LoopTurn, part: ModelPart): Room {
  if (!("text" in part) || part.text === "") return undefined;
  return part.type === "text-delta" ? turn.say(part.text) : turn.think(part.text);
}

/** Deltas of the same kind and id grow one part; the provider's data of the latest delta counts. */
function addPart(content: AssistantPart[], part: Exclude<ModelPart, { type: "finish" | "retry" }>): void {
  if (part.type === "tool-call") {
    content.push(part);
    return;
  }
  const type = part.type === "text-delta" ? "text" : "reasoning";
  const last = content.at(-1);
  const { id, text, providerMetadata } = part;
  const data = { ...(id === undefined ? {} : { id }), ...(providerMetadata === undefined ? {} : { providerMetadata }) };
  if (last?.type === type && last.id === id) content[content.length - 1] = { ...last, ...data, text: last.text + text };
  else content.push({ type, text, ...data });
}

/** A call that the model asked for, shown to the user where there is something to see. */
type Opened = OpenTool & { readonly request: ToolRequest; readonly parallel: boolean };

/**
 * Makes the calls: neighbours that change nothing at the same time, all others one by one. All are shown before the
 * first begins, so that the user knows what is to come (V1-PROMPT-05).
 */
async function runTools(turn: LoopTurn, requests: readonly ToolRequest[], options: LoopOptions): Promise<void> {
  const context = { ...options.context, turn, signal: turn.signal };
  const calls = requests.map((request) => openTool(request, options.tools, context));
  const results: ToolResult[] = [];
  for (let at = 0; at < calls.length; ) {
    let end = at;
    while (calls[end]?.parallel) end += 1;
    const batch = calls.slice(at, Math.max(end, at + 1));
    results.push(...(await Promise.all(batch.map((call) => runTool(call, turn.signal)))));
    at += batch.length;
  }
  options.conversation.push({ role: "tool", content: results });
}

function openTool(request: ToolRequest, tools: readonly Tool[], context: ToolContext): Opened {
  const tool = tools.find(({ name }) => name === request.toolName);
  try {
    if (!tool) throw new ToolError("invalid_input", `There is no tool \`${request.toolName}\`.`);
    return { request, parallel: tool.parallel, ...tool.open(request.input, context) };
  } catch (error) {
    return { request, parallel: false, run: () => Promise.reject(error) };
  }
}

async function runTool(opened: Opened, signal: AbortSignal): Promise<ToolResult> {
  const { toolCallId, toolName } = opened.request;
  return { toolCallId, toolName, output: await attempt(opened, signal) };
}

/** Never rejects: what goes wrong in a tool is for the model to deal with. */
async function attempt({ call, run }: Opened, signal: AbortSignal): Promise<ToolOutput> {
  if (signal.aborted) {
    call?.update({ status: "cancelled" });
    return CANCELLED;
  }
  try {
    return await run();
  } catch (error) {
    if (signal.aborted) return CANCELLED;
    const code = error instanceof ToolError ? error.code : "failed";
    return { type: "error", code, message: messageOf(error) };
  }
}
