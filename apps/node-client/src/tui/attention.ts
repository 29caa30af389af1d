import { oneLine } from "../sanitise.js";

/** State of the conversation that a person may not see, because another window covers it. */
export type Waiting = {
  /** Title of the session, or the name of its folder. */
  readonly name: string;
  readonly isWorking: boolean;
  readonly questions: number;
};

export type AttentionOptions = {
  readonly write: (text: string) => void;
  readonly env: NodeJS.ProcessEnv;
  /** Returns the time in milliseconds. Tests have their own. */
  readonly now?: () => number;
};

/** Title of the window, and the bell when the program waits for the person. */
export type Attention = ReturnType<typeof createAttention>;

/** Time of work after which its end rings, in milliseconds. */
const LONG_MS = 5000;
const MAX_NAME = 80;

/** Sequences that store and restore the title. Terminals without them get an empty title at the end. */
const TITLE = { store: "\u001b[22;2t", restore: "\u001b]2;\u001b\\\u001b[23;2t" } as const;

/**
 * Creates an {@link Attention}. `TURNKIT_TITLE=0` and `TURNKIT_BELL=0` switch its parts off. A terminal that certainly
 * supports notifications gets a notification (OSC 9). Other terminals get the bell.
 */
export function createAttention({ write, env, now = performance.now.bind(performance) }: AttentionOptions) {
  const hasTitle = env.TURNKIT_TITLE !== "0" && env.TERM !== "linux" && env.TERM !== "dumb";
  const hasBell = env.TURNKIT_BELL !== "0";
  const ring = (text: string) => {
    if (hasBell) write(notifies(env) ? `\u001b]9;turnkit: ${text}\u001b\\` : "\u0007");
  };
  let shown: string | undefined;
  let questions = 0;
  let since: number | undefined;
  return {
    /** Shows the state in the title. Rings once for new questions, and at the end of work that took some seconds. */
    update(waiting: Waiting): void {
      const name = titleText(waiting.name);
      const title = `${waiting.questions > 0 ? "? " : waiting.isWorking ? "◐ " : ""}${name} – turnkit`;
      if (hasTitle && title !== shown) write(`${shown === undefined ? TITLE.store : ""}\u001b]2;${title}\u001b\\`);
      shown = title;
      const isOver = since !== undefined && !waiting.isWorking && now() - since >= LONG_MS;
      if (waiting.questions > questions) ring(`${name} has a question`);
      else if (isOver) ring(`${name} is done`);
      // The time of an open question does not count as work.
      if (!waiting.isWorking) since = undefined;
      else if (since === undefined || waiting.questions !== questions) since = now();
      questions = waiting.questions;
    },
    /** Restores the title of the window. The next update sets it again. */
    release(): void {
      if (hasTitle && shown !== undefined) write(TITLE.restore);
      shown = undefined;
    },
  };
}

/** Returns a name that cannot end the sequence of the title, or begin another one. */
function titleText(name: string): string {
  return oneLine(name.slice(0, MAX_NAME)).trim();
}

/**
 * Returns `true` for terminals that show OSC 9 as a notification. In other terminals, OSC 9 may have another meaning.
 */
function notifies({ TERM_PROGRAM = "", TERM, TMUX }: NodeJS.ProcessEnv): boolean {
  if (TMUX !== undefined) return false;
  return (
    ["iTerm.app", "WezTerm", "ghostty"].includes(TERM_PROGRAM) || TERM === "xterm-kitty" || TERM === "xterm-ghostty"
  );
}
