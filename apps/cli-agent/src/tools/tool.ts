import type { ClientTerminals, ToolCall, ToolCallContent, ToolCallStart, Turn } from "@turnkit/agent";
import * as z from "zod";
import { ToolError } from "../errors.js";
import { fence } from "../markdown.js";
import type { ToolDefinition, ToolOutput } from "../model.js";
import type { Permission } from "../permission.js";
import type { SandboxChoice } from "../sandbox/sandbox-choice.js";
import type { Workspace } from "../workspace.js";
import type { BackgroundCommands } from "./background-commands.js";
import { requireObject } from "./raw-input.js";
import { runCall } from "./run-call.js";

export type ToolContext = {
  readonly turn: Pick<Turn, "plan" | "toolCall">;
  readonly signal: AbortSignal;
  readonly workspace: Workspace;
  readonly permission: Permission;
  /** Terminals of the client. If the client offers no terminals, terminals of the agent. */
  readonly terminals: ClientTerminals;
  readonly sandbox: SandboxChoice;
  /** Returns `true` if the user trusts a root of the session. Asks the user if the answer is not known. */
  readonly isTrusted: (root: string) => Promise<boolean>;
  /** Returns `true` if the user has trusted a root of the session before. Does not ask the user. */
  readonly hasTrust: (root: string) => Promise<boolean>;
  readonly takesPictures: boolean;
  readonly background: BackgroundCommands;
  /** Returns terminals of the agent that show `line` as their command. */
  readonly ownTerminals: (line: string) => ClientTerminals;
};

export interface Tool extends ToolDefinition {
  /** `true` for a tool that changes nothing. Neighbouring calls of such tools run at the same time. */
  readonly parallel: boolean;
  /**
   * Validates the input and shows the call to the user. The work starts only with `run`.
   *
   * @throws ToolError `invalid_input`
   */
  open(input: unknown, context: ToolContext): OpenTool;
}

export type OpenTool = {
  /** Replaces {@link Tool.parallel} for this call. */
  readonly parallel?: boolean;
  /** Call that the user sees; absent if the tool shows none. */
  readonly call?: ToolCall;
  /**
   * Does the work, and reports its end to the user. Returns the output for the model.
   *
   * @throws ToolError for a failure with a message for the model
   */
  run(): Promise<ToolOutput>;
};

/**
 * `start` begins the call that the user sees, and `run` does the work. The call ends when `run` returns or throws. A
 * tool without `start` shows no call.
 */
type Work = { readonly isParallel?: boolean } & (
  | { readonly start: ToolCallStart; run(call: ToolCall): Promise<ToolOutput> }
  | { readonly start?: undefined; run(): Promise<ToolOutput> }
);

/** Definition of a built-in tool. The model gets the schema of the input, and the tool validates calls with it. */
export type ToolSpec<Schema extends z.ZodType> = Pick<Tool, "name" | "description" | "parallel"> & {
  readonly input: Schema;
  open(input: z.output<Schema>, context: ToolContext): Work;
};

/** Creates a tool from its definition. The JSON Schema for the model is created at its first use. */
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
      const isParallel = work.isParallel ?? parallel;
      if (work.start === undefined) return { parallel: isParallel, run: work.run };
      const call = context.turn.toolCall({ name, rawInput, ...work.start });
      const run = async () => {
        // A tool with effects may ask the user first, so its call is not in progress yet.
        if (parallel) await call.update({ status: "in_progress" });
        return work.run(call);
      };
      return { call, parallel: isParallel, run: () => runCall(call, context.signal, run) };
    },
  };
}

export const pathInput = z.string().describe("Absolute, or relative to the session's folder.");

/** Puts a text into a Markdown code block, so that clients show it literally. */
export function fencedText(text: string): ToolCallContent {
  return { type: "content", content: { type: "text", text: fence(text) } };
}

function jsonSchemaOf(input: z.ZodType): object {
  // `$schema` costs tokens and has no use for a model.
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: "input" });
  return schema;
}

function parseInput<Schema extends z.ZodType>(schema: Schema, rawInput: unknown): z.output<Schema> {
  // Models often write `null` for an optional member that they want to leave out.
  const members = Object.entries(requireObject(rawInput)).filter(([, value]) => value !== null);
  const parsed = schema.safeParse(Object.fromEntries(members));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ToolError("invalid_input", `\`${issue?.path.join(".")}\`: ${issue?.message}.`);
}
