import { expect, test } from "vitest";
import { resumableOf } from "./resumption.js";

test("REM-39: only a complete retention in the result of initialize offers resumption", () => {
  const resumable = { retentionMessages: 10, retentionSeconds: 60 };
  expect(resumableOf({ capabilities: { transport: { resumable } } })).toEqual(resumable);
  for (const result of [null, {}, { capabilities: { transport: { resumable: {} } } }, { capabilities: [] }])
    expect(resumableOf(result)).toBeUndefined();
});
