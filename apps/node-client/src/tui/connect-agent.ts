import { readPermissions } from "../permission-judges.js";
import { openPermissionStore } from "../permission-store.js";
import { createBroker } from "../permissions.js";
import type { ProgramStreams } from "../program.js";
import type { CutListener } from "../setup/connection-cuts.js";
import type { Spawn } from "../setup/early-agent.js";
import { agentIdentity, type Setup } from "../setup/setup.js";
import { type Visit, visitAgent } from "../setup/visit.js";
import type { View } from "../view.js";
import type { AskedQuestions } from "./asked-questions.js";

/** Parts of the screen that other parts of the program use while it is shown. */
export type ShownScreen = {
  tell(message: string): void;
  /** Gives the terminal to other parts of this program until `work` settles. */
  lend<T>(work: () => Promise<T>): Promise<T>;
};

export type ConnectOptions = Pick<ProgramStreams, "env" | "interrupts"> & {
  /** Value of `--permissions`. */
  readonly permissions: string;
  /** Process of the agent that was started before. */
  readonly spawn: Spawn | undefined;
  readonly asked: AskedQuestions;
  /** Questions on the terminal, outside of the screen. */
  readonly view: Pick<View, "choose" | "elicit">;
  readonly screen: ShownScreen;
  /** Returns `true` if a line may be asked now. */
  readonly mayAsk: () => boolean;
  /** Returns `true` until the first session is open. */
  readonly isFirst: () => boolean;
  readonly cut: CutListener;
};

/**
 * Connects to the agent of a setup. Remembered permissions apply to its directory. During a login, only the login uses
 * the terminal.
 */
export async function connectAgent(setup: Setup, options: ConnectOptions): Promise<Visit> {
  const { permissions, spawn, asked, env, interrupts, view, screen, mayAsk, isFirst, cut } = options;
  const { choose, elicit } = view;
  const tell = (message: string) => screen.tell(message);
  const store = await openPermissionStore(env, setup.directory);
  const judge = await readPermissions(permissions);
  return visitAgent({
    ...{ setup, interrupts, spawn },
    // Questions of a session wait in its state until the screen shows them.
    permissions: createBroker({ judge, store: store.of(agentIdentity(setup)), note: tell, ask: asked.ask }),
    view: {
      ...{ cut, note: tell, ran: tell, lend: (work) => screen.lend(work) },
      // A login may ask while a session is opened. Later, the keys are for the screen.
      choose: choose && (async (...wanted) => (mayAsk() ? screen.lend(() => choose(...wanted)) : undefined)),
      elicit: async (question, signal) => (elicit && isFirst() ? screen.lend(() => elicit(question, signal)) : "wait"),
    },
  });
}
