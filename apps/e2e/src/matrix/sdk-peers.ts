import { fileURLToPath } from "node:url";
import { type PromptName, runAgentChecks, runClientChecks } from "@turnkit/conformance";
import { commandAgent, commandClient } from "@turnkit/conformance/node";
import { limits, lineOf, type Peer } from "./peer.js";

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

type SdkAgent = {
  readonly protocol: 1 | 2;
  readonly command: readonly [string, ...string[]];
  readonly prompts: Partial<Record<PromptName, string>>;
};

/** Agents that follow the documentation of the official SDK. */
export const sdkAgents: readonly [SdkAgent, SdkAgent] = [
  {
    protocol: 1,
    command: [process.execPath, file("./sdk-agent.mjs")],
    prompts: { long: "long", permission: "permission" },
  },
  {
    protocol: 2,
    command: [process.execPath, file("./sdk-v2-agent.mjs")],
    prompts: { long: "long", permission: "permission" },
  },
];

/** Command lines of clients that follow the documentation of the official SDK. */
export const sdkClients: Readonly<Record<1 | 2, string>> = {
  1: `${lineOf([process.execPath, file("./sdk-client.mjs")])} {agent}`,
  2: `${lineOf([process.execPath, file("./sdk-v2-client.mjs")])} {agent}`,
};

/** Agents and clients of the official SDK. */
export const sdkPeers: readonly Peer[] = [
  ...sdkAgents.map(
    ({ protocol, command, prompts }): Peer => ({
      ...{ name: "official SDK 2.4.0, agent", side: "agent", protocol },
      check: (cwd) => runAgentChecks(commandAgent(command), { ...limits, protocol, cwd, prompts }),
    }),
  ),
  ...([1, 2] as const).map(
    (protocol): Peer => ({
      ...{ name: "official SDK 2.4.0, client", side: "client", protocol },
      check: (folder) => runClientChecks(commandClient(sdkClients[protocol], { folder }), { ...limits, protocol }),
    }),
  ),
];
