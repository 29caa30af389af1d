import type { Room, TokenUsage, Turn, TurnResult } from "@turnkit/agent";
import { ModelError, messageOf, ToolError } from "./errors.js";
import type {
  AssistantPart,
  ConversationItem,
  Model,
  ModelPart,
  ToolOutput,
  ToolRequest,
  ToolResult,
} from "./model.js";
import { addUsage, type Spent } from "./models/cost.js";
import type { OpenTool, Tool, ToolContext } from "./tools/tool.js";
import { createSearchCalls, type SearchCalls } from "./web-search/search-calls.js";

export type LoopOptions = {
  readonly model: Model;
  readonly tools: readonly Tool[];
  /** Conversation up to now. Its last item is the prompt of the turn. The loop adds items. */
  readonly conversation: ConversationItem[];
  readonly context: Omit<ToolContext, "turn" | "signal" | "takesPictures">;
  readonly instructions?: string;
  readonly effort?: string;
  /** Largest number of requests. The turn then ends as `max_turn_requests`. */
  readonly maxRequests: number;
  /** Returns `true` if the provider may search the web with its own tool. The loop asks before every request. */
  readonly maySearch?: () => boolean;
  /** Called after each answer of the model, when the conversation contains the answer. */
  readonly onAnswer?: (spent: Spent) => void;
  /** Called when a request to the provider failed and will be repeated after a delay. */
  readonly onRetry?: (retry: Retry) => Room;
  /** Called before the end of a turn in which the model wrote no text and used no tool. */
  readonly onEmpty?: () => Room;
  /**
   * Shortens the conversation. Returns `true` if the conversation became shorter. The loop calls it before every
   * request with `due`, and with `refused` after the provider refused a conversation that is too long.
   */
  readonly makeRoom?: (why: "due" | "refused") => Promise<boolean>;
};

export type Retry = Extract<ModelPart, { type: "retry" }>;

type LoopTurn = Pick<Turn, "say" | "think" | "endMessage" | "signal"> & ToolContext["turn"];
type Finish = Extract<ModelPart, { type: "finish" }>;
type Reply = { readonly content: readonly AssistantPart[]; readonly finish?: Finish };

const CANCELLED: ToolOutput = { type: "error", code: "cancelled", message: "The user cancelled the turn." };

/**
 * Runs one turn. The loop asks the model, makes the tool calls of the answer, and sends their results to the model. It
 * ends with an answer that has no tool calls.
 *
 * A cancel stops the turn between two parts of an answer, or in a tool that watches the signal. After the turn, every
 * tool call in the conversation has a result. If the provider refuses the prompt, the prompt is removed from the
 * conversation.
 *
 * @throws the model's error, unless the turn was cancelled
 */
export async function runLoop(turn: LoopTurn, options: LoopOptions): Promise<TurnResult> {
  const { conversation, maxRequests } = options;
  const prompt = conversation.at(-1);
  const searches = createSearchCalls(turn);
  let usage: TokenUsage | undefined;
  let isEmpty = true;
  try {
    for (let request = 0; request < maxRequests; request += 1) {
      await options.makeRoom?.("due");
      const reply = await askOrMakeRoom(turn, options, searches);
      usage = addUsage(usage, reply.finish?.usage);
      if (turn.signal.aborted) return { stopReason: "cancelled", usage };
      if (reply.finish?.finishReason === "content-filter") {
        // The client drops a refused prompt too, so the model must not see this prompt again.
        const start = prompt ? conversation.indexOf(prompt) : -1;
        if (start >= 0) conversation.length = start;
        return { stopReason: "refusal", usage };
      }
      isEmpty &&= !reply.content.some(
        (part) => part.type !== "reasoning" && !("text" in part && part.text.trim() === ""),
      );
      const calls = reply.content.filter((part) => part.type === "tool-call");
      if (calls.length === 0 && reply.finish?.finishReason === "pause") continue;
      if (calls.length === 0) {
        const isCut = reply.finish?.finishReason === "length";
        if (isEmpty && !isCut) await options.onEmpty?.();
        return { stopReason: isCut ? "max_tokens" : "end_turn", usage };
      }
      await runTools(turn, calls, options);
      if (turn.signal.aborted) return { stopReason: "cancelled", usage };
    }
    return { stopReason: "max_turn_requests", usage };
  } catch (error) {
    if (turn.signal.aborted) return { stopReason: "cancelled", usage };
    throw error;
  } finally {
    await searches.end(turn.signal.aborted ? "cancelled" : "failed");
  }
}

/**
 * Makes a request to the model. If the provider finds the conversation too long, the function shortens the conversation
 * and repeats the request once.
 */
