import type { CloseReason } from "@turnkit/client";
import { render, Text, useCursor, useInput } from "ink";
import React, { useRef, useSyncExternalStore } from "react";
import { type Interrupts, whenAborted } from "../interrupts.js";
import { createKeyReader, pasteMode } from "./model/key.js";
import { type Frame, Stage, type StageOptions } from "./stage.js";
import { TerminalScreen } from "./terminal-screen.js";

/** Options of a screen. */
export type ScreenOptions = Omit<StageOptions, "screen" | "quit" | "fail"> & {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly interrupts: Interrupts;
  /** Settles at the end of the agent. */
  readonly closed: Promise<CloseReason>;
  /** Called once with the function that shows a note on the screen. */
  readonly onNote: (note: (message: string) => void) => void;
};

/**
 * Shows a session until the person quits, the agent ends, or the program is interrupted. Restores the terminal, with
 * the conversation in its history.
 *
 * @throws the error of a failed frame, after the terminal is restored
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
  // Raw mode before the first frame: early input must not be read as lines, with Enter as a line break.
  stdin.setRawMode(true);
  stdout.write(pasteMode.on);
  const app = render(<App stage={stage} />, {
    ...{ stdin, stdout: screen as unknown as NodeJS.WriteStream },
    ...{ exitOnCtrlC: false, patchConsole: false },
    // The stage limits the frames itself.
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
    // React passes the last frame on after this task.
    await new Promise((resolve) => setImmediate(resolve));
    app.unmount();
    screen.release();
    stdout.write(pasteMode.off);
  }
}

/** Root component: it passes keys to the stage, and draws the stage's frames. */
export function App({ stage }: { readonly stage: Stage }): React.ReactNode {
  const { text, cursor } = useSyncExternalStore(stage.subscribe, stage.getFrame);
  const reader = useRef(createKeyReader());
  useInput((input, key) => {
    for (const one of reader.current(input, key)) stage.press(one);
  });
  return <Panel text={text} cursor={cursor} />;
}

/** Lower part of the screen, drawn with each frame, with the terminal's own cursor in the text input. */
export function Panel({ text, cursor }: Frame): React.ReactNode {
  const { setCursorPosition } = useCursor();
  setCursorPosition(cursor);
  return <Text>{text}</Text>;
}
