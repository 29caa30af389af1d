import type { AvailableCommand, SessionLists } from "@turnkit/session";
import { jsonCopy } from "@turnkit/session/codec";
import type { SessionSetup } from "./agent-handlers.js";
import { checkSetup } from "./check-values.js";
import type { CommandOffer } from "./session.js";
import { unknownSetup } from "./unused-options.js";

/** Returns a command in the form of an update, with the default types. */
export const typedCommand = ({ input, ...command }: CommandOffer): AvailableCommand => ({
  ...command,
  type: command.type ?? "command",
  ...(input !== undefined && { input: input && { ...input, type: input.type ?? "text" } }),
});

/**
 * Returns copies of the lists in the result of the handler that opens a session. Reports members and types that clients do
 * not know.
 *
 * @throws TypeError for a result of another form
 */
export function listsOf(setup: Partial<SessionSetup<unknown>>, report: (mistake: string) => void): SessionLists {
  for (const mistake of [...checkSetup(setup), ...unknownSetup(setup)]) report(mistake);
  const { configOptions, availableCommands } = setup;
  return jsonCopy({
    ...(configOptions && { configOptions }),
    ...(availableCommands && { availableCommands: availableCommands.map(typedCommand) }),
  });
}
