import type { AgentSession, Turn } from "@turnkit/agent";

/** Something that the user should know and that is no answer. */
export type Notice = {
  readonly severity: "info" | "warning" | "error";
  readonly title: string;
  readonly text?: string;
};

/** How many notices wait for a turn; more are counted. */
const MAX_WAITING = 20;

/** Tells the user of a session what happens besides turns. */
export interface Notices {
  /** At once where the client takes notices, else at the beginning of the next turn. */
  tell(notice: Notice): void;
  /** Says what waits. */
  sayTo(turn: Pick<Turn, "say">): Promise<void>;
}

/** The notices of a session. */
export function createNotices(session: Pick<AgentSession<unknown>, "client" | "emit" | "signal">): Notices {
  let waiting: Notice[] = [];
  let dropped = 0;
  return {
    tell(notice) {
      if (session.signal.aborted) return;
      const { severity, title, text } = notice;
      if (session.client.capabilities.notices) {
        session.emit({ type: "notice", severity, title, ...(text === undefined ? {} : { description: text }) });
      } else if (waiting.length < MAX_WAITING) waiting.push(notice);
      else dropped += 1;
    },
    async sayTo(turn) {
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
