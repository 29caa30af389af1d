/** Moments of a keyed prompt at which the agent can be killed. `at random` is a kill from outside. */
export const killPoints = [
  "before the record",
  "with the record unwritten",
  "before the commit",
  "before the answer",
  "in the work",
  "at random",
  "never",
] as const;

/** Moment at which an agent is killed. */
export type KillPoint = (typeof killPoints)[number];
