import type { Session } from "@turnkit/client";
import { createSessionState } from "@turnkit/session";

export type ShownSession = Pick<Session, "id" | "cwd" | "state" | "children" | "subscribe" | "onEvent" | "onChild"> &
  Pick<Session, "prompt" | "cancel" | "answer" | "setConfigOption">;

/**
 * Creates the session that is on the screen until the agent has opened one. It is empty and closed, so that prompts wait
 * for the next session.
 */
export function createUnopenedSession(cwd: string): ShownSession {
  const unlistened = () => () => {};
  const refuse = (): never => {
    throw new Error("The agent has no conversation yet. Wait until it has started.");
  };
  return {
    ...{ id: "", cwd, state: { ...createSessionState(), closed: true }, children: [] },
    ...{ subscribe: unlistened, onEvent: unlistened, onChild: unlistened },
    ...{ prompt: refuse, answer: refuse, cancel: async () => {}, setConfigOption: async () => refuse() },
  };
}
