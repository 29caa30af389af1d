export type { CommandAgentOptions } from "./command-agent.js";
export { commandAgent } from "./command-agent.js";
export type { CommandClientOptions } from "./command-client.js";
export { commandClient } from "./command-client.js";
export type { RemoteAgentOptions } from "./remote/remote-agent.js";
export { remoteAgent } from "./remote/remote-agent.js";
export type { RemoteCheckOptions } from "./remote/run-remote-checks.js";
export { runRemoteChecks } from "./remote/run-remote-checks.js";
