import type { CloseReason } from "@turnkit/client";
import { render, Text, useCursor, useInput } from "ink";
import React, { useRef, useSyncExternalStore } from "react";
import { type Interrupts, whenAborted } from "../interrupts.js";
import { createKeyReader, pasteMode } from "./model/key.js";
import { type Frame, Stage, type StageOptions } from "./stage.js";
import { TerminalScreen } from "./terminal-screen.js";

/** What a screen needs. */
export type ScreenOptions = Omit<StageOptions, "screen" | "quit" | "fail"> & {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly interrupts: Interrupts;
  /** The agent went away. */
  readonly closed: Promise<CloseReason>;
  /** Hands out how something is said while the screen is up. */
  readonly onNote: (note: (message: string) => void) => void;
};

/**
 * Puts a session on the screen until the person quits, the agent is gone, or the program is told to end. The terminal is
 * then as it was, with the conversation in its history.
 *
 * @throws what went wrong in drawing; the terminal is as it was then too
 */
export async function runScreen(options: ScreenOptions): Promise<"quit" | "agent gone"> {
  const { stdin, stdout, interrupts, closed, onNote } = options;
  const screen = new TerminalScreen(stdout);
  let finish: (end: "quit" | "agent gone") => void = () => {};
  let fail: (error: unknown) => void = () => {};
  const ended = new Promise<"quit" | "agent gone">((resolve, reject) => {
    finish = resolve;
    fail = reject;
  });
  const stage = new Stage({ ...options, screen, quit: () => finish("quit"), fail });
  onNote((message) => stage.note([["yellow", message]]));
  // Before anything is drawn: what is typed at the first sight of it must not be read as lines, with Enter as a line break.
  stdin.setRawMode(true);
  stdout.write(pasteMode.on);
  const app = render(<App stage={stage} />, {
    ...{ stdin, stdout: screen as unknown as NodeJS.WriteStream },
    ...{ exitOnCtrlC: false, patchConsole: false },
    // The stage keeps the pace itself.
    maxFps: 1000,
  });
  const forget = whenAborted(interrupts.cancel, () => finish("quit"));
  void closed.then(() => finish("agent gone"));
  app.waitUntilExit().catch(fail);
  try {
    return await ended;
  } finally {
    forget();
    stage.end();
    // React hands the last frame on after this task.
    await new Promise((resolve) => setImmediate(resolve));
    app.unmount();
    screen.release();
    stdout.write(pasteMode.off);
  }
}

/** The interactive client: keys go to the stage, and the stage makes the frames. */
export function App({ stage }: { readonly stage: Stage }): React.ReactNode {
  const { text, cursor } = useSyncExternalStore(stage.subscribe, stage.getFrame);
  const reader = useRef(createKeyReader());
  useInput((input, key) => {
    for (const one of reader.current(input, key)) stage.press(one);
  });
  return <Panel text={text} cursor={cursor} />;
}

/** The lower part of the screen, drawn anew with every frame, with the terminal's own cursor where text is written. */
export function Panel({ text, cursor }: Frame): React.ReactNode {
  const { setCursorPosition } = useCursor();
  setCursorPosition(cursor);
  return <Text>{text}</Text>;
}
