import { expect, it } from "vitest";
import * as codec from "../src/codec/index.js";
import * as command from "../src/command/index.js";
import * as files from "../src/files/index.js";
import * as form from "../src/form/index.js";
import * as root from "../src/index.js";
import * as paths from "../src/paths/index.js";
import * as recording from "../src/recording/index.js";
import * as watch from "../src/watch/index.js";

it("the root entry exports these names", () => {
  expect(Object.keys(root).toSorted().join("\n")).toMatchInlineSnapshot(`
    "DEFAULT_PLAN_ID
    createNestingSelector
    createSessionState
    createSessionStore
    createSessionTree
    createSnapshot
    createTreeSnapshot
    currentMessage
    decodeV1
    decodeV2
    diffStates
    messageParts
    messageText
    needsLogin
    pendingQuestions
    readSnapshot
    readTreeSnapshot
    reduce
    reduceAll
    reduceTree
    replacingMetadata
    selectAuthor
    selectIcons
    selectModels
    selectModes
    selectTree
    toolCallsByStatus
    transcriptMarkdown
    transcriptText
    visiblePlan"
  `);
});

it("the entry of the codecs exports these names", () => {
  expect(Object.keys(codec).toSorted().join("\n")).toMatchInlineSnapshot(`
    "AUTHOR
    ImpliedTurns
    ImpliedUpdates
    JSON_CHARACTER_BYTES
    bytesOf
    callReaders
    createLazyState
    createTranslator
    fitsAsJson
    isPassing
    isPieceBefore
    isPlaceless
    joinTextBlocks
    jsonBytes
    jsonCopy
    losses
    mayBegin
    measuredCopy
    mirroredState
    neededCapability
    newestPrompt
    optionChange
    repeatsMirror
    repeatsStart
    seedAgentCodec
    seedClientCodec
    seedCodec
    settingCall
    splitEvent
    stateEvents
    toBase64
    v1AgentCodec
    v1ClientCodec
    v1Codec
    v2AgentCodec
    v2ClientCodec
    v2Codec
    wireCalls
    wireHandlers
    wireRequest"
  `);
});

it("the entries of commands, files, forms, paths and recordings export these names", () => {
  expect(Object.keys(command).toSorted()).toEqual([
    "commandsIn",
    "fitsCommandPattern",
    "isPackageRunner",
    "parseCommandLine",
  ]);
  expect(Object.keys(files).toSorted()).toEqual(["changedFiles", "diffFiles", "finalDiff"]);
  expect(Object.keys(form).toSorted()).toEqual(["checkFormAnswer", "formDefaults"]);
  expect(Object.keys(paths).toSorted()).toEqual(["createPathCheck", "pathRules"]);
  expect(Object.keys(recording).toSorted()).toEqual(["createRecorder", "createRecordingReader"]);
});

it("the entry of the watch exports these names", () => {
  expect(Object.keys(watch).toSorted().join("\n")).toMatchInlineSnapshot(`
    "watchSessions
    watchStream"
  `);
});
