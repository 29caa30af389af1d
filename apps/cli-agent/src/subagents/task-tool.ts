import type { AgentSession, ChildSession, TokenUsage } from "@turnkit/agent";
import { rpcErrorCode } from "@turnkit/transport";
import * as z from "zod";
import { createSpending, keepRoom } from "../conversation/keep-room.js";
import { messageOf, ToolError } from "../errors.js";
import { type LoopOptions, runLoop } from "../loop.js";
import type { ConversationItem, ToolOutput } from "../model.js";
import type { Spent } from "../models/cost.js";
import { showRetry } from "../notices.js";
import type { EndedOutput } from "../tools/run-call.js";
import { defineTool, type Tool } from "../tools/tool.js";
import type { Stage } from "../workbench.js";

/** Bounds: subagents of one turn, subagents that work at the same time, and characters of an answer. */
const MAX_PER_TURN = 16;
const MAX_AT_ONCE = 4;
const MAX_ANSWER = 50_000;

const ROLE =
  "You are a subagent: another agent gave you one task, and knows nothing of your work but your last answer. Nobody answers " +
  "questions. Do the task, then answer with what was asked for, complete and with files and lines; say what you could not do.";

const description =
  "Gives a task to a subagent with a conversation of its own, and returns its last answer. It knows nothing of this " +
  "conversation, so the prompt has to say everything. Use it for searches through many files and for work that can be done " +
  "apart. With look_only it cannot change anything, and several such tasks of one answer run at the same time.";

type TaskOptions = {
  readonly session: Pick<AgentSession<unknown>, "child" | "client">;
  readonly instructions: string;
  readonly loop: Pick<LoopOptions, "model" | "effort" | "maxRequests" | "maySearch">;
  readonly compactAt: number;
  /** Returns the tools for a conversation. They do not contain this tool, because a subagent has no subagents. */
  readonly toolsFor: (conversation: readonly ConversationItem[]) => readonly Tool[];
  readonly contextFor: (stage: Stage) => LoopOptions["context"];
  readonly onAnswer: (spent: Spent) => void;
};

/** Creates the tool of one turn with which a model gives tasks to subagents. */
export function createTaskTool(options: TaskOptions): Tool {
  const { session } = options;
  const gate = createGate(MAX_AT_ONCE);
  let started = 0;
  return defineTool({
    name: "task",
    description,
    input: z.object({
      title: z.string().trim().min(1).max(80).describe("Three to six words for the user."),
      prompt: z.string().trim().min(1).max(50_000),
      look_only: z.boolean().default(false),
    }),
    parallel: false,
    open({ title, prompt, look_only: lookOnly }, { signal }) {
      const stopped = new AbortController();
      const run = async (link: (child: ChildSession) => Promise<void>): Promise<EndedOutput> => {
        started += 1;
        if (started > MAX_PER_TURN) throw new ToolError("denied", `A turn has at most ${MAX_PER_TURN} subagents.`);
        return gate(async () => {
          signal.throwIfAborted();
          const child = session.child(title, { description: prompt.slice(0, 500), cancel: true });
          try {
            await link(child);
            return await work(child, { prompt, lookOnly, stopped: stopped.signal }, options);
          } finally {
            child.forget();
          }
        });
      };
      // If the client does not support subagents, the runtime sends it a tool call that contains the work of the child
      // session.
      if (!session.client.capabilities.subagents)
        return { isParallel: lookOnly, run: () => run(async () => undefined) };
      return {
        isParallel: lookOnly,
        start: { title, kind: "think", onCancel: () => stopped.abort() },
        async run(call): Promise<ToolOutput> {
          await call.update({ status: "in_progress" });
          return run(async (child) => void (await call.append({ type: "session", sessionId: child.id })));
        },
      };
    },
  });
}

type Task = { readonly prompt: string; readonly lookOnly: boolean; readonly stopped: AbortSignal };

async function work(
  child: ChildSession,
  { prompt, lookOnly, stopped }: Task,
  options: TaskOptions,
): Promise<EndedOutput> {
  const { session, loop, instructions, toolsFor, contextFor, onAnswer, compactAt } = options;
  const signal = AbortSignal.any([child.signal, stopped]);
  const conversation: ConversationItem[] = [{ role: "user", content: [{ type: "text", text: prompt }] }];
  const tools = toolsFor(conversation).filter(({ parallel }) => parallel || !lookOnly);
  const stage = {
    session: session as AgentSession<unknown>,
    signal,
    say: child.say.bind(child),
    think: child.think.bind(child),
    endMessage: child.endMessage.bind(child),
    plan: child.plan.bind(child),
    toolCall: child.toolCall.bind(child),
    emit: child.emit.bind(child),
  };
  // The client gets the usage of the main conversation only.
  const spending = createSpending({ state: child.state, reportUsage: () => undefined });
  try {
    const { stopReason, usage } = await runLoop(stage, {
      ...loop,
      maySearch: () => !lookOnly && loop.maySearch?.() === true,
      tools,
      conversation,
      context: contextFor({
        ...{ files: child.files, terminals: child.terminals, signal },
        terminal: (start) => child.terminal(start),
      }),
      instructions: `${instructions}\n\n${ROLE}`,
      onAnswer(spent) {
        spending.answered(loop.model, spent, conversation);
        onAnswer(spent);
      },
      onRetry: (retry) => showRetry(stage, retry),
      makeRoom: keepRoom(stage, { model: loop.model, conversation, spending, compactAt }),
    });
    child.idle(signal.aborted ? "cancelled" : (stopReason ?? "end_turn"));
    if (signal.aborted) {
      return {
        type: "error",
        code: "cancelled",
        message: "The user stopped this subagent.",
        end: { status: "cancelled" },
      };
    }
    const text = `${lastAnswer(conversation)}${stopReason === "end_turn" ? "" : `\n[It ended early: ${stopReason}.]`}`;
    return { type: "text", value: text, end: { rawOutput: { text, ...usageOf(usage) } } };
  } catch (error) {
    child.idle({ stopReason: "error", error: { code: rpcErrorCode.internalError, message: messageOf(error) } });
    throw error;
  }
}

const usageOf = (usage: TokenUsage | null | undefined) => (usage ? { tokens: usage.totalTokens } : {});

function lastAnswer(conversation: readonly ConversationItem[]): string {
  const last = conversation.findLast(({ role }) => role === "assistant");
  const parts = last?.role === "assistant" ? last.content : [];
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
  return text.length > MAX_ANSWER ? `${text.slice(0, MAX_ANSWER)}\n[cut off]` : text || "[It gave no answer.]";
}

/**
 * Returns a function that runs at most `most` pieces of work at the same time. Further pieces wait in the order of
 * their arrival.
 */
function createGate(most: number) {
  let open = 0;
  const waiting: (() => void)[] = [];
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (open >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    open += 1;
    try {
      return await work();
    } finally {
      open -= 1;
      waiting.shift()?.();
    }
  };
}
