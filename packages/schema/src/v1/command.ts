import { type Infer, lenient, nullable, object, requiredOr, type Schema, sifted, string } from "../vocabulary.js";

const unstructuredCommandInput_ = object({
  /** Text that is shown while the input is empty. */
  hint: string(),
});
/** Input that is the whole text after the command's name. */
export interface UnstructuredCommandInput extends Infer<typeof unstructuredCommandInput_> {}
/** Validates an {@link UnstructuredCommandInput}. */
export const unstructuredCommandInput: Schema<UnstructuredCommandInput> = unstructuredCommandInput_;

/** Input of a command. This version has one form of input. */
export type AvailableCommandInput = UnstructuredCommandInput;
/** Validates an {@link AvailableCommandInput}. */
export const availableCommandInput: Schema<AvailableCommandInput> = unstructuredCommandInput;

const availableCommand_ = object({
  /** Name without a slash at the start. */
  name: string(),
  /** Description for people. */
  description: string(),
  /** Input of the command. An absent, null or unknown value means that the command has no input. */
  input: lenient(nullable(availableCommandInput)),
});
// V1-SLASH-02, V1-SLASH-03
/** Slash command. A prompt whose text begins with `/name` calls it. */
export interface AvailableCommand extends Infer<typeof availableCommand_> {}
/** Validates an {@link AvailableCommand}. */
export const availableCommand: Schema<AvailableCommand> = availableCommand_;

const availableCommandsUpdate_ = object({
  /** Complete new list of commands. Malformed commands are dropped. */
  availableCommands: requiredOr(sifted(availableCommand), []),
});
// V1-UPD-23
/** Commands of the session. Each list replaces the previous list. */
export interface AvailableCommandsUpdate extends Infer<typeof availableCommandsUpdate_> {}
/** Validates an {@link AvailableCommandsUpdate}. */
export const availableCommandsUpdate: Schema<AvailableCommandsUpdate> = availableCommandsUpdate_;
