import type { SessionState } from "@turnkit/session";
import type { Line } from "../../render/line.js";
import { wrap } from "../../render/wrap.js";
import { commandsOf } from "../model/commands.js";

const keys: readonly (readonly [key: string, does: string])[] = [
  ["Enter", "sends the prompt; while the agent works, the prompt waits"],
  ["Shift-Enter", "inserts a line break, as Alt-Enter, Ctrl-J, and \\ before Enter"],
  ["Esc", "cancels the work, then clears the draft"],
  ["Ctrl-C", "cancels the work or clears the draft; twice: ends turnkit"],
  ["↑ ↓", "show waiting and earlier prompts"],
  ["Ctrl-R", "searches in earlier prompts"],
  ["Ctrl-Y", "inserts the text that was deleted last; Ctrl-_ takes back a change"],
  ["Ctrl-G", "opens the draft in $EDITOR"],
  ["Shift-Tab", "chooses the next mode"],
  ["Ctrl-O", "shows the transcript, in which thoughts and tool calls unfold"],
  ["Ctrl-N", "shows the next question"],
  ["Ctrl-X", "cancels a subagent"],
  ["Ctrl-Z", "suspends turnkit; the shell's fg continues it"],
  ["Ctrl-L", "draws the screen again"],
  ["@path", "attaches a file or a folder"],
  ["!command", "runs a command line in your shell"],
  ["//text", "sends a text that begins with a slash"],
];

/** Maximum number of listed commands. An agent may offer any number. */
const MOST_COMMANDS = 200;

/** Returns the keys, and the commands of the agent and of this program. */
export function helpLines(state: SessionState, width: number): readonly Line[] {
  const commands = commandsOf(state);
  const listed = commands.slice(0, MOST_COMMANDS).map(({ name, description }) => [`/${name}`, description] as const);
  const more = commands.length - listed.length;
  return [
    [["bold", "Keys"]],
    ...keys.flatMap((row) => rowLines(row, width)),
    [["bold", "Commands"]],
    ...listed.flatMap((row) => rowLines(row, width)),
    ...(more > 0 ? [[["dim", `  … ${more} more`]] as Line] : []),
  ];
}

const COLUMN = 12;

function rowLines([name, does]: readonly [string, string], width: number): readonly Line[] {
  const wide = width >= 60;
  return wrap([["cyan", name.padEnd(wide ? COLUMN : 0)], " ", does.replaceAll("\n", " ")], width, {
    first: ["  "],
    rest: [" ".repeat(wide ? COLUMN + 3 : 4)],
  });
}
