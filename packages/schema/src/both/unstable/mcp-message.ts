import {
  firstOf,
  type Infer,
  integer,
  nullable,
  object,
  optional,
  record,
  type Schema,
  string,
  unknown,
} from "../../vocabulary.js";

/**
 * Identifier of an MCP server that the client offers through this connection. An id is never used again on the
 * connection.
 */
export type McpServerAcpId = string;
/** Validates an {@link McpServerAcpId}. */
export const mcpServerAcpId: Schema<McpServerAcpId> = string();

const mcpServerAcp_ = object({
  /** Name of the server for people. */
  name: string(),
  /** Id of the server in `mcp/message`. */
  serverId: mcpServerAcpId,
});
// V1-UNST-08, V2-MCP-01, V2-MCP-06
/** MCP server that the agent reaches through this connection. */
export interface McpServerAcp extends Infer<typeof mcpServerAcp_> {}
/** Validates an {@link McpServerAcp}. */
export const mcpServerAcp: Schema<McpServerAcp> = mcpServerAcp_;

/**
 * Identifier of a request to one MCP server. The caller chooses it. It does not depend on the id of the outer request.
 */
export type McpRequestId = string;
/** Validates an {@link McpRequestId}. */
export const mcpRequestId: Schema<McpRequestId> = string();

const message_ = object({
  /** Server that gets or sends the message. */
  serverId: mcpServerAcpId,
  /** Id of the inner request. A notification has the id of the request to which it belongs. */
  requestId: mcpRequestId,
  /** Method of MCP. */
  method: string(),
  /** Params. `null` means the same as absent. */
  params: optional(nullable(record(unknown()))),
});
// V1-UNST-08, V2-MCP-05, V2-MCP-06
/** Params of the request `mcp/message`, with which the agent calls an MCP server of the client. */
export interface MessageMcpRequest extends Infer<typeof message_> {}
/** Validates a {@link MessageMcpRequest}. */
export const messageMcpRequest: Schema<MessageMcpRequest> = message_;

/** Params of the notification `mcp/message`. It contains a message of the MCP server about a request in progress. */
export interface MessageMcpNotification extends Infer<typeof message_> {}
/** Validates a {@link MessageMcpNotification}. */
export const messageMcpNotification: Schema<MessageMcpNotification> = message_;

const mcpError_ = object({
  /** Error code, for programs. */
  code: integer(-0x8000_0000, 0x7fff_ffff),
  /** Error message, for people. */
  message: string(),
  /** Details. */
  data: optional(unknown()),
});
/** Error of MCP. */
export interface McpError extends Infer<typeof mcpError_> {}
/** Validates an {@link McpError}. */
export const mcpError: Schema<McpError> = mcpError_;

const messageMcpResponse_ = firstOf(
  object({
    /** Result of the inner request, which may be null. */
    result: unknown(),
  }),
  object({
    /** Error of the inner request. */
    error: mcpError,
  }),
);
/**
 * Result of `mcp/message`, with the result or error of the inner request. If both members are present, the result
 * counts.
 */
export type MessageMcpResponse = Infer<typeof messageMcpResponse_> | never;
/** Validates a {@link MessageMcpResponse}. */
export const messageMcpResponse: Schema<MessageMcpResponse> = messageMcpResponse_;
