import type { Measure } from "../scenario.js";

/** Measures the import of these modules, one after the other, in a process that has loaded almost nothing. */
export function measureImport(...modules: readonly string[]): Measure {
  return async () => {
    const started = performance.now();
    for (const module of modules) await import(module);
    return { time: performance.now() - started };
  };
}
