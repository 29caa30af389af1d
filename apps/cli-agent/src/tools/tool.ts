import type { ToolCall, Turn } from "@turnkit/agent";
import type { ToolDefinition, ToolFailureCode, ToolOutput } from "../model.js";
import type { EditPermission } from "../permission.js";
import type { Workspace } from "../workspace.js";

/** What a tool may use while it runs. */
export type ToolContext = {
  readonly turn: Pick<Turn, "plan" | "toolCall">;
  readonly signal: AbortSignal;
  readonly workspace: Workspace;
  readonly permission: EditPermission;
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
