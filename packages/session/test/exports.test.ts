import { expect, it } from "vitest";
import * as root from "../src/index.js";

it("the root entry exports these names", () => {
  expect(Object.keys(root).toSorted().join("\n")).toMatchInlineSnapshot(`
    "MAIN_PLAN
    changedFiles
    createSessionState
    createSessionStore
    currentMessage
    diffFiles
    losses
    messageText
    pendingQuestions
    reduce
    reduceAll
    seedCodec
    selectModels
    selectModes
    toolCallsByStatus
    transcriptMarkdown
    transcriptText
    v1Codec
    v2Codec
    visiblePlan"
  `);
});
