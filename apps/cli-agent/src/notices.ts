import type { AgentSession, Room, Turn } from "@turnkit/agent";
import type { Retry } from "./loop.js";
import type { Model } from "./model.js";

export type Notice = {
  readonly severity: "info" | "warning" | "error";
  readonly title: string;
  readonly text?: string;
};

/** Largest number of notices that wait for a turn. Further notices are only counted. */
const MAX_WAITING = 20;

/** Creates the notices of a session, which may appear between turns. */
export function createNotices(session: Pick<AgentSession<unknown>, "client" | "emit" | "signal">) {
  let waiting: Notice[] = [];
  let dropped = 0;
  const shown = new Set<string>();
  const show = (notice: Notice): void => {
    if (session.signal.aborted) return;
    const { severity, title, text } = notice;
    if (session.client.capabilities.notices) {
      session.emit({ type: "notice", severity, title, description: text });
    } else if (waiting.length < MAX_WAITING) waiting.push(notice);
    else dropped += 1;
  };
  return {
    /** Shows a notice. If the client does not support notices, the text appears at the start of the next turn. */
    show,
    /** Shows a notice, unless the session has shown the same one before. */
    showOnce(notice: Notice): void {
      const key = JSON.stringify(notice);
      if (!shown.has(key)) show(notice);
      shown.add(key);
    },
    async writeTo(turn: Pick<Turn, "say">): Promise<void> {
      const lines = waiting.map(
        ({ title, text }) => `> ${(text === undefined ? title : `${title}: ${text}`).replace(/\n/g, "\n> ")}`,
      );
      if (dropped > 0) lines.push(`> There were ${dropped} more notices.`);
      waiting = [];
      dropped = 0;
      if (lines.length > 0) await turn.say(`${lines.join("\n\n")}\n\n`);
    },
  };
}

type NoticeTurn = Pick<Turn<unknown>, "emit" | "session" | "think">;

/** Shows a retry as a notice, or as a thought if the client supports no notices. */
export function showRetry(turn: NoticeTurn, { reason, delayMs }: Retry): Room {
  const title = `Trying again in ${Math.ceil(delayMs / 1_000)} s`;
  return warn(turn, { title, description: reason, thought: `${reason} ${title}.` });
}

/** Shows that a model has answered nothing, because the turn would look as if it had not run. */
export function showEmpty(turn: NoticeTurn, { name }: Pick<Model, "name">): Room {
  const title = `${name} answered nothing`;
  return warn(turn, { title, thought: `${title}.` });
}

/** Shows that a model cannot see the pictures of a prompt, because the person who sent them would wait for an answer about them. */
export function showUnseen(
  turn: NoticeTurn & Pick<Turn<unknown>, "prompt">,
  { name, images }: Pick<Model, "name" | "images">,
): Room {
  if (images || !turn.prompt.some(({ type }) => type === "image")) return;
  const title = `${name} cannot see pictures`;
  const description = "It reads only that one was attached. Describe it, or choose another model.";
  return warn(turn, { title, description, thought: `${title}. ${description}` });
}

type Warning = { readonly title: string; readonly description?: string; readonly thought: string };

function warn(turn: NoticeTurn, { thought, ...notice }: Warning): Room {
  return turn.session.client.capabilities.notices
    ? turn.emit({ type: "notice", severity: "warning", ...notice })
    : turn.think(`${thought}\n\n`);
}
