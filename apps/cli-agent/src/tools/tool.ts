import type { ClientTerminals, ToolCall, Turn } from "@turnkit/agent";
import type { ToolDefinition, ToolFailureCode, ToolOutput } from "../model.js";
import type { Permission } from "../permission.js";
import type { Workspace } from "../workspace.js";

/** What a tool may use while it runs. */
export type ToolContext = {
  readonly turn: Pick<Turn, "plan" | "toolCall">;
  readonly signal: AbortSignal;
  readonly workspace: Workspace;
  readonly permission: Permission;
  /** Where commands run: those of the client, or of this machine. */
  readonly terminals: ClientTerminals;
};

/** Something that the model can have done. */
export interface Tool extends ToolDefinition {
  /** Whether it changes nothing, so that it may run beside others like it. */
  readonly parallel: boolean;
  /**
   * Checks the input and shows the user what is to come; nothing is done yet.
   *
   * @throws ToolError for an input that makes no sense
   */
  open(input: unknown, context: ToolContext): OpenTool;
}

/** A call of a tool that the model asked for and the user sees. */
export type OpenTool = {
  /** What the user sees; absent where there is nothing to see. */
  readonly call?: ToolCall;
  /**
   * Does the work, tells the user how it ended, and answers the model.
   *
   * @throws ToolError for everything that the model should know about.
   */
  run(): Promise<ToolOutput>;
};

/** Why a tool could not do what was asked, in a sentence that both the model and the user may read. */
export class ToolError extends Error {
  readonly code: ToolFailureCode;

  constructor(code: ToolFailureCode, message: string) {
    super(message);
    this.name = "ToolError";
    this.code = code;
  }
}

/** The text under `key` of a tool's input. @throws ToolError `invalid_input` if there is none. */
export function requireText(input: unknown, key: string): string {
  const value = isRecord(input) ? input[key] : undefined;
  if (typeof value !== "string") throw new ToolError("invalid_input", `\`${key}\` must be a string.`);
  return value;
}

/** The text under `key`, if there is one. @throws ToolError `invalid_input` if it is something else. */
export function optionalText(input: unknown, key: string): string | undefined {
  return isRecord(input) && input[key] != null ? requireText(input, key) : undefined;
}

/**
 * The number under `key`, if there is one.
 *
 * @throws ToolError `invalid_input` if it is no whole number from `min` to `max`
 */
export function optionalNumber(
  input: unknown,
  key: string,
  { min, max }: { readonly min: number; readonly max: number },
): number | undefined {
  const value = isRecord(input) ? (input[key] ?? undefined) : undefined;
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return value;
  throw new ToolError("invalid_input", `\`${key}\` must be a whole number from ${min} to ${max}.`);
}

/** Whether `key` is set. @throws ToolError `invalid_input` if it is neither true nor false. */
export function isSet(input: unknown, key: string): boolean {
  const value = isRecord(input) ? (input[key] ?? false) : false;
  if (typeof value === "boolean") return value;
  throw new ToolError("invalid_input", `\`${key}\` must be true or false.`);
}

/** The list under `key` of a tool's input. @throws ToolError `invalid_input` if there is none. */
export function requireList(input: unknown, key: string): readonly unknown[] {
  const value = isRecord(input) ? input[key] : undefined;
  if (!Array.isArray(value)) throw new ToolError("invalid_input", `\`${key}\` must be a list.`);
  return value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** What an error says, without its stack. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
