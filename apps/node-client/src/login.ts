import type { AuthMethod, Client, LoginOptions } from "@turnkit/client";
import { loginOnTerminal } from "@turnkit/client/node";
import type { View } from "./view.js";

/** What a login needs to know. */
export type LoginPlace = {
  /** The agent's command, and the directory that it was started in. */
  readonly command: readonly [string, ...string[]];
  readonly directory: string;
  readonly view: View;
  /** Gives up: the login ends, and so does a program that runs for it. */
  readonly signal: AbortSignal;
  /** Starts the agent again. */
  readonly restart: () => Promise<Client>;
};

/** Lets the person choose one of the agent's ways to log in, and runs it. Where nobody can choose, it says what there is. */
export function loginFor({ peer }: Client, place: LoginPlace): LoginOptions {
  const { command, directory, view, signal, restart } = place;
  return {
    signal,
    async choose(methods) {
      const choices = methods.map(({ name, description }) => ({ name, description }));
      const chosen =
        methods.length > 0 ? await view.choose?.("The agent wants a login first.", choices, signal) : undefined;
      const method = chosen === undefined ? undefined : methods[chosen];
      if (method === undefined) throw new Error(explain(peer.authMethods));
      return method;
    },
    async onTerminal(method) {
      await loginOnTerminal(command, { method, cwd: directory, signal });
      return restart();
    },
  };
}

/** "Authentication required" alone does not say where to go. */
function explain(methods: readonly AuthMethod[]): string {
  const names = methods.map(({ name }) => name).join(", ");
  return `Authentication required\nLog in with the agent's own program first. It offers: ${names || "nothing"}.`;
}
