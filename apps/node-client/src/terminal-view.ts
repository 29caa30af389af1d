import { once } from "node:events";
import type { Session } from "@turnkit/client";
import type { SessionEvent, SessionState, ToolCallPatch } from "@turnkit/session";
import { askChoice, askForm, askPerson, askUrl, type QuestionDialogue } from "./ask-form.js";
import { childLine, childName } from "./child-sessions.js";
import { unlessAborted } from "./interrupts.js";
import { dropTypedAhead, openLineDialogue } from "./line-dialogue.js";
import { createRemarks } from "./output/remarks.js";
import { inShownOrder } from "./permission-options.js";
import type { ProgramStreams } from "./program.js";
import { type Page, pageOn } from "./render/page.js";
import { createRenderer } from "./render/renderer.js";
import type { View } from "./view.js";

/** {@link View} on a terminal or a log. `page` is for other output of a program. */
export type TerminalView = View & { readonly page: Page };

/**
 * Creates a view that shows the conversation on stdout and failures on stderr. The view can ask questions if both ends
 * are terminals.
 */
export function createTerminalView(streams: ProgramStreams, directory: string): TerminalView {
  const { stdin, stdout, env, interrupts } = streams;
  const { interrupt } = interrupts;
  const page = pageOn(stdout, env);
  const errors = createRemarks(streams);
  const create = () => createRenderer(page, { directory, onlyChanges: stdout.isTTY !== true });
  const renderer = create();
  /**
   * Renderers, one for each child session, because ids of tool calls and terminals are unique only in their session.
   */
  const renderers = new WeakMap<Session, ReturnType<typeof create>>();
  const questions = createQuestions();

  const view: TerminalView = {
    page,
    async event(event, state) {
      await questions.answered;
      renderer.event(event, state);
      if (event.type === "permission_asked") questions.shown(event.requestId, () => renderer.event(event, state));
      if (event.type === "permission_answered") questions.settled(event.requestId);
      // Another listener handles errors of the stream. Here, an error only has to end the wait.
      if (stdout.writableNeedDrain) await once(stdout, "drain").catch(() => undefined);
    },
    async child(event, child) {
      await questions.answered;
      const name = childName(child);
      if (event.type === "permission_asked" || event.type === "permission_answered") {
        const { requestId } = event;
        const own = renderers.get(child) ?? create();
        renderers.set(child, own);
        const asked = event.type === "permission_asked" ? withToolCall(event, child.state) : event;
        const title = "title" in asked ? { title: `${name}: ${asked.title}` } : {};
        const show = () => own.event({ ...asked, ...title }, child.state);
        show();
        if (event.type === "permission_asked") questions.shown(requestId, show);
        else questions.settled(requestId);
        return;
      }
      const text = childLine(event, child);
      if (text === undefined) return;
      page.section("subagent");
      page.line(["dim", text]);
    },
    changed(state) {
      // The next change or event shows the output that is left out here.
      if (questions.answered === undefined) renderer.changed(state);
    },
    note(text) {
      page.section("notes");
      page.lines([[["yellow", text]]]);
    },
    failure(error) {
      page.section("failure");
      errors.failure(error);
    },
  };
  if (stdin.isTTY !== true || stdout.isTTY !== true) return view;
  const alone = <T>(signal: AbortSignal, ask: (at: QuestionDialogue) => Promise<T>) =>
    questions.alone(async () => {
      await dropTypedAhead(stdin);
      const dialogue = openLineDialogue({ input: stdin, output: stdout, signal, interrupt });
      return ask({ page, dialogue }).finally(() => dialogue.close());
    });
  return {
    ...view,
    ask: (question, signal) =>
      questions.ask(question.requestId, signal, async () => {
        await dropTypedAhead(stdin);
        const options = inShownOrder(question.options);
        const isLasting = options.some(({ kind }) => String(kind).endsWith("_always"));
        if (question.always !== undefined && isLasting) page.lines([[["dim", `  always: ${question.always}`]]]);
        const choice = await askPerson(options, { input: stdin, output: stdout, signal, interrupt });
        page.lineEndedOutside();
        return choice;
      }),
    choose: (title, choices, signal, details) => alone(signal, (at) => askChoice(title, choices, at, details)),
    elicit: (question, signal) =>
      alone(signal, (at) => (question.mode === "form" ? askForm(question, at) : askUrl(question, at))),
  };
}

/** Returns a question with all members of its tool call. The updates of the calls of a child session are not shown. */
function withToolCall(question: PermissionAsked, { timeline }: SessionState): PermissionAsked {
  const { subject } = question;
  if (subject?.type !== "tool_call") return question;
  const toolCall = subject.toolCall as ToolCallPatch;
  const entry = timeline.get(`tool_call:${toolCall.toolCallId}`);
  if (entry?.type !== "tool_call") return question;
  return { ...question, subject: { ...subject, toolCall: { ...entry, content: [...entry.content] } } };
}

type PermissionAsked = Extract<SessionEvent, { type: "permission_asked" }>;

/**
 * Creates a queue of questions. Each question is asked after it was shown. While its line is open, nothing else is
 * shown.
 */
function createQuestions() {
  /** Questions that were shown, or that wait to be shown. */
  const known = new Map<string, { readonly isShown: Promise<void>; readonly show: () => void; again?: () => void }>();
  let answered: Promise<unknown> | undefined;
  /** Question that was shown last. */
  let last: string | undefined;

  const find = (requestId: string) => {
    let entry = known.get(requestId);
    if (entry === undefined) {
      let show = (): void => {};
      const isShown = new Promise<void>((resolve) => {
        show = resolve;
      });
      entry = { isShown, show };
      known.set(requestId, entry);
    }
    return entry;
  };
  const hold = async <T>(read: () => Promise<T>): Promise<T> => {
    const answer = read();
    answered = answer;
    return answer.finally(() => {
      answered = undefined;
    });
  };
  return {
    /** Promise that settles when the open line has ended; `undefined` if no line is open. */
    get answered() {
      return answered;
    },
    /** @param again shows the question again, above its own line */
    shown(requestId: string, again: () => void) {
      last = requestId;
      const entry = find(requestId);
      entry.again = again;
      entry.show();
    },
    settled: (requestId: string) => known.delete(requestId),
    async ask<T>(requestId: string, signal: AbortSignal, read: () => Promise<T>): Promise<T> {
      const entry = find(requestId);
      // A question that is withdrawn is not shown any more.
      await unlessAborted(entry.isShown, signal).catch(() => undefined);
      known.delete(requestId);
      while (answered !== undefined) await answered.catch(() => undefined);
      // Several questions may be open at the same time. A person answers the question above the line.
      if (last !== requestId) entry.again?.();
      last = requestId;
      return hold(read);
    },
    /** Asks a question that has no event, when no other question is open. */
    async alone<T>(read: () => Promise<T>): Promise<T> {
      while (answered !== undefined) await answered.catch(() => undefined);
      return hold(read);
    },
  };
}
