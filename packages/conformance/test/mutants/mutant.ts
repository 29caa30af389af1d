import type { DialectName } from "../../src/dialects/dialect.js";
import type { ModelAgent } from "../model/model-agent.js";

/** Fault of an otherwise correct agent, which exactly one check finds. */
export type Mutant = {
  /** Id of the check. */
  readonly check: string;
  readonly dialect?: DialectName;
  /** Fault of the agent, after the words `an agent that`. */
  readonly what: string;
  /** Further checks that the same fault breaks. */
  readonly also?: readonly string[];
  /** Expected remark, for an informational check, which never fails. */
  readonly remark?: RegExp;
  readonly alter: (agent: ModelAgent) => void;
};

/** Returns a value after something was done. */
export const after = <T>(_done: unknown, value: T): T => value;
