import type { AuthMethod, Client, LoginOptions } from "@turnkit/client";
import { loginOnTerminal } from "@turnkit/client/node";
import type { View } from "./view.js";

/** What a login needs to know. */
export type LoginPlace = {
  /** The agent's command, and the directory that it was started in. */
  readonly command: readonly [string, ...string[]];
  readonly directory: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly view: Pick<View, "choose">;
  /** Gives up: the login ends, and so does a program that runs for it. */
  readonly signal: AbortSignal;
  /** Starts the agent again. */
  readonly restart: () => Promise<Client>;
};

/** The agent wants a login, and nobody could do it here. */
export class LoginNeededError extends Error {
  override readonly name = "LoginNeededError";

  /** "Authentication required" alone does not say where to go. */
  constructor(methods: readonly AuthMethod[]) {
    const names = methods.map(({ name }) => name).join(", ");
    super(`Authentication required\nLog in with the agent's own program first. It offers: ${names || "nothing"}.`);
  }
}

/** Lets the person choose one of the agent's ways to log in, and runs it. Where nobody can choose, it says what there is. */
export function loginFor({ peer }: Client, place: LoginPlace): LoginOptions {
  const { command, directory, env, view, signal, restart } = place;
  return {
    signal,
    async choose(methods) {
      const choices = methods.map(({ name, description }) => ({ name, description }));
      const chosen =
        methods.length > 0 ? await view.choose?.("The agent wants a login first.", choices, signal) : undefined;
      const method = chosen === undefined ? undefined : methods[chosen];
      if (method === undefined) throw new LoginNeededError(peer.authMethods);
      return method;
    },
    async onTerminal(method) {
      await loginOnTerminal(command, { method, cwd: directory, signal, env: env ?? process.env });
      return restart();
    },
  };
}
