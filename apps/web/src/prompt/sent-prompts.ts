import { type ContentBlock, type Entry, isAcpError, type Session, type Turn, type TurnEnd } from "@turnkit/client";
import { messageText } from "@turnkit/session";
import { awaited, keepSent, readSent, type Sent } from "./kept-prompts.js";

type Content = string | readonly ContentBlock[];

/** Prompt as a person has written it. If it is sent again, it has its old key. */
export type Written = { readonly text: string; readonly content: Content; readonly key?: string };

/** Parts of {@link sendKept}. */
export type SendParts = {
  readonly lost: readonly Sent[];
  readonly send: (content: Content, options: { readonly idempotencyKey: string }) => Turn | undefined;
  /** Called if the prompt waited for the load of earlier entries, and the session that it was given to never sent it. */
  readonly unsent: (written: Written) => void;
};

/**
 * Sends a prompt, and keeps its text until its end, because a connection that is lost first may lose the prompt. A prompt
 * that was lost before, and is unchanged, is sent with its old key: if it had arrived, it does not run again.
 */
export function sendKept(session: Session, written: Written, { lost, send, unsent }: SendParts): boolean {
  const { text, content } = written;
  const hasPictures = typeof content !== "string" && content.some(({ type }) => type === "image");
  const json = hasPictures ? "" : JSON.stringify(content);
  const key = written.key ?? lost.find((one) => one.content !== "" && one.content === json)?.key ?? newKey();
  const after = [...session.state.timeline].findLast(isStored)?.key;
  const before = countOf(session, { text, after });
  const turn = send(content, { idempotencyKey: key });
  if (turn === undefined) return false;
  const others = () => readSent(session.id).filter((one) => one.key !== key);
  awaited.add(key);
  if (text.trim() !== "") keepSent(session.id, [...others(), { key, text, content: json, after, before }]);
  const settled = (error?: unknown) => {
    awaited.delete(key);
    // A refused prompt stays in the conversation, with the reason.
    if (!isAcpError(error, "connection_closed")) keepSent(session.id, others());
  };
  turn.ended.then((end) => {
    // The text stays kept, because the page may show another session by now.
    if (!isUnsent(session, end)) return settled();
    awaited.delete(key);
    unsent({ text, content, key });
  }, settled);
  return true;
}

/** Returns true for an entry that has the same key in every replay. Notices are numbered, and a replay may lack some of them. */
const isStored = (entry: Entry): boolean =>
  entry.type === "message" ? !entry.prompt : entry.type !== "notice" && entry.type !== "unknown";

/** Returns true for the end of a turn whose prompt waited when another object took the place of its session. */
const isUnsent = ({ state }: Session, { stopReason, agentConfirmed }: TurnEnd): boolean =>
  state.closed && stopReason === "cancelled" && agentConfirmed;

/** Returns the prompts of a session that were sent and did not arrive, after a lost connection or a reload. */
export function lostPrompts(session: Session): readonly Sent[] {
  const lost = readSent(session.id).filter(({ key }) => !awaited.has(key));
  return lost.filter((one) => countOf(session, one) <= one.before);
}

/** Returns the number of messages of the user with a text, after an entry or in the whole conversation. */
function countOf({ state: { timeline } }: Session, { text, after }: Pick<Sent, "text" | "after">): number {
  let count = 0;
  for (let at = after === undefined ? 0 : timeline.indexOf(after) + 1; at < timeline.length; at++) {
    const entry = timeline.at(at);
    if (entry?.type === "message" && entry.role === "user" && messageText(entry) === text) count += 1;
  }
  return count;
}

// Pages without encryption have no `crypto.randomUUID`.
const newKey = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-");
