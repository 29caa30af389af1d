import { type Infer, lenient, nullable, object, requiredOr, type Schema, sifted, string } from "../vocabulary.js";

const unstructuredCommandInput_ = object({
  /** Placeholder shown while the input is empty. */
  hint: string(),
});
/** Input that is all the text after the command's name. */
export interface UnstructuredCommandInput extends Infer<typeof unstructuredCommandInput_> {}
/** Validates an {@link UnstructuredCommandInput}. */
export const unstructuredCommandInput: Schema<UnstructuredCommandInput> = unstructuredCommandInput_;

/** Input of a command. This version has one form. */
export type AvailableCommandInput = UnstructuredCommandInput;
/** Validates an {@link AvailableCommandInput}. */
export const availableCommandInput: Schema<AvailableCommandInput> = unstructuredCommandInput;

const availableCommand_ = object({
  /** The name without a leading slash. */
  name: string(),
  /** Description for people. */
  description: string(),
  /** Input of the command; absent, null or of an unknown form means none. */
  input: lenient(nullable(availableCommandInput)),
});
// V1-SLASH-02, V1-SLASH-03
/** A slash command. It is called by a prompt whose text begins with `/name`. */
export interface AvailableCommand extends Infer<typeof availableCommand_> {}
/** Validates an {@link AvailableCommand}. */
export const availableCommand: Schema<AvailableCommand> = availableCommand_;

const availableCommandsUpdate_ = object({
  /** Complete new list of commands; malformed ones are dropped. */
  availableCommands: requiredOr(sifted(availableCommand), []),
});
// V1-UPD-23
/** The session's commands. Each list replaces the one before. */
export interface AvailableCommandsUpdate extends Infer<typeof availableCommandsUpdate_> {}
/** Validates an {@link AvailableCommandsUpdate}. */
export const availableCommandsUpdate: Schema<AvailableCommandsUpdate> = availableCommandsUpdate_;
