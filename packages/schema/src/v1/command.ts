import { type Infer, lenient, nullable, object, requiredOr, type Schema, sifted, string } from "../vocabulary.js";

const unstructuredCommandInput_ = object({
  /** What to show while nothing has been typed yet. */
  hint: string(),
});
/** Input that is all the text after the command's name. */
export interface UnstructuredCommandInput extends Infer<typeof unstructuredCommandInput_> {}
/** Validates an {@link UnstructuredCommandInput}. */
export const unstructuredCommandInput: Schema<UnstructuredCommandInput> = unstructuredCommandInput_;

/** What a command takes. This version has one form. */
export type AvailableCommandInput = UnstructuredCommandInput;
/** Validates an {@link AvailableCommandInput}. */
export const availableCommandInput: Schema<AvailableCommandInput> = unstructuredCommandInput;

const availableCommand_ = object({
  /** The name without a leading slash. */
  name: string(),
  /** What it does, for people. */
  description: string(),
  /** What it takes; absent, null or of an unknown form means nothing. */
  input: lenient(nullable(availableCommandInput)),
});
/**
 * A slash command. It is called by a prompt whose text begins with `/name`.
 * @see V1-SLASH-02
 * @see V1-SLASH-03
 */
export interface AvailableCommand extends Infer<typeof availableCommand_> {}
/** Validates an {@link AvailableCommand}. */
export const availableCommand: Schema<AvailableCommand> = availableCommand_;

const availableCommandsUpdate_ = object({
  /** All commands from now on; malformed ones are dropped. */
  availableCommands: requiredOr(sifted(availableCommand), []),
});
/**
 * The session's commands. Each list replaces the one before.
 * @see V1-UPD-23
 */
export interface AvailableCommandsUpdate extends Infer<typeof availableCommandsUpdate_> {}
/** Validates an {@link AvailableCommandsUpdate}. */
export const availableCommandsUpdate: Schema<AvailableCommandsUpdate> = availableCommandsUpdate_;
