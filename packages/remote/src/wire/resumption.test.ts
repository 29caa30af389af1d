import { expect, test } from "vitest";
import { offersResumption } from "./resumption.js";

test("REM-39: only a complete retention in the result of initialize offers resumption", () => {
  const resumable = { retentionMessages: 10, retentionSeconds: 60 };
  expect(offersResumption({ capabilities: { transport: { resumable } } })).toBe(true);
  for (const result of [null, {}, { capabilities: { transport: { resumable: {} } } }, { capabilities: [] }])
    expect(offersResumption(result)).toBe(false);
});
