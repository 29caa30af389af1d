import type { AvailableCommand, ConfigOption } from "../../settings.js";

/** Options as version 2 says them; how version 1 would set one is not its matter. */
export function encodeOptions(options: readonly ConfigOption[]): readonly object[] {
  return options.some((option) => option.setBy !== undefined) ? options.map(encodeOption) : options;
}

function encodeOption({ setBy: _, ...option }: ConfigOption): object {
  return option;
}

/** Commands as version 2 says them: an input of text has a hint, if an empty one. */
export function encodeCommands(commands: readonly AvailableCommand[]): readonly object[] {
  return commands.some(lacksHint) ? commands.map(encodeCommand) : commands;
}

const lacksHint = ({ input }: AvailableCommand): boolean => input?.type === "text" && input.hint === undefined;

function encodeCommand(command: AvailableCommand): object {
  return lacksHint(command) ? { ...command, input: { ...command.input, hint: "" } } : command;
}
