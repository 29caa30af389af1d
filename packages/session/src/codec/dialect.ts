/**
 * The forms of the protocol that turnkit speaks; `seed` is the draft of version 2 of June 2026, where the prompt's
 * answer ends the turn.
 */
export type DialectName = "v1" | "v2" | "seed";
