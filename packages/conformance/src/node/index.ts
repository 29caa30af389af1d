export type { CommandAgentOptions } from "./command-agent.js";
export { commandAgent } from "./command-agent.js";
export type { CommandClientOptions } from "./command-client.js";
export { commandClient } from "./command-client.js";
