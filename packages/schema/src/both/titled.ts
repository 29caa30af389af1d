import { lenient, nullable, object, string } from "../vocabulary.js";

/** Validates the members that every field of a form has. */
export const titled = object({
  /** Name of the field for people. */
  title: lenient(nullable(string())),
  /** Description of the field, for people. */
  description: lenient(nullable(string())),
});
