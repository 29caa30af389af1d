import type { Moment } from "./daily-script.js";
import type { PseudoTerminal } from "./pseudo-terminal.js";

/** Size of a terminal. */
export type Size = readonly [columns: number, rows: number];

export type PlayOptions = {
  /** Size of the terminal at the start. */
  readonly size: Size;
  /** Called after each change of the size, with its number. */
  readonly onResize?: (count: number) => void;
  /** Longest time until a moment shows its texts, in milliseconds. */
  readonly patienceMs?: number;
  /** Text on the screen that ends the play. */
  readonly endsAt?: RegExp | undefined;
};

/** Returns a text without white space. A wrapped text has line breaks at any place. */
export const dense = (text: string) => text.replace(/\s/g, "");

/** Returns true if the texts stand in this order. */
function hasInOrder(screen: string, texts: readonly string[]): boolean {
  let at = 0;
  return texts.every((text) => {
    const found = screen.indexOf(dense(text), at);
    at = found + dense(text).length;
    return found >= 0;
  });
}

/**
 * Plays moments one after the other. A moment that does not come is an error with its number. Returns the text that has
 * ended the play before its last moment.
 */
export async function play(
  terminal: PseudoTerminal,
  moments: readonly Moment[],
  { size, onResize, patienceMs = 20_000, endsAt }: PlayOptions,
): Promise<string | undefined> {
  let resizes = 0;
  for (const [index, { press, resize, shows, isBusy = false }] of moments.entries()) {
    const wanted = resize === "start" ? size : resize;
    if (wanted !== undefined) terminal.resize(...wanted);
    if (press !== undefined) terminal.type(press);
    const holds = (screen: string) => {
      const text = dense(screen);
      const isDrawn = wanted === undefined || screen.split("\n").includes("─".repeat(wanted[0]));
      const isThere = hasInOrder(text, typeof shows === "string" ? [shows] : shows);
      return isDrawn && isThere && (isBusy || !/●(?:Working|Starting|Opening)|\?Permission/.test(text));
    };
    const isOver = (screen: string) => endsAt?.test(screen) === true;
    const shown = await terminal
      .until((screen) => isOver(screen) || holds(screen), patienceMs)
      .catch((error: unknown) => {
        throw new Error(`Moment ${index + 1}: ${JSON.stringify(press ?? resize)} → ${JSON.stringify(shows)}`, {
          cause: error,
        });
      });
    const [end] = endsAt?.exec(shown) ?? [];
    if (end !== undefined) return end;
    if (wanted !== undefined) onResize?.(resizes++);
  }
  return undefined;
}
