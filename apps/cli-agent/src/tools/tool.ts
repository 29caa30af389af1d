import type { ClientTerminals, ToolCall, ToolCallContent, ToolCallStart, Turn } from "@turnkit/agent";
import * as z from "zod";
import { ToolError } from "../errors.js";
import { fence } from "../markdown.js";
import type { ToolDefinition, ToolOutput } from "../model.js";
import type { Permission } from "../permission.js";
import type { Workspace } from "../workspace.js";
import { runCall } from "./run-call.js";

export type ToolContext = {
  readonly turn: Pick<Turn, "plan" | "toolCall">;
  readonly signal: AbortSignal;
  readonly workspace: Workspace;
  readonly permission: Permission;
  readonly terminals: ClientTerminals;
};

export interface Tool extends ToolDefinition {
  /** `true` for a tool that changes nothing: neighbouring calls of such tools run at the same time. */
  readonly parallel: boolean;
  /**
   * Checks the input and shows the call to the user. Does nothing else yet.
   *
   * @throws ToolError `invalid_input`
   */
  open(input: unknown, context: ToolContext): OpenTool;
}

export type OpenTool = {
  /** Call as the user sees it; absent for a tool that shows nothing. */
  readonly call?: ToolCall;
  /**
   * Does the work, reports the end to the user, and returns the answer for the model.
   *
   * @throws ToolError for a failure that the model should know about
   */
  run(): Promise<ToolOutput>;
};

/** Start of a call for the user, and its work, whose end or error ends the call. A tool without `start` shows no call. */
type Work =
  | { readonly start: ToolCallStart; run(call: ToolCall): Promise<ToolOutput> }
  | { readonly start?: undefined; run(): Promise<ToolOutput> };

/** Definition of a built-in tool: the schema of its input serves the model and checks the model's calls. */
export type ToolSpec<Schema extends z.ZodType> = Pick<Tool, "name" | "description" | "parallel"> & {
  readonly input: Schema;
  open(input: z.output<Schema>, context: ToolContext): Work;
};

/** Creates a tool from its definition. The JSON Schema for the model is made on its first use. */
export function defineTool<Schema extends z.ZodType>(spec: ToolSpec<Schema>): Tool {
  const { name, description, parallel, input } = spec;
  let inputSchema: object | undefined;
  return {
    name,
    description,
    parallel,
    get inputSchema() {
      inputSchema ??= jsonSchemaOf(input);
      return inputSchema;
    },
    open(rawInput, context) {
      const work = spec.open(parseInput(input, rawInput), context);
      if (work.start === undefined) return work;
      const call = context.turn.toolCall({ name, rawInput, ...work.start });
      const run = async () => {
        // A tool that asks the user first begins later.
        if (parallel) await call.update({ status: "in_progress" });
        return work.run(call);
      };
      return { call, run: () => runCall(call, context.signal, run) };
    },
  };
}

export const pathInput = z.string().describe("Absolute, or relative to the session's folder.");

/** Wraps a text in a fence, so that clients draw it literally and not as Markdown. */
export function fencedText(text: string): ToolCallContent {
  return { type: "content", content: { type: "text", text: fence(text) } };
}

function jsonSchemaOf(input: z.ZodType): object {
  // `$schema` costs tokens and tells a model nothing.
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: "input" });
  return schema;
}

function parseInput<Schema extends z.ZodType>(schema: Schema, rawInput: unknown): z.output<Schema> {
  // Models write null for an optional member that they leave out.
  const members = Object.entries(rawInput ?? {}).filter(([, value]) => value !== null);
  const parsed = schema.safeParse(Object.fromEntries(members));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ToolError("invalid_input", `\`${issue?.path.join(".")}\`: ${issue?.message}.`);
}
