import { type Infer, integer, lenient, nullable, object, type Schema, string } from "../vocabulary.js";

// V1-INIT-04, V2-INIT-01
/** Major version of the protocol. */
export type ProtocolVersion = number;
/** Validates a {@link ProtocolVersion}. */
export const protocolVersion: Schema<ProtocolVersion> = integer(0, 0xffff);

const implementation_ = object({
  /** Name of the program. */
  name: string(),
  /** Name of the program for people. If it is missing, `name` is shown. */
  title: lenient(nullable(string())),
  /** Version of the program. */
  version: string(),
});
// V1-INIT-12, V2-INIT-03
/** Name and version of a program. */
export interface Implementation extends Infer<typeof implementation_> {}
/** Validates an {@link Implementation}. */
export const implementation: Schema<Implementation> = implementation_;
