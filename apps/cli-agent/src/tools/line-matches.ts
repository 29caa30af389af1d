import vm from "node:vm";
import { messageOf, ToolError } from "./tool.js";

/** A line that matches; `line` is 1-based. */
export type LineMatch = { readonly line: number; readonly text: string };

/** Finds the first lines of a text that match, at most `max`. @throws ToolError `invalid_input` when it takes too long */
export type LineMatcher = (text: string, max: number) => readonly LineMatch[];

/** How long one file may take, in milliseconds: a pattern can be such that a regular expression never ends. */
const FILE_MS = 2000;

/** With the flag `u` where it can be: that forbids escapes which are needless and common, such as `\-`. */
const COMPILE = new vm.Script(`
  let expression;
  try {
    expression = new RegExp(pattern, flags + "u");
  } catch {
    expression = new RegExp(pattern, flags);
  }
  undefined;
`);

const MATCH = new vm.Script(`{
  const found = [];
  for (let index = 0; index < lines.length && found.length < max; index++) {
    if (expression.test(lines[index])) found.push(index);
  }
  JSON.stringify(found);
}`);

/**
 * Makes a matcher of a regular expression. It runs in a context of its own, where it can be given up whatever it does.
 *
 * @throws ToolError `invalid_input` for what is no pattern
 */
export function createLineMatcher(pattern: string, flags: string): LineMatcher {
  const context = vm.createContext({ pattern, flags, lines: [], max: 0 });
  try {
    COMPILE.runInContext(context, { timeout: FILE_MS });
  } catch (error) {
    throw new ToolError("invalid_input", `${messageOf(error)}.`);
  }
  return (text, max) => {
    const lines = text.split(/\r?\n/);
    Object.assign(context, { lines, max });
    try {
      const found = JSON.parse(MATCH.runInContext(context, { timeout: FILE_MS })) as number[];
      return found.map((index) => ({ line: index + 1, text: lines[index] ?? "" }));
    } catch (error) {
      if ((error as { code?: string }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      throw new ToolError("invalid_input", "The pattern takes too long; make it simpler.");
    }
  };
}
