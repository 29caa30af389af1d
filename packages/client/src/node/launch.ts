import { type SpawnChannelOptions, spawnChannel } from "@turnkit/transport/node";
import { type Client, type ClientOptions, connect } from "../client.js";

/** How to start an agent. */
export type LaunchOptions = SpawnChannelOptions;

/**
 * Starts an agent and talks to it over its stdin and stdout. The agent never outlives the client: `close`, the end of
 * this process, and its death by KILL all end the agent and what it started.
 *
 * @throws SpawnError if the program cannot be started; otherwise as `connect`
 *
 * @example
 * const client = await launch(["turnkit-agent"], { info: { name: "my-editor", version: "1.0.0" } });
 */
export async function launch(
  command: readonly [string, ...string[]],
  options: ClientOptions & LaunchOptions,
): Promise<Client> {
  return connect(await spawnChannel(command, options), options);
}
