import type { CloseReason } from "@turnkit/client";
import { whenAborted } from "../interrupts.js";
import { Stage, type StageOptions } from "./stage.js";

export type ScreenOptions = StageOptions & {
  /** Resolves when the agent ends. */
  readonly closed: Promise<CloseReason>;
  /** Called once. Its parameter is a function that shows a note on the screen. */
  readonly onNote: (note: (message: string) => void) => void;
};

/**
 * Shows a session until the person quits, the agent ends or the program is interrupted. At the end, the terminal is
 * restored. Its history contains the conversation.
 *
 * @throws the error of a frame that could not be drawn, after the terminal is restored
 */
export async function runScreen(options: ScreenOptions): Promise<"quit" | "agent gone"> {
  const { interrupts, closed, onNote } = options;
  let finish: (end: "quit" | "agent gone") => void = () => {};
  let fail: (error: unknown) => void = () => {};
  const ended = new Promise<"quit" | "agent gone">((resolve, reject) => {
    finish = resolve;
    fail = reject;
  });
  const stage = new Stage(options, { quit: () => finish("quit"), fail });
  onNote((message) => stage.note([["yellow", message]]));
  const forget = whenAborted(interrupts.cancel, () => finish("quit"));
  void closed.then(() => finish("agent gone"));
  try {
    return await ended;
  } finally {
    forget();
    await stage.end();
  }
}
