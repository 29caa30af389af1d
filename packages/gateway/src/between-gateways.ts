import type { Meta } from "@turnkit/session";

/**
 * Member of `_meta` of a prompt and of its message: a token of the gateway that sent the prompt. This gateway
 * recognises the message by the token.
 */
export const PROMPT = "turnkit.prompt";
/** Member of `_meta` of a prompt that an earlier owner may have received. */
export const RETRY = "turnkit.retry";
/** Member of `_meta` of a question: its id at the owner. */
export const QUESTION = "turnkit.question";
/**
 * Members of `_meta` of the last notice of an owner, if a client has ended the session: the event, and the name of the
 * principal.
 */
export const ENDING = "turnkit.ending";
export const ENDED_BY = "turnkit.endedBy";
/**
 * Member of the data of an owner's error for a prompt: the owner is closing and has not taken the prompt. The session
 * continues, and the next owner takes the prompt.
 */
export const LEAVING = "turnkit.leaving";

/** Notification to an owner: the name of the principal whose request follows. */
export const BY = "_turnkit/by";
/** Notification to an owner: the id of a question, with a {@link QuestionNote}. */
export const ASKED = "_turnkit/asked";
/** Notification to an owner: the `key` of a prompt that was cancelled while the channel to the owner was lost. */
export const WITHDRAWN = "_turnkit/withdrawn";

/** Report of a gateway about a question that its clients got. */
export type QuestionNote = {
  /** Name of the principal that answers. */
  readonly name?: string;
  /** False while no client can answer. */
  readonly isAttended?: boolean;
};

/** Returns a text of `_meta`, if it has this member. */
export function textIn(meta: Meta | null | undefined, name: string): string | undefined {
  const value = meta == null || !Object.hasOwn(meta, name) ? undefined : meta[name];
  return typeof value === "string" ? value : undefined;
}

/** Returns true if an owner that is closing has refused a prompt with this error. */
export const isLeaving = ({ data }: { readonly data?: unknown }): boolean =>
  typeof data === "object" && data !== null && (data as { readonly [LEAVING]?: unknown })[LEAVING] === true;
