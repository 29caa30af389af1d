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
  /** True if the agent can connect to MCP servers over HTTP. */
  http: lenient(boolean()),
  /** True if the agent can connect to MCP servers over SSE, which is deprecated. */
  sse: lenient(boolean()),
});
// V1-SESS-16
/** MCP transports of the agent besides stdio; only `true` counts. */
export interface McpCapabilities extends Infer<typeof mcpCapabilities_> {}
/** Validates {@link McpCapabilities}. */
export const mcpCapabilities: Schema<McpCapabilities> = mcpCapabilities_;

const mcpServerStdio_ = object({
  /** The server's name for people. */
  name: string(),
  /** The program, as an absolute path. */
  command: string(),
  /** Arguments; the key is required, null reads as none. */
  args: nullAsEmpty(list(string())),
  /** Variables added to the server's environment. The key is required; null reads as none. */
  env: nullAsEmpty(list(envVariable)),
});
/** An MCP server that the agent starts. */
export interface McpServerStdio extends Infer<typeof mcpServerStdio_> {}
/** Validates an {@link McpServerStdio}. */
export const mcpServerStdio: Schema<McpServerStdio> = mcpServerStdio_;

const remote_ = object({
  /** The server's name for people. */
  name: string(),
  /** Address of the server. */
  url: string(),
  /** Headers sent with each request. The key is required; null reads as none. */
  headers: nullAsEmpty(list(httpHeader)),
});

/** An MCP server that the agent reaches over HTTP. */
export interface McpServerHttp extends Infer<typeof remote_> {}
/** Validates an {@link McpServerHttp}. */
export const mcpServerHttp: Schema<McpServerHttp> = remote_;

/** An MCP server that the agent reaches over SSE, which is deprecated. */
export interface McpServerSse extends Infer<typeof remote_> {}
/** Validates an {@link McpServerSse}. */
export const mcpServerSse: Schema<McpServerSse> = remote_;

const mcpServer_ = variants(
  "type",
  { http: mcpServerHttp, sse: mcpServerSse },
  { unknown: mcpServerStdio, untagged: mcpServerStdio },
);
// V1-SESS-14, V1-SESS-18
/** MCP server for the agent to connect to. Without a `type`, or with an unknown one, it is a server to start. */
export type McpServer = Infer<typeof mcpServer_> | never;
/** Validates an {@link McpServer}. */
export const mcpServer: Schema<McpServer> = mcpServer_;
