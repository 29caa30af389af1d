import { commandIn } from "@turnkit/client/broker";
import { jsonText } from "../output/safe-json.js";

/** Input of a tool as a person reads it: a command as it would be typed, or a text, or JSON. */
export type ToolInput =
  | {
      readonly type: "command";
      /** Command line. Arguments that were sent as a list are quoted where a shell needs it. */
      readonly line: string;
      /** Shell that gets the line as an argument, such as `bash -lc`. */
      readonly shell?: string;
      readonly cwd?: string;
      /** Other members of the input, such as its description and its timeout. */
      readonly remarks: readonly string[];
    }
  /** `isUnclear` means that the input may contain a command, but its members do not say which one. */
  | { readonly type: "text"; readonly text: string; readonly isUnclear: boolean };

const inCommand = new Set([
  ...["command", "argv", "args", "commandLine", "cmd"],
  ...["cwd", "workdir", "directory", "path"],
]);

/** Reads the input of a tool. Rules and remembered decisions read the same command from it. */
export function readToolInput(rawInput: unknown): ToolInput {
  const facts = commandIn(rawInput);
  const given = facts?.commandLine ?? facts?.argv;
  if (facts === undefined || given === undefined) {
    const isText = typeof rawInput === "string";
    const text = isText ? rawInput : rawInput == null ? "" : jsonText(rawInput, 1);
    return { type: "text", text: isText || text.length > 2 ? text : "", isUnclear: facts === undefined };
  }
  const remarks = Object.entries(rawInput as object)
    .filter(([name, value]) => !inCommand.has(name) && value !== undefined)
    .map(([name, value]) => `${name}: ${String(value)}`);
  return { type: "command", ...asTyped(given), cwd: facts.cwd, remarks };
}

const shells = /^(?:\/(?:usr\/)?bin\/)?(?:sh|bash|dash|zsh)$/;

/** Returns a command as it would be typed. A line that a shell gets as an argument is not quoted. */
export function asTyped(command: string | readonly string[]): { readonly line: string; readonly shell?: string } {
  if (typeof command === "string") return { line: command };
  const [program = "", flag = "", line, ...others] = command;
  if (line !== undefined && others.length === 0 && shells.test(program) && /^-l?c$/.test(flag)) {
    return { line, shell: `${program} ${flag}` };
  }
  return { line: command.map(shellWord).join(" ") };
}

/** Returns a word in the form in which a shell reads it as this word. */
export function shellWord(word: string): string {
  return /^[\w@%+:,./-][\w@%+=:,./-]*$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
