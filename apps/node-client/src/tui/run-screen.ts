import { whenAborted } from "../interrupts.js";
import type { ShownScreen } from "./connect-agent.js";
import { Stage, type StageOptions } from "./stage.js";

export type ScreenOptions = StageOptions & {
  /** Called once, when the screen is shown. */
  readonly onShown: (screen: ShownScreen) => void;
};

/**
 * Shows the sessions of a link until the person quits or the program is interrupted. At the end, the terminal is restored.
 * Its history contains the conversations.
 *
 * @throws the error of a frame that could not be drawn, after the terminal is restored
 */
export async function runScreen(options: ScreenOptions): Promise<void> {
  const { interrupts, onShown } = options;
  let finish = () => {};
  let fail: (error: unknown) => void = () => {};
  const ended = new Promise<void>((resolve, reject) => {
    finish = resolve;
    fail = reject;
  });
  const stage = new Stage(options, { quit: finish, fail });
  onShown(stage);
  const forget = whenAborted(interrupts.cancel, finish);
  try {
    await ended;
  } finally {
    forget();
    await stage.end();
  }
}
