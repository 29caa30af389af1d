import * as z from "zod";
import { modes } from "../modes.js";
import { sandboxModes } from "../sandbox/sandbox.js";
import { parseJson, projectMembers } from "./project-part.js";

const prices = z.strictObject({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cachedRead: z.number().nonnegative().optional(),
  cachedWrite: z.number().nonnegative().optional(),
  currency: z.string().min(1).optional(),
});

const model = z.strictObject({
  name: z.string().min(1).optional(),
  contextWindow: z.int().positive().optional(),
  maxOutputTokens: z.int().positive().optional(),
  images: z.boolean().optional(),
  efforts: z.array(z.string().min(1)).min(1).optional(),
  prices: prices.optional(),
});

const provider = z.strictObject({
  name: z.string().min(1).optional(),
  type: z.enum(["openai", "anthropic", "google", "openai-compatible"]).optional(),
  baseURL: z.url({ protocol: /^https?$/ }).optional(),
  keyVariable: z
    .string()
    .regex(/^[A-Za-z_]\w*$/, "must be the name of a variable, not a key")
    .optional(),
  headers: z.record(z.string(), z.string()).optional(),
  cache: z.boolean().optional(),
  models: z.record(z.string(), model).optional(),
});

const retries = z.strictObject({
  attempts: z.int().positive().optional(),
  firstDelayMs: z.int().nonnegative().optional(),
  maxDelayMs: z.int().nonnegative().max(3_600_000).optional(),
});

const paths = z.strictObject({
  protected: z.array(z.string().min(1)).optional(),
  secret: z.array(z.string().min(1)).optional(),
});

const config = z.strictObject({
  // Editors read the address of the file's JSON Schema from this member.
  $schema: z.string().optional(),
  model: z.string().min(1).optional(),
  mode: z.enum(modes).optional(),
  effort: z.string().min(1).optional(),
  maxRequests: z.int().positive().optional(),
  compactAt: z.number().gt(0).lte(1).optional(),
  fetch: z.boolean().optional(),
  webSearch: z.boolean().optional(),
  sandbox: z.enum(sandboxModes).optional(),
  network: z.boolean().optional(),
  paths: paths.optional(),
  retries: retries.optional(),
  providers: z.record(z.string().regex(/^[\w.-]+$/, "must be a short name without a slash"), provider).optional(),
  ...projectMembers,
});

/** Content of `agent.json`; the README explains it. */
export type Config = z.infer<typeof config>;

export type ProviderConfig = z.infer<typeof provider>;

export type ModelConfig = z.infer<typeof model>;

/**
 * Parses a configuration file.
 *
 * @param path path of the file, for the error message
 * @throws ConfigError for invalid JSON or an invalid value, with the place of the first fault
 */
export function parseConfig(text: string, path: string): Config {
  return parseJson(config, text, path);
}
