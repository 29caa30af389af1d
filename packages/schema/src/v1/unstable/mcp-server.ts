import { boolean, extend, extendVariants, type Infer, lenient, object, type Schema, string } from "../../vocabulary.js";
import * as stable from "../mcp-server.js";

const mcpCapabilities_ = extend(stable.mcpCapabilities, {
  /** True if the agent can talk to MCP servers through this connection. */
  acp: lenient(boolean()),
});
/** MCP transports of the agent besides stdio; only `true` counts. */
export interface McpCapabilities extends Infer<typeof mcpCapabilities_> {}
/** Validates {@link McpCapabilities}. */
export const mcpCapabilities: Schema<McpCapabilities> = mcpCapabilities_;

/** Identifier of an MCP server that the client offers through this connection; never used again on it. */
export type McpServerAcpId = string;
/** Validates an {@link McpServerAcpId}. */
export const mcpServerAcpId: Schema<McpServerAcpId> = string();

const mcpServerAcp_ = object({
  /** The server's name for people. */
  name: string(),
  /** Id that `mcp/message` names. */
  serverId: mcpServerAcpId,
});
// V1-UNST-08
/** An MCP server that the agent reaches through this connection. */
export interface McpServerAcp extends Infer<typeof mcpServerAcp_> {}
/** Validates an {@link McpServerAcp}. */
export const mcpServerAcp: Schema<McpServerAcp> = mcpServerAcp_;

const mcpServer_ = extendVariants(stable.mcpServer, "type", { acp: mcpServerAcp });
/** An MCP server for the agent to connect to. */
export type McpServer = Infer<typeof mcpServer_> | never;
/** Validates an {@link McpServer}. */
export const mcpServer: Schema<McpServer> = mcpServer_;
