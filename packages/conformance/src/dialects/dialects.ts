import type { DialectName } from "../dialects/dialect.js";
import type { Dialect } from "./dialect.js";
import { seed } from "./seed.js";
import { v1 } from "./v1.js";
import { v2 } from "./v2.js";

/** Dialects by name. */
export const dialects: Readonly<Record<DialectName, Dialect>> = { v1, v2, seed };

/** Every dialect, for checks that hold in all of them. */
export const everyDialect: readonly DialectName[] = ["v1", "v2", "seed"];