async function askOrMakeRoom(turn: LoopTurn, options: LoopOptions, searches: SearchCalls): Promise<Reply> {
  try {
    return await askModel(turn, options, searches);
  } catch (error) {
    const tooLong = error instanceof ModelError && error.code === "context" && !turn.signal.aborted;
    if (!tooLong || !(await options.makeRoom?.("refused"))) throw error;
    return askModel(turn, options, searches);
  }
}

/** Makes one request, shows the answer while it arrives, and adds the answer to the conversation. */
async function askModel(turn: LoopTurn, options: LoopOptions, searches: SearchCalls): Promise<Reply> {
  const { model, tools, conversation, instructions, effort, onAnswer, onRetry } = options;
  const { signal } = turn;
  const webSearch = model.searches === true && options.maySearch?.() === true;
  const content: AssistantPart[] = [];
  let finish: Finish | undefined;
  // Each answer is a separate message. Otherwise, Markdown of one answer would continue in the next answer.
  turn.endMessage();
  try {
    for await (const part of model.respond({ conversation, tools, signal, instructions, effort, webSearch })) {
      if (signal.aborted) break;
      if (part.type === "finish") finish = part;
      else if (part.type === "retry") {
        content.length = 0;
        await onRetry?.(part);
      } else if (part.type === "sources") await searches.show(part);
      else {
        addPart(content, part);
        if ("provider" in part) await searches.show(part);
        await show(turn, part);
      }
    }
    await searches.settle();
    if (!finish && !signal.aborted) throw new Error(`${model.name} stopped in the middle of its answer.`);
  } finally {
    // The user saw the text of an answer that broke off, so this text stays. Incomplete thoughts and calls are dropped.
    const whole = finish !== undefined && !signal.aborted;
    const kept = whole ? content : content.filter(({ type }) => type === "text");
    if (kept.length > 0) conversation.push({ role: "assistant", content: kept });
    if (finish) onAnswer?.(finish);
  }
  return { content, finish };
}

/** Shows a part to the user. A part without text carries only data for the provider, so it is not shown. */
function show(turn: LoopTurn, part: ModelPart): Room {
  if (!("text" in part) || part.text === "") return undefined;
  return part.type === "text-delta" ? turn.say(part.text) : turn.think(part.text);
}

/**
 * Adds a part to an answer. A delta with the kind and id of the last part extends that part. The newest data of the
 * provider replaces older data.
 */
function addPart(content: AssistantPart[], part: Exclude<ModelPart, { type: "finish" | "retry" | "sources" }>): void {
  if (!("text" in part)) {
    content.push(part);
    return;
  }
  const type = part.type === "text-delta" ? "text" : "reasoning";
  const last = content.at(-1);
  const { id, text, providerMetadata } = part;
  const data = { ...(id !== undefined && { id }), ...(providerMetadata !== undefined && { providerMetadata }) };
  if (last?.type === type && last.id === id) content[content.length - 1] = { ...last, ...data, text: last.text + text };
  else content.push({ type, text, ...data });
}

type OpenCall = OpenTool & { readonly request: ToolRequest };

/**
 * Makes the tool calls. Neighbouring calls that change nothing run at the same time; all other calls run one by one.
 * The user sees all calls of the batch before the first call begins.
 */
async function runTools(turn: LoopTurn, requests: readonly ToolRequest[], options: LoopOptions): Promise<void> {
  const takesPictures = options.model.images === true;
  const context = { ...options.context, turn, signal: turn.signal, takesPictures };
  // V1-PROMPT-05: every call is reported before the first one runs.
  const calls = requests.map((request) => openTool(request, options.tools, context));
  const results: ToolResult[] = [];
  for (let at = 0; at < calls.length; ) {
    let end = at;
    while (calls[end]?.parallel) end += 1;
    const batch = calls.slice(at, Math.max(end, at + 1));
    const result = async (call: OpenCall): Promise<ToolResult> => {
      const { toolCallId, toolName } = call.request;
      return { toolCallId, toolName, output: await attempt(call, turn.signal) };
    };
    results.push(...(await Promise.all(batch.map(result))));
    at += batch.length;
  }
  options.conversation.push({ role: "tool", content: results });
}

function openTool(request: ToolRequest, tools: readonly Tool[], context: ToolContext): OpenCall {
  const tool = tools.find(({ name }) => name === request.toolName);
  try {
    if (!tool) throw new ToolError("invalid_input", `There is no tool \`${request.toolName}\`.`);
    return { request, parallel: tool.parallel, ...tool.open(request.input, context) };
  } catch (error) {
    return { request, parallel: false, run: () => Promise.reject(error) };
  }
}

/** Runs a call and returns its output or its error. Never rejects, because the model handles failures of tools. */
async function attempt({ call, run }: OpenCall, signal: AbortSignal): Promise<ToolOutput> {
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
