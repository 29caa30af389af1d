import type { AuthMethod, Client } from "@turnkit/client";
import { loginOnTerminal } from "@turnkit/client/node";
import type { View } from "./view.js";

/** What a login needs to know. */
export type LoginOptions = {
  /** The agent's command, and the directory that it was started in. */
  readonly command: readonly [string, ...string[]];
  readonly directory: string;
  readonly view: View;
  /** Gives up: the login ends, and so does a program that runs for it. */
  readonly signal: AbortSignal;
  /** Starts the agent again. */
  readonly restart: () => Promise<Client>;
};

/**
 * Lets the person choose one of the agent's ways to log in, and runs it. Answers with the client to go on with: after a
 * login on the terminal that is a new one, since the agent that refused does not know of it.
 *
 * @throws Error that says what there is, where nobody can choose or nothing was chosen; what the login itself throws
 */
export async function logIn(client: Client, options: LoginOptions): Promise<Client> {
  const { command, directory, view, signal, restart } = options;
  const methods = client.peer.authMethods.filter(({ type }) => type === "agent" || type === "terminal");
  const choices = methods.map(({ name, description }) => ({ name, description }));
  const chosen =
    methods.length > 0 ? await view.choose?.("The agent wants a login first.", choices, signal) : undefined;
  const method = chosen === undefined ? undefined : methods[chosen];
  if (method === undefined) throw new Error(explain(client.peer.authMethods));
  if (method.type !== "terminal") {
    await client.login(method.methodId, signal);
    return client;
  }
  await client.close();
  await loginOnTerminal(command, { method, cwd: directory, signal });
  return restart();
}

/** "Authentication required" alone does not say where to go. */
function explain(methods: readonly AuthMethod[]): string {
  const names = methods.map(({ name }) => name).join(", ");
  return `Authentication required\nLog in with the agent's own program first. It offers: ${names || "nothing"}.`;
}
