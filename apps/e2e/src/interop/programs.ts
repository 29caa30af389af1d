import { runSource } from "../process/source.js";

type Command = readonly [string, ...string[]];

const app = (path: string): Command => runSource(new URL(`../../../${path}`, import.meta.url));

/** Our agent, as it is configured wherever it is started. */
export const codingAgent: Command = app("cli-agent/src/main.ts");

/** Our agent without sessions and offline, independent of the configuration of the user. */
export const turnkitAgent: Command = [...codingAgent, "--no-sessions", "--model", "reviewer"];

/** Our terminal client. */
export const turnkit = app("node-client/src/main.ts");

/** Program of `pnpm demo`. */
export const demo = app("node-client/src/demo.ts");

/** An agent that was written with the official SDK. */
export const officialAgent = app("e2e/src/interop/official-agent.ts");

/** An agent of the draft of June 2026, in bare lines. */
export const seedAgent = app("e2e/src/interop/seed-agent.ts");

/** A client of that draft, in bare lines. */
export const seedClient = app("e2e/src/interop/seed-client.ts");

/** An agent of version 2 that was written with the official SDK. */
export const officialV2Agent = app("e2e/src/interop/official-v2-agent.ts");
