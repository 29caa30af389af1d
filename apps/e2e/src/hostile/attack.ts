import type { Attacked } from "./attacked.js";

/** One row of the table "Connection under attack". */
export type Attack = {
  /** The first column of the row. */
  readonly it: string;
  readonly against: readonly ("agent" | "client")[];
  /** Does it, and looks at what comes of it. */
  readonly attack: (attacked: Attacked) => Promise<void>;
  /** Reason of the end of the connection; absent if it goes on working. */
  readonly ends?: string;
  /** Something is said in the session by it. */
  readonly talks?: true;
  /** Begins before the versions are agreed. */
  readonly early?: true;
};
