import { type Infer, object, type Schema, string } from "../vocabulary.js";

const envVariable_ = object({
  /** Name. If a list contains a name several times, its last value counts. */
  name: string(),
  /** Value. */
  value: string(),
});
// V2-MCP-04
/** Environment variable for an MCP server, or for a login in a terminal. */
export interface EnvVariable extends Infer<typeof envVariable_> {}
/** Validates an {@link EnvVariable}. */
export const envVariable: Schema<EnvVariable> = envVariable_;

const httpHeader_ = object({
  /** Name. */
  name: string(),
  /** Value. */
  value: string(),
});
/** HTTP header for requests to an MCP server. */
export interface HttpHeader extends Infer<typeof httpHeader_> {}
/** Validates an {@link HttpHeader}. */
export const httpHeader: Schema<HttpHeader> = httpHeader_;
