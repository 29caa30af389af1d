export type { CommandAgentOptions } from "./command-agent.js";
export { commandAgent } from "./command-agent.js";
