import { fileURLToPath } from "node:url";
import type { PromptName } from "@turnkit/conformance";

/** Program that is checked, and the prompts with which the checks steer it. */
export type Peer = {
  readonly name: string;
  readonly protocols: readonly (1 | 2 | "seed")[];
  readonly command: readonly [string, ...string[]];
  readonly prompts?: Readonly<Partial<Record<PromptName, string>>>;
  /** `plain` for a program without a model that follows prompts. */
  readonly profile?: "steered" | "plain";
};

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Agent of version 1 that follows the documentation of the official SDK. */
export const sdkAgent = {
  name: "official SDK 2.4.0, agent",
  protocols: [1],
  command: [process.execPath, file("./sdk-agent.mjs")],
  prompts: { long: "long", permission: "permission" },
} as const satisfies Peer;

/** Command line of a client of version 1 that follows the documentation of the official SDK. */
export const sdkClient: string = `"${process.execPath}" "${file("./sdk-client.mjs")}" {agent}`;

/** Built agents of this repository. */
export const ownAgents: readonly Peer[] = [
  {
    name: "turnkit-agent",
    protocols: [1, 2, "seed"],
    command: [process.execPath, file("../../../cli-agent/dist/main.js"), "--model", "reviewer"],
  },
];

/** Command line of the built terminal client, for one prompt. */
export const ownClient = (protocol: 1 | 2 | "seed"): string =>
  `"${process.execPath}" "${file("../../../node-client/dist/main.js")}" --protocol ${protocol} hello -- {agent}`;
