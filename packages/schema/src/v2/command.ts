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
  /** Text that is shown while the input is empty. */
  hint: string(),
});
/** Input that is the whole text after the command's name and white space. */
export interface TextCommandInput extends Infer<typeof textCommandInput_> {}
/** Validates a {@link TextCommandInput}. */
export const textCommandInput: Schema<TextCommandInput> = textCommandInput_;

const availableCommandInput_ = openVariants("type", { text: textCommandInput }, { assumed: "text" });
// V2-CMD-01, V2-CMD-04
/**
 * Input of a command. An input of another type is shown without structure. An input without a type has the type `text`,
 * as in older drafts.
 */
export type AvailableCommandInput = Infer<typeof availableCommandInput_> | never;
/** Validates an {@link AvailableCommandInput}. */
export const availableCommandInput: Schema<AvailableCommandInput> = availableCommandInput_;

const described_ = object({
  /** Name without a slash at the start and without white space. It is unique in its list. */
  name: string(),
  /** Description for people. */
  description: string(),
});
const command_ = extend(described_, {
  /** Input of the command. An absent, null or malformed value means that the command has no input. */
  input: lenient(nullable(availableCommandInput)),
});
/** Members of a command of type `command`. A prompt whose text begins with `/name` calls it. */
export interface Command extends Infer<typeof command_> {}
/** Validates a {@link Command}. */
export const command: Schema<Command> = command_;

const availableCommand_ = openVariants("type", { command }, { other: described_, assumed: "command" });
// V2-CMD-02, V2-CMD-03, V2-CMD-04
/**
 * Slash command. A command of another type has at least a name and a description. A command without a type has the type
 * `command`, as in older drafts.
 */
export type AvailableCommand = Infer<typeof availableCommand_> | never;
/** Validates an {@link AvailableCommand}. */
export const availableCommand: Schema<AvailableCommand> = availableCommand_;

const availableCommandsUpdate_ = object({
  /** Complete new list of commands. Malformed commands are dropped. */
  availableCommands: sifted(availableCommand),
});
// V2-UPD-19
/** Commands of the session. Each list replaces the previous list. */
export interface AvailableCommandsUpdate extends Infer<typeof availableCommandsUpdate_> {}
/** Validates an {@link AvailableCommandsUpdate}. */
export const availableCommandsUpdate: Schema<AvailableCommandsUpdate> = availableCommandsUpdate_;
