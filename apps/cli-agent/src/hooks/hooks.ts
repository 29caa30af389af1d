import type { ToolCall, Turn } from "@turnkit/agent";
import type { HookConfig, HookEvent, ProjectPart } from "../config/project-part.js";
import { ToolError } from "../errors.js";
import { fence } from "../markdown.js";
import type { ToolOutput } from "../model.js";
import { fitsStart } from "../permission-rules.js";
import { addText, textOfOutput } from "../tools/output-text.js";
import { fencedText, type Tool } from "../tools/tool.js";
import { wrapTool } from "../tools/wrap-tool.js";
import { type HookEnd, type HookPlace, runHook } from "./run-hook.js";

/** Largest output of a tool that a hook gets, in characters. */
const MAX_TOOL_OUTPUT = 100_000;

type HookTurn = Pick<Turn<unknown>, "toolCall">;

type HookOptions = HookPlace & {
  readonly sessionId: string;
  readonly parts: readonly ProjectPart[];
  /** Returns `false` in a mode in which nothing may change. Hooks do not run then. */
  readonly mayRun: () => boolean;
  /** Called before a hook runs, because it may change files. */
  readonly onRun: () => void;
};

/** Creates the hooks of one turn: programs that run before and after calls of tools, and at the end. */
export function createHooks(options: HookOptions) {
  const { parts, mayRun, onRun, cwd, sessionId } = options;
  const hooksFor = (event: HookEvent, tool = ""): readonly HookConfig[] => {
    const all = mayRun() ? parts.flatMap(({ hooks }) => hooks?.[event] ?? []) : [];
    return all.filter(({ tools }) => tools?.some((name) => fitsStart(name, tool)) ?? true);
  };
  const run = async (hook: HookConfig, turn: HookTurn, input: object): Promise<HookEnd> => {
    onRun();
    const end = await runHook(hook, { sessionId, cwd, ...input }, options);
    // A hook without a message is not shown.
    if (end.output !== "" || end.failure !== undefined) await show(turn, hook, end);
    return end;
  };

  return {
    /** Returns tools whose calls run the hooks. A hook that fails before a call stops this call. */
    around(tools: readonly Tool[]): readonly Tool[] {
      if (parts.every(({ hooks }) => hooks === undefined)) return tools;
      return tools.map((tool) =>
        wrapTool(tool, async (call, { input, context, call: shown }) => {
          const { name } = tool;
          for (const hook of hooksFor("beforeTool", name)) {
            const end = await run(hook, context.turn, { event: "beforeTool", tool: { name, input } });
            if (end.failure !== undefined) throw await stopped(shown, hook, end);
          }
          let output = await call();
          for (const hook of hooksFor("afterTool", name)) {
            const text = textOfOutput(output).slice(0, MAX_TOOL_OUTPUT);
            const end = await run(hook, context.turn, { event: "afterTool", tool: { name, input, output: text } });
            output = withMessage(output, hook, end);
          }
          return output;
        }),
      );
    },
    async endTurn(turn: HookTurn): Promise<void> {
      for (const hook of hooksFor("endOfTurn")) await run(hook, turn, { event: "endOfTurn" });
    },
  };
}

/** Ends a call that a hook stopped, and returns the error for the model. */
async function stopped(call: ToolCall | undefined, hook: HookConfig, { output, failure }: HookEnd): Promise<ToolError> {
  const reason = `The hook \`${hook.run}\` stopped this call: ${output || failure}`;
  await call?.fail(reason);
  return new ToolError("denied", reason);
}

async function show(turn: HookTurn, { run: line }: HookConfig, { output, failure }: HookEnd): Promise<void> {
  const call = turn.toolCall({ title: `Hook: ${line.replace(/\s+/g, " ").slice(0, 200)}`, kind: "execute" });
  await call.update({ status: "in_progress", content: output === "" ? [] : [fencedText(output)] });
  await (failure === undefined ? call.finish() : call.fail(failure));
}

function withMessage(output: ToolOutput, { run: line }: HookConfig, { output: message, failure }: HookEnd): ToolOutput {
  if (message === "" && failure === undefined) return output;
  const text = `The hook \`${line}\` says${failure === undefined ? "" : ` (${failure})`}:\n${fence(message)}`;
  return addText(output, text);
}
