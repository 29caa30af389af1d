import { envVariable, httpHeader } from "../both/named-value.js";
import {
  boolean,
  type Infer,
  lenient,
  list,
  nullAsEmpty,
  object,
  type Schema,
  string,
  variants,
} from "../vocabulary.js";

const mcpCapabilities_ = object({
  /** `true` if the agent can connect to MCP servers over HTTP. */
  http: lenient(boolean()),
  /** `true` if the agent can connect to MCP servers over SSE. SSE is deprecated. */
  sse: lenient(boolean()),
});
// V1-SESS-16
/** MCP transports of the agent besides stdio. Only `true` counts. */
export interface McpCapabilities extends Infer<typeof mcpCapabilities_> {}
/** Validates {@link McpCapabilities}. */
export const mcpCapabilities: Schema<McpCapabilities> = mcpCapabilities_;

const mcpServerStdio_ = object({
  /** Name of the server for people. */
  name: string(),
  /** Absolute path of the program. */
  command: string(),
  /** Arguments of the program. The key is required, and `null` means no arguments. */
  args: nullAsEmpty(list(string())),
  /** Additional environment variables for the server. The key is required, and `null` means no variables. */
  env: nullAsEmpty(list(envVariable)),
});
/** MCP server that the agent starts. */
export interface McpServerStdio extends Infer<typeof mcpServerStdio_> {}
/** Validates an {@link McpServerStdio}. */
export const mcpServerStdio: Schema<McpServerStdio> = mcpServerStdio_;

const remote_ = object({
  /** Name of the server for people. */
  name: string(),
  /** Address of the server. */
  url: string(),
  /** Headers for each request. The key is required, and `null` means no headers. */
  headers: nullAsEmpty(list(httpHeader)),
});

/** MCP server that the agent reaches over HTTP. */
export interface McpServerHttp extends Infer<typeof remote_> {}
/** Validates an {@link McpServerHttp}. */
export const mcpServerHttp: Schema<McpServerHttp> = remote_;

/** MCP server that the agent reaches over SSE. SSE is deprecated. */
export interface McpServerSse extends Infer<typeof remote_> {}
/** Validates an {@link McpServerSse}. */
export const mcpServerSse: Schema<McpServerSse> = remote_;

const mcpServer_ = variants(
  "type",
  { http: mcpServerHttp, sse: mcpServerSse },
  { unknown: mcpServerStdio, untagged: mcpServerStdio },
);
// V1-SESS-14, V1-SESS-18
/** MCP server to which the agent connects. If the `type` is missing or unknown, the agent starts the server. */
export type McpServer = Infer<typeof mcpServer_> | never;
/** Validates an {@link McpServer}. */
export const mcpServer: Schema<McpServer> = mcpServer_;
