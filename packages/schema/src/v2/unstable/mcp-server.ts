import { mcpServerAcp } from "../../both/unstable/mcp-message.js";
import { extend, extendVariants, type Infer, lenient, nullable, object, type Schema } from "../../vocabulary.js";
import * as stable from "../mcp-server.js";

const mcpAcpCapabilities_ = object({});
/** Marker: the agent can talk to MCP servers through this connection. It counts when present and not null. */
export interface McpAcpCapabilities extends Infer<typeof mcpAcpCapabilities_> {}
/** Validates {@link McpAcpCapabilities}. */
export const mcpAcpCapabilities: Schema<McpAcpCapabilities> = mcpAcpCapabilities_;

const mcpCapabilities_ = extend(stable.mcpCapabilities, {
  /** Servers through this connection. */
  acp: lenient(nullable(mcpAcpCapabilities)),
});
/** MCP transports of the agent; there is no default. */
export interface McpCapabilities extends Infer<typeof mcpCapabilities_> {}
/** Validates {@link McpCapabilities}. */
export const mcpCapabilities: Schema<McpCapabilities> = mcpCapabilities_;

// V2-MCP-07
/**
 * Codes of errors that answer `mcp/message` itself, because the inner request could not be carried. An answer of the
 * server is a result.
 */
export const mcpErrorCodes = {
  /** Too many open requests to the server. */
  tooManyRequests: -33000,
  /** Missing server. */
  serverUnavailable: -33001,
  /** Failure of a server that was reached. */
  backendFailed: -33002,
} as const;

const mcpServer_ = extendVariants(stable.mcpServer, "type", { acp: mcpServerAcp });
/** An MCP server for the agent to connect to. */
export type McpServer = Infer<typeof mcpServer_> | never;
/** Validates an {@link McpServer}. */
export const mcpServer: Schema<McpServer> = mcpServer_;
