import * as z from "zod";
import { ConfigError } from "../errors.js";
import { plainLine } from "../plain-line.js";

/** Largest length of the reason why a file cannot be used, in characters. */
const MAX_REASON = 500;

const text = z.string().min(1).max(4_000);
const variables = z.record(z.string().regex(/^[A-Za-z_]\w*$/, "must be the name of a variable"), z.string());

const mcpServer = z.union([
  z.strictObject({
    type: z.literal("stdio").optional(),
    command: text,
    args: z.array(text).optional(),
    env: variables.optional(),
  }),
  z.strictObject({
    type: z.enum(["http", "sse"]),
    url: z.url({ protocol: /^https?$/ }),
    headers: z.record(z.string().regex(/^[\w-]+$/, "must be the name of a header"), z.string()).optional(),
  }),
]);

const rules = z
  .array(
    z
      .string()
      .max(1_000)
      .regex(/^(?:edit|run|fetch|mcp) \S/, "must be `edit`, `run`, `fetch` or `mcp`, and a pattern"),
  )
  .max(200)
  .optional();

const hook = z.strictObject({
  run: text,
  /** Names of tools; `*` at the end matches any number of characters. */
  tools: z.array(z.string().min(1).max(100)).min(1).max(50).optional(),
  timeoutSeconds: z.int().min(1).max(600).optional(),
});

const hooks = z.array(hook).max(20).optional();

/** Members of `agent.json` that the file of a project may have too. */
export const projectMembers = {
  mcpServers: z
    .record(z.string().regex(/^[\w.-]{1,64}$/, "must be a short name without a slash"), mcpServer)
    .refine((servers) => Object.keys(servers).length <= 50, "at most 50 servers")
    .optional(),
  permissions: z.strictObject({ allow: rules, ask: rules, deny: rules }).optional(),
  hooks: z.strictObject({ beforeTool: hooks, afterTool: hooks, endOfTurn: hooks }).optional(),
};

// Editors read the address of the file's JSON Schema from `$schema`.
const projectConfig = z.strictObject({ $schema: z.string().optional(), ...projectMembers });

/** MCP servers, permission rules and hooks of the user or of a project. */
export type ProjectPart = Omit<z.infer<typeof projectConfig>, "$schema">;

export type HookConfig = z.infer<typeof hook>;
export type HookEvent = keyof NonNullable<ProjectPart["hooks"]>;

/**
 * Parses the `agent.json` of a project.
 *
 * @param path path of the file, for the error message
 * @throws ConfigError for invalid JSON or an invalid value, with the place of the first fault
 */
export function parseProjectPart(content: string, path: string): ProjectPart {
  const { $schema: _, ...part } = parseJson(projectConfig, content, path);
  return part;
}

/**
 * Returns the issue that explains a fault best: an unknown member, or else the first issue. For a value with several forms,
 * it is an issue of the form that fits best.
 */
function clearest(
  issues: readonly z.core.$ZodIssue[],
  place: readonly PropertyKey[] = [],
): z.core.$ZodIssue | undefined {
  const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
  if (issue === undefined) return undefined;
  const path = [...place, ...issue.path];
  const forms = issue.code === "invalid_union" ? issue.errors.toSorted((a, b) => a.length - b.length) : [];
  return (forms[0] && clearest(forms[0], path)) ?? { ...issue, path };
}

/**
 * Parses a file of settings.
 *
 * @throws ConfigError for invalid JSON or an invalid value, with the place of the first fault
 */
export function parseJson<Schema extends z.ZodType>(schema: Schema, content: string, path: string): z.output<Schema> {
  let value: unknown;
  try {
    // Some editors write a byte order mark.
    value = JSON.parse(content.replace(/^\ufeff/, ""));
  } catch (error) {
    throw new ConfigError(`${path} is not valid JSON: ${(error as Error).message}.`);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = clearest(parsed.error.issues);
  const place = issue?.path.length ? `\`${issue.path.join(".")}\`: ` : "";
  // For an invalid name, zod nests the message one level deeper.
  const reason = issue?.code === "invalid_key" ? issue.issues[0]?.message : issue?.message;
  // The names in a project that nobody trusts may be long, and may have several lines.
  throw new ConfigError(`${path} cannot be used: ${plainLine(`${place}${reason ?? "it does not fit"}`, MAX_REASON)}.`);
}
