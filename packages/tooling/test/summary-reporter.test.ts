import { expect, test, vi } from "vitest";
import SummaryReporter from "../src/summary-reporter.js";

type Modules = Parameters<SummaryReporter["onTestRunEnd"]>[0];

const run = (files: Record<string, string[]>, unhandled: unknown[] = []) => {
  const modules = Object.entries(files).map(([state, tests]) => ({
    state: () => state,
    children: { allTests: () => tests.map((result) => ({ result: () => ({ state: result }) })) },
  }));
  const written = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  try {
    new SummaryReporter().onTestRunEnd(modules as unknown as Modules, unhandled);
    return written.mock.calls.join("");
  } finally {
    written.mockRestore();
  }
};

test("the last line counts tests", () => {
  expect(run({ passed: ["passed", "passed", "skipped"], failed: ["failed", "passed"] })).toBe(
    "\n3 passed, 1 failed, 1 skipped\n",
  );
});

test("a file that could not be imported and an unhandled error count as failed", () => {
  expect(run({ passed: ["passed"], failed: [] }, [new Error("late")])).toBe("\n1 passed, 2 failed, 0 skipped\n");
});
