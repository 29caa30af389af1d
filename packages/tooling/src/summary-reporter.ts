import type { Reporter, TestModule } from "vitest/node";

/** Ends a run with one line: `N passed, N failed, N skipped`. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      for (const test of tests) counts[test.result().state]++;
      // A file that could not be imported, and a hook or suite that threw, fail without a failed test.
      if (module.state() === "failed" && !tests.some((test) => test.result().state === "failed")) counts.failed++;
    }
    const skipped = counts.skipped + counts.pending;
    process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed, ${skipped} skipped\n`);
  }
}
