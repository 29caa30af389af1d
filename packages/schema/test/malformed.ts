import type { Outcome } from "./outcome.js";

/** One message: its method (with an arrow: the result of that method), what is wrong with it, itself, and what we do. */
export type Row = readonly [method: string, what: string, message: unknown, outcome: Outcome];
