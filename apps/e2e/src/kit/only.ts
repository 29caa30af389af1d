import { everyDialect } from "@turnkit/client";
import type { Dialect } from "@turnkit/session";

/** One dialect by its name, as a client speaks it. */
export const only = (name: Dialect) => everyDialect.filter(({ dialect }) => dialect === name);
