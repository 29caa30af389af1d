import type { LaunchOptions } from "@turnkit/client/node";
import { spawnChannel } from "@turnkit/transport/node";
import type { LocalAgent } from "../agents/choose-agent.js";
import type { agentPlace } from "./setup.js";

/** Option of a launch that starts the process of the agent. */
export type Spawn = NonNullable<LaunchOptions["spawn"]>;

/**
 * Starts the process of an agent. At the same time, this program can load its other parts. The launch of the same setup
 * then gets this process, and reports its errors. The process ends with this program in any case.
 */
export function startEarly(command: LocalAgent["command"], place: ReturnType<typeof agentPlace>): Spawn {
  let early = "";
  let tell = (text: string): void => {
    early += text;
  };
  const started = spawnChannel(command, { ...place, onStderr: (text) => tell(text) });
  started.catch(() => undefined);
  return async (_, { onStderr = () => {} }) => {
    tell = onStderr;
    if (early !== "") onStderr(early);
    return started;
  };
}
