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

/** Identifier of an MCP server that the client offers through this connection. It is never reused on the connection. */
export type McpServerAcpId = string;
/** Validates an {@link McpServerAcpId}. */
export const mcpServerAcpId: Schema<McpServerAcpId> = string();

const mcpServerAcp_ = object({
  /** The server's name for people. */
  name: string(),
  /** Id that `mcp/message` names. */
  serverId: mcpServerAcpId,
});
// V1-UNST-08, V2-MCP-01, V2-MCP-06
/** An MCP server that the agent reaches through this connection. */
export interface McpServerAcp extends Infer<typeof mcpServerAcp_> {}
/** Validates an {@link McpServerAcp}. */
export const mcpServerAcp: Schema<McpServerAcp> = mcpServerAcp_;

/** Identifier of a request within one MCP server: chosen by the caller, unrelated to the id of the outer request. */
export type McpRequestId = string;
/** Validates an {@link McpRequestId}. */
export const mcpRequestId: Schema<McpRequestId> = string();

const message_ = object({
  /** The server. */
  serverId: mcpServerAcpId,
  /** Id of the inner request. A notification has the id of the request that it belongs to. */
  requestId: mcpRequestId,
  /** The method of MCP. */
  method: string(),
  /** Params; null means the same as absent. */
  params: optional(nullable(record(unknown()))),
});
// V1-UNST-08, V2-MCP-05, V2-MCP-06
/** Params of the request `mcp/message`: the agent calls an MCP server of the client. */
export interface MessageMcpRequest extends Infer<typeof message_> {}
/** Validates a {@link MessageMcpRequest}. */
export const messageMcpRequest: Schema<MessageMcpRequest> = message_;

/** Params of the notification `mcp/message`: a message of the MCP server about a request in progress. */
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
/** An error of MCP. */
export interface McpError extends Infer<typeof mcpError_> {}
/** Validates an {@link McpError}. */
export const mcpError: Schema<McpError> = mcpError_;

const messageMcpResponse_ = firstOf(
  object({
    /** The result of the inner request. It may be null. */
    result: unknown(),
  }),
  object({
    /** The error of the inner request. */
    error: mcpError,
  }),
);
/** Result of `mcp/message`: the outcome of the inner request. If both members are present, the result counts. */
export type MessageMcpResponse = Infer<typeof messageMcpResponse_> | never;
/** Validates a {@link MessageMcpResponse}. */
export const messageMcpResponse: Schema<MessageMcpResponse> = messageMcpResponse_;
