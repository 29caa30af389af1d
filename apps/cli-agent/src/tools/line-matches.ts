import vm from "node:vm";
import { ToolError } from "./tool.js";

/** A line that matches; `line` is 1-based. */
export type LineMatch = { readonly line: number; readonly text: string };

/** How long one file may take, in milliseconds: a pattern can be such that a regular expression never ends. */
const FILE_MS = 500;

const SCRIPT = new vm.Script(`
  const expression = new RegExp(pattern, flags);
  const found = [];
  for (let index = 0; index < lines.length && found.length < max; index++) {
    if (expression.test(lines[index])) found.push(index);
  }
  JSON.stringify(found);
`);

/**
 * The first lines of a text that match a regular expression. A pattern that takes too long is given up, whatever it does.
 *
 * @throws ToolError `invalid_input` for what is no pattern, or one that takes too long
 */
export function matchLines(
  text: string,
  { pattern, flags, max }: { readonly pattern: string; readonly flags: string; readonly max: number },
): readonly LineMatch[] {
  const lines = text.split(/\r?\n/);
  try {
    const found = SCRIPT.runInNewContext({ lines, pattern, flags, max }, { timeout: FILE_MS });
    return (JSON.parse(found) as number[]).map((index) => ({ line: index + 1, text: lines[index] ?? "" }));
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    const reason =
      code === "ERR_SCRIPT_EXECUTION_TIMEOUT" ? "The pattern takes too long; make it simpler." : `${message}.`;
    throw new ToolError("invalid_input", reason);
  }
}
