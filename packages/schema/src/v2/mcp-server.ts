import { envVariable, httpHeader } from "../both/named-value.js";
import {
  type Infer,
  lenient,
  list,
  nullAsEmpty,
  nullable,
  object,
  openVariants,
  optional,
  type Schema,
  string,
} from "../vocabulary.js";
import { absolutePath } from "./absolute-path.js";

const marker_ = object({});
/** Marker: the agent can start MCP servers. It counts when present and not null. */
export interface McpStdioCapabilities extends Infer<typeof marker_> {}
/** Validates {@link McpStdioCapabilities}. */
export const mcpStdioCapabilities: Schema<McpStdioCapabilities> = marker_;
/** Marker: the agent can connect to MCP servers over HTTP. It counts when present and not null. */
export interface McpHttpCapabilities extends Infer<typeof marker_> {}
/** Validates {@link McpHttpCapabilities}. */
export const mcpHttpCapabilities: Schema<McpHttpCapabilities> = marker_;

const mcpCapabilities_ = object({
  /** Servers to start. */
  stdio: lenient(nullable(mcpStdioCapabilities)),
  /** Servers over HTTP. */
  http: lenient(nullable(mcpHttpCapabilities)),
});
// V2-MCP-02
/** MCP transports of the agent. None of them is a default. */
export interface McpCapabilities extends Infer<typeof mcpCapabilities_> {}
/** Validates {@link McpCapabilities}. */
export const mcpCapabilities: Schema<McpCapabilities> = mcpCapabilities_;

const mcpServerStdio_ = object({
  /** The server's name for people. */
  name: string(),
  /** The program. */
  command: absolutePath,
  /** Arguments; absent or null means none. */
  args: optional(nullAsEmpty(list(string()))),
  /** Variables added to the server's environment; absent or null means none. */
  env: optional(nullAsEmpty(list(envVariable))),
});
/** An MCP server that the agent starts. */
export interface McpServerStdio extends Infer<typeof mcpServerStdio_> {}
/** Validates an {@link McpServerStdio}. */
export const mcpServerStdio: Schema<McpServerStdio> = mcpServerStdio_;

const mcpServerHttp_ = object({
  /** The server's name for people. */
  name: string(),
  /** Address of the server. */
  url: string(),
  /** Headers sent with each request; absent or null means none. */
  headers: optional(nullAsEmpty(list(httpHeader))),
});
/** An MCP server that the agent reaches over HTTP. */
export interface McpServerHttp extends Infer<typeof mcpServerHttp_> {}
/** Validates an {@link McpServerHttp}. */
export const mcpServerHttp: Schema<McpServerHttp> = mcpServerHttp_;

const mcpServer_ = openVariants("type", { stdio: mcpServerStdio, http: mcpServerHttp });
// V2-MCP-01, V2-MCP-02
/**
 * MCP server for the agent to connect to. A server of another type is kept as received, and an agent that cannot reach
 * it refuses the request.
 */
export type McpServer = Infer<typeof mcpServer_> | never;
/** Validates an {@link McpServer}. */
export const mcpServer: Schema<McpServer> = mcpServer_;
