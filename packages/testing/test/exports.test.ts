import { expect, it } from "vitest";
import * as root from "../src/index.js";
import * as node from "../src/node/index.js";

it("the root entry exports these names", () => {
  expect(Object.keys(root).sort()).toMatchInlineSnapshot(`
    [
      "ExpectationError",
      "connectPair",
      "createBytePair",
      "createFaultyBytes",
      "createFaultyChannel",
      "createGate",
      "createRandom",
      "createRawPeer",
      "createScriptedAgent",
      "createScriptedClient",
      "createTranscript",
      "draftForms",
      "engineCases",
      "installManualClock",
      "isExpectationError",
      "sessionLogCases",
    ]
  `);
});

it("the node entry exports these names", () => {
  expect(Object.keys(node).sort()).toMatchInlineSnapshot(`
    [
      "WirePeer",
      "createWire",
      "isAlive",
      "processDeath",
    ]
  `);
});
