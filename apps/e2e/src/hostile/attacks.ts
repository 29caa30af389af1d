import type { Attack } from "./attack.js";
import { frameAttacks } from "./frame-attacks.js";
import { lifeAttacks } from "./life-attacks.js";

/** The rows of "Connection under attack" in `docs/reference/transport.md`, in their order. */
export const attacks: readonly Attack[] = [...frameAttacks, ...lifeAttacks];
