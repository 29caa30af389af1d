import { expect, it } from "vitest";
import * as codec from "../src/codec/index.js";
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
    currentMessage
    decodeV1
    decodeV2
    diffFiles
    finalDiff
    formDefaults
    messageText
    needsLogin
    pendingQuestions
    readSnapshot
    reduce
    reduceAll
    replacingMetadata
    selectIcons
    selectModels
    selectModes
    since
    toolCallsByStatus
    transcriptMarkdown
    transcriptText
    visiblePlan"
  `);
});

it("the entry of the codecs exports these names", () => {
  expect(Object.keys(codec).toSorted().join("\n")).toMatchInlineSnapshot(`
    "createTranslator
    losses
    seedCodec
    settingCall
    v1Codec
    v2Codec
    wireCalls
    wireHandlers
    wireRequest"
  `);
});
