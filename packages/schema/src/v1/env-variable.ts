import { type Infer, object, type Schema, string } from "../vocabulary.js";

const envVariable_ = object({
  /** Its name. */
  name: string(),
  /** Its value. */
  value: string(),
});
/** An environment variable for an MCP server or a terminal command. */
export interface EnvVariable extends Infer<typeof envVariable_> {}
/** Validates an {@link EnvVariable}. */
export const envVariable: Schema<EnvVariable> = envVariable_;
