import { allDialects } from "@turnkit/client";
import type { DialectName } from "@turnkit/session";

/** One dialect by its name, as a client speaks it. */
export const only = (name: DialectName) => allDialects.filter(({ dialect }) => dialect === name);
