import { runSource } from "../process/source.js";

type Command = readonly [string, ...string[]];

const app = (path: string): Command => runSource(new URL(`../../../${path}`, import.meta.url));

/** Our agent. */
export const turnkitAgent = app("cli-agent/src/main.ts");

/** Our terminal client. */
export const turnkit = app("node-client/src/main.ts");

/** What `pnpm demo` runs. */
export const demo = app("node-client/src/demo.ts");

/** An agent that was written with the official SDK. */
export const officialAgent = app("e2e/src/interop/official-agent.ts");
