import {
  extend,
  type Infer,
  lenient,
  nullable,
  object,
  openVariants,
  type Schema,
  sifted,
  string,
} from "../vocabulary.js";

const textCommandInput_ = object({
  /** What to show while nothing has been typed yet. */
  hint: string(),
});
/** Input that is all the text after the command's name and the white space behind it. */
export interface TextCommandInput extends Infer<typeof textCommandInput_> {}
/** Validates a {@link TextCommandInput}. */
export const textCommandInput: Schema<TextCommandInput> = textCommandInput_;

const availableCommandInput_ = openVariants("type", { text: textCommandInput }, { assumed: "text" });
/**
 * What a command takes. Of another type it is shown without structure. One that comes without a type, as in older drafts,
 * reads as `text`.
 * @see V2-CMD-01
 * @see V2-CMD-04
 */
export type AvailableCommandInput = Infer<typeof availableCommandInput_> | never;
/** Validates an {@link AvailableCommandInput}. */
export const availableCommandInput: Schema<AvailableCommandInput> = availableCommandInput_;

const described_ = object({
  /** The name without a leading slash and without white space, unique in its list. */
  name: string(),
  /** What it does, for people. */
  description: string(),
});
const command_ = extend(described_, {
  /** What it takes; absent, null or malformed means nothing. */
  input: lenient(nullable(availableCommandInput)),
});
/** What a command of type `command` has: it is called by a prompt whose text begins with `/name`. */
export interface Command extends Infer<typeof command_> {}
/** Validates a {@link Command}. */
export const command: Schema<Command> = command_;

const availableCommand_ = openVariants("type", { command }, { other: described_, assumed: "command" });
/**
 * A slash command. Of another type only the name and the description are known. One that comes without a type, as in older
 * drafts, reads as `command`.
 * @see V2-CMD-02
 * @see V2-CMD-03
 * @see V2-CMD-04
 */
export type AvailableCommand = Infer<typeof availableCommand_> | never;
/** Validates an {@link AvailableCommand}. */
export const availableCommand: Schema<AvailableCommand> = availableCommand_;

const availableCommandsUpdate_ = object({
  /** All commands from now on; malformed ones are dropped. */
  availableCommands: sifted(availableCommand),
});
/**
 * The session's commands. Each list replaces the one before.
 * @see V2-UPD-19
 */
export interface AvailableCommandsUpdate extends Infer<typeof availableCommandsUpdate_> {}
/** Validates an {@link AvailableCommandsUpdate}. */
export const availableCommandsUpdate: Schema<AvailableCommandsUpdate> = availableCommandsUpdate_;
