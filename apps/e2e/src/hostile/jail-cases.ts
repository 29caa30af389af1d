import type { JailCase } from "./jail-case.js";
import { fileCases } from "./jail-files.js";
import { linkCases } from "./jail-links.js";
import { pathCases } from "./jail-paths.js";

/** Every row is read and written, on either side. */
export const jailCases: readonly JailCase[] = [...pathCases, ...linkCases, ...fileCases];
