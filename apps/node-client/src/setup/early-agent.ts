import type { LaunchOptions } from "@turnkit/client/node";
import { spawnChannel } from "@turnkit/transport/node";
import { agentPlace, type Setup } from "./setup.js";

/** Option of a launch that starts the process of the agent. */
export type Spawn = NonNullable<LaunchOptions["spawn"]>;

/**
 * Starts the process of an agent. At the same time, this program can load its other parts. The launch of the same setup
 * then gets this process, and reports its errors. The process always ends with this program. Returns `undefined` for a
 * remote agent, because its process is on another machine.
 */
export function startEarly(setup: Setup): Spawn | undefined {
  if (setup.command === undefined) return undefined;
  let early = "";
  let tell = (text: string): void => {
    early += text;
  };
  const started = spawnChannel(setup.command, { ...agentPlace(setup), onStderr: (text) => tell(text) });
  started.catch(() => undefined);
  return async (_, { onStderr = () => {} }) => {
    tell = onStderr;
    if (early !== "") onStderr(early);
    return started;
  };
}
