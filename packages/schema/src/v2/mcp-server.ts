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
/** Marker that the agent can start MCP servers. The marker counts if it is present and not null. */
export interface McpStdioCapabilities extends Infer<typeof marker_> {}
/** Validates {@link McpStdioCapabilities}. */
export const mcpStdioCapabilities: Schema<McpStdioCapabilities> = marker_;
/** Marker that the agent can connect to MCP servers over HTTP. The marker counts if it is present and not null. */
export interface McpHttpCapabilities extends Infer<typeof marker_> {}
/** Validates {@link McpHttpCapabilities}. */
export const mcpHttpCapabilities: Schema<McpHttpCapabilities> = marker_;

const mcpCapabilities_ = object({
  /** Support for servers that the agent starts. */
  stdio: lenient(nullable(mcpStdioCapabilities)),
  /** Support for servers over HTTP. */
  http: lenient(nullable(mcpHttpCapabilities)),
});
// V2-MCP-02
/** MCP transports of the agent. No transport is a default. */
export interface McpCapabilities extends Infer<typeof mcpCapabilities_> {}
/** Validates {@link McpCapabilities}. */
export const mcpCapabilities: Schema<McpCapabilities> = mcpCapabilities_;

const mcpServerStdio_ = object({
  /** Name of the server for people. */
  name: string(),
  /** Path of the program. */
  command: absolutePath,
  /** Arguments of the program. If absent or null, there are none. */
  args: optional(nullAsEmpty(list(string()))),
  /** Additional environment variables for the server. If absent or null, there are none. */
  env: optional(nullAsEmpty(list(envVariable))),
});
/** MCP server that the agent starts. */
export interface McpServerStdio extends Infer<typeof mcpServerStdio_> {}
/** Validates an {@link McpServerStdio}. */
export const mcpServerStdio: Schema<McpServerStdio> = mcpServerStdio_;

const mcpServerHttp_ = object({
  /** Name of the server for people. */
  name: string(),
  /** Address of the server. */
  url: string(),
  /** Headers for each request. If absent or null, there are none. */
  headers: optional(nullAsEmpty(list(httpHeader))),
});
/** MCP server that the agent reaches over HTTP. */
export interface McpServerHttp extends Infer<typeof mcpServerHttp_> {}
/** Validates an {@link McpServerHttp}. */
export const mcpServerHttp: Schema<McpServerHttp> = mcpServerHttp_;

const mcpServer_ = openVariants("type", { stdio: mcpServerStdio, http: mcpServerHttp });
// V2-MCP-01, V2-MCP-02
/**
 * MCP server to which the agent connects. A server of another type is not changed. An agent that does not support the
 * type refuses the request.
 */
export type McpServer = Infer<typeof mcpServer_> | never;
/** Validates an {@link McpServer}. */
export const mcpServer: Schema<McpServer> = mcpServer_;
