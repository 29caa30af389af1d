import { expect, it } from "vitest";
import * as root from "../src/index.js";

it("the root entry exports these names", () => {
  expect(Object.keys(root).toSorted().join("\n")).toMatchInlineSnapshot(`
    "MAIN_PLAN
    changedFiles
    checkFormAnswer
    createNestingSelector
    createRecorder
    createRecordingReader
    createSessionState
    createSessionStore
    createSnapshot
    createTranslator
    currentMessage
    decodeV1
    decodeV2
    diffFiles
    finalDiff
    formDefaults
    losses
    messageText
    needsLogin
    pendingQuestions
    readSnapshot
    reduce
    reduceAll
    replacingMetadata
    seedCodec
    selectIcons
    selectModels
    selectModes
    settingCall
    since
    toolCallsByStatus
    transcriptMarkdown
    transcriptText
    v1Codec
    v2Codec
    visiblePlan
    wireCalls
    wireHandlers
    wireRequest"
  `);
});
