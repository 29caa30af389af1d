import type { Session } from "@turnkit/client";
import { type PendingQuestion, pendingQuestions, type SessionEvent, type SessionState } from "@turnkit/session";
import { cut, shortened } from "./render/line.js";
import { noticeText } from "./render/remark.js";
import { oneLine } from "./sanitise.js";

/** Calls `show` for each event of the child sessions of a session, at any depth. */
export function followChildren(
  session: Pick<Session, "children" | "onChild">,
  show: (event: SessionEvent, child: Session) => void | Promise<void>,
): void {
  const follow = (child: Session): void => {
    child.onEvent((event) => show(event, child));
    followChildren(child, show);
  };
  session.onChild(follow);
  for (const child of session.children) follow(child);
}

/** Maximum number of characters of a title in a name, and of the end of a name before further titles. */
const MAX = { title: 200, name: 600 } as const;

/**
 * Returns the name of a child session: the titles below the first session, whose title is the first prompt of the
 * person. A child session without a title has its id there. If the name is too long, only its end is returned.
 */
export function childName(child: Session): string {
  let name = "";
  for (let one: Session | undefined = child; one?.parent !== undefined; one = one.parent) {
    const title = cut(one.parent.state.subagents.get(one.id)?.title ?? one.state.title ?? "", MAX.title);
    const part = title.trim() === "" ? cut(one.id, MAX.title) : title;
    if (name.length > MAX.name) return `… › ${name}`;
    name = name === "" ? part : `${part} › ${name}`;
  }
  return name;
}

/** Question of a session or of one of its child sessions. Its tool call and its terminals belong to the session that asks. */
export type OpenQuestion = PendingQuestion & {
  readonly terminals: SessionState["terminals"];
  readonly isOfChild: boolean;
};

/**
 * Returns the questions of a session and of its child sessions, whose titles name the child session. Ids of tool calls
 * and terminals are unique in their session only.
 */
export function questionsOf(session: Pick<Session, "children" | "state">): readonly OpenQuestion[] {
  const own = { terminals: session.state.terminals, isOfChild: false };
  const below = descendantsOf(session).flatMap((child): readonly OpenQuestion[] => {
    const open = pendingQuestions(child.state);
    if (open.length === 0) return [];
    const name = childName(child);
    return open.map((one) => ({ ...named(one, name), terminals: child.state.terminals, isOfChild: true }));
  });
  return [...pendingQuestions(session.state).map((one) => ({ ...one, ...own })), ...below];
}

function named(one: PendingQuestion, name: string): PendingQuestion {
  return one.type === "permission"
    ? { ...one, question: { ...one.question, title: `${name}: ${one.question.title}` } }
    : { ...one, question: { ...one.question, message: `${name}: ${one.question.message}` } };
}

/** Answers a question of a session or of one of its child sessions. A question that was settled needs no answer. */
export function answerQuestion(
  session: Pick<Session, "children" | "state" | "answer">,
  id: string,
  decision: Parameters<Session["answer"]>[1],
): void {
  const asker = [session, ...descendantsOf(session)].find(({ state }) =>
    [...state.pendingPermissions, ...state.pendingElicitations].some(({ requestId }) => requestId === id),
  );
  asker?.answer(id, decision);
}

/** Returns the child sessions at any depth. Each session is followed by its own child sessions. */
export function descendantsOf(session: Pick<Session, "children">): readonly Session[] {
  return session.children.flatMap((child) => [child, ...descendantsOf(child)]);
}

export type WorkingChild = {
  readonly id: string;
  readonly name: string;
  readonly isAsking: boolean;
  /** True if the agent lets the user cancel it. */
  readonly isCancellable: boolean;
};

/** Returns the child sessions that work, at any depth. */
export function workingChildren(session: Pick<Session, "children">): readonly WorkingChild[] {
  return descendantsOf(session).flatMap((child) => {
    const { id, parent, state } = child;
    const { activity, pendingPermissions, pendingElicitations } = state;
    if (state.closed || (activity.state === "idle" && !activity.background?.length)) return [];
    const isAsking = pendingPermissions.length + pendingElicitations.length > 0;
    const isCancellable = parent?.state.subagents.get(id)?.capabilities?.cancel != null;
    return [
      {
        ...{ id, isAsking, isCancellable },
        /** Computed for the rows that are drawn. */
        get name() {
          return oneLine(childName(child));
        },
      },
    ];
  });
}

/** Returns the line for an event of a child session. Its messages and tool calls are not shown. */
export function childLine(event: SessionEvent, child: Session): string | undefined {
  const text = childNews(event);
  return text && `${oneLine(childName(child))}: ${text}`;
}

function childNews(event: SessionEvent): string | undefined {
  const notice = noticeText(event);
  if (notice !== undefined) return shortened(notice);
  if (event.type === "session_opened") return "started";
  if (event.type !== "state_update" || event.state !== "idle") return undefined;
  const { stopReason, error } = event;
  if (error) return `failed: ${shortened(error.message)}`;
  return stopReason == null || stopReason === "end_turn" ? "done" : shortened(stopReason);
}
