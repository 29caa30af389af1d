import { mcpServerAcp } from "../../both/unstable/mcp-message.js";
import { boolean, extend, extendVariants, type Infer, lenient, type Schema } from "../../vocabulary.js";
import * as stable from "../mcp-server.js";

const mcpCapabilities_ = extend(stable.mcpCapabilities, {
  /** True if the agent can talk to MCP servers through this connection. */
  acp: lenient(boolean()),
});
/** MCP transports of the agent besides stdio; only `true` counts. */
export interface McpCapabilities extends Infer<typeof mcpCapabilities_> {}
/** Validates {@link McpCapabilities}. */
export const mcpCapabilities: Schema<McpCapabilities> = mcpCapabilities_;

const mcpServer_ = extendVariants(stable.mcpServer, "type", { acp: mcpServerAcp });
/** An MCP server for the agent to connect to. */
export type McpServer = Infer<typeof mcpServer_> | never;
/** Validates an {@link McpServer}. */
export const mcpServer: Schema<McpServer> = mcpServer_;
