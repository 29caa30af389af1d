import type { Session, Turn } from "@turnkit/client";
import type { SessionState } from "@turnkit/session";
import type { ChatTransport, UIMessage } from "ai";
import type { AcpChunk, AcpUIMessage } from "./acp-message.js";
import { decisionFor, respondedIn } from "./approvals.js";
import { checkOptions, checkSession } from "./check-arguments.js";
import { promptContent } from "./prompt-content.js";
import { answerId, answerStart, promptsOf } from "./prompts.js";
import { Response } from "./response.js";
import { isInProgress, streamResponse } from "./response-stream.js";

/** Options of a chat transport. */
export type ChatTransportOptions = {
  /**
   * Effect of a permission question on the stream of its turn.
   *
   * - `finish`: the stream ends, and the chat is ready for `addToolApprovalResponse`. With `approvalsAnswered` as
   *   `sendAutomaticallyWhen`, the chat sends the responses, and the next stream continues the same message.
   * - `wait`: the stream stays open. The page answers with `session.answer`, because a chat that streams sends no
   *   responses.
   *
   * @defaultValue `"finish"`
   */
  readonly whenAsked?: "finish" | "wait";
};

/** Session of a chat, or a function that opens the session of each chat. */
export type ChatSession = Session | ((chatId: string) => Session | Promise<Session>);

/** Newest response of a session. */
type Shown = { readonly response: Response; readonly turn?: Turn };

/**
 * Creates the transport of a chat whose answers come from an agent. `useChat` of `@ai-sdk/react` takes it as `transport`.
 *
 * - A message of the user is a prompt. Its texts and files are sent; the agent has the earlier conversation.
 * - Stopping a chat cancels the turn. Leaving its stream cancels nothing.
 * - `reconnectToStream` sends the whole answer in progress, then goes on. After a reload, the session must be restored.
 *
 * Promises of the transport reject with the errors of `session.prompt`.
 *
 * @throws TypeError for a value that is not a session, and for an option that does not exist
 *
 * @example
 * const transport = createChatTransport(session);
 * const chat = useChat<AcpUIMessage>({ transport, sendAutomaticallyWhen: approvalsAnswered });
 */
export function createChatTransport(
  session: ChatSession,
  options: ChatTransportOptions = {},
): ChatTransport<AcpUIMessage> {
  if (typeof session !== "function") checkSession("createChatTransport got", session);
  checkOptions(options);
  const { whenAsked = "finish" } = options;
  const newest = new WeakMap<Session, Shown>();
  const open = async (chatId: string) => {
    if (typeof session !== "function") return session;
    const opened = await session(chatId);
    checkSession("The function of createChatTransport returned", opened);
    return opened;
  };
  const show = (on: Session, first: readonly AcpChunk[], shown: Shown) => {
    newest.set(on, shown);
    return streamResponse({ session: on, first, ...shown, endsAtQuestions: whenAsked === "finish" });
  };
  return {
    // A stream of `reconnectToStream` begins with the beginning of the message.
    resumeStreamIsReplay: true,
    async sendMessages({ trigger, chatId, messages, abortSignal: signal }) {
      const on = await open(chatId);
      const message = messages.at(-1);
      if (trigger === "regenerate-message" || message === undefined) {
        throw new Error("An agent of ACP cannot answer the same prompt again: send a new message.");
      }
      signal?.throwIfAborted();
      const stop = (shown?: Shown) => void (shown?.turn ?? on).cancel().catch(() => undefined);
      const before = newest.get(on);
      if (message.role === "assistant") {
        const shown = before ?? restoredAnswer(on.state);
        const first = answerQuestions(on, message, shown.response);
        signal?.addEventListener("abort", () => stop(shown), { once: true });
        return show(on, first, shown);
      }
      // The person has continued without an answer to the question of the earlier turn.
      if (on.state.pendingPermissions.length > 0) stop(before);
      const turn = on.prompt(promptContent(message), { signal });
      await sent(on, turn);
      const { state } = on;
      const first: AcpChunk = { type: "start", messageId: answerId(state) };
      return show(on, [first], { response: new Response(state.timeline.length, state), turn });
    },
    async reconnectToStream({ chatId }) {
      const on = await open(chatId);
      const { state } = on;
      if (!isInProgress(state)) return null;
      const first: AcpChunk = { type: "start", messageId: answerId(state) };
      return show(on, [first], { response: new Response(answerStart(state)), turn: newest.get(on)?.turn });
    },
  };
}

/** Settles when the prompt of a turn is in the state. Until then, the events of the session belong to earlier turns. */
async function sent(session: Session, { promptId, ended }: Turn): Promise<void> {
  const isSent = () => promptsOf(session.state).some(({ prompt }) => prompt?.promptId === promptId);
  if (isSent()) return;
  await new Promise<unknown>((resolve) => {
    const stop = session.subscribe(() => isSent() && resolve(stop()));
    ended.then(resolve, resolve).finally(stop);
  });
}

/** Returns the answer of a message that came from the state, so that its parts are in the chat already. */
function restoredAnswer(state: SessionState): Shown {
  const response = new Response(answerStart(state));
  response.chunks(state);
  response.end();
  return { response };
}

/** Answers the questions that a message has responses to. Returns the chunks of questions that are no longer open. */
function answerQuestions(session: Session, message: UIMessage, response: Response): readonly AcpChunk[] {
  const { pendingPermissions } = session.state;
  const decided = respondedIn(message).map((responded) => {
    const question = pendingPermissions.find(({ requestId }) => requestId === responded.id);
    return { ...responded, settled: question && decisionFor(question, responded) };
  });
  return decided.flatMap(({ id, toolCallId, settled }): AcpChunk[] => {
    if (!settled) return [{ type: "tool-output-error", toolCallId, errorText: "The question is no longer open." }];
    response.answered(id, settled.answer);
    session.answer(id, settled.decision);
    return [];
  });
}
