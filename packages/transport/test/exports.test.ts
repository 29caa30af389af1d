import { expect, it } from "vitest";
import * as channels from "../src/channels/index.js";
import * as root from "../src/index.js";
import * as node from "../src/node/index.js";
import * as trace from "../src/trace/index.js";

it("the root entry exports these names", () => {
  expect(Object.keys(root).sort()).toMatchInlineSnapshot(`
    [
      "AcpError",
      "CapabilityError",
      "ConnectionClosedError",
      "FrameError",
      "InvalidMessageError",
      "MAX_TIMER_MS",
      "NegotiationError",
      "RequestAbortedError",
      "RpcError",
      "SpawnError",
      "asSentence",
      "checkArgument",
      "checkChannel",
      "checkFunction",
      "checkIncoming",
      "checkMembers",
      "checkOptions",
      "checkPath",
      "checkTypes",
      "closeText",
      "createConnection",
      "createExtension",
      "createRoutes",
      "dataUrl",
      "dropOldest",
      "isAcpError",
      "isRpcError",
      "lostValue",
      "readThrown",
      "refuseOption",
      "reporter",
      "rpcErrorCode",
      "textOf",
      "toRpcError",
      "uncalledExtensions",
      "unknownOptions",
      "withinGrace",
    ]
  `);
});

it("the node entry exports these names", () => {
  expect(Object.keys(node).sort()).toMatchInlineSnapshot(`
    [
      "ByteRing",
      "absentVariables",
      "childEnvironment",
      "createStdioChannel",
      "findProgram",
      "findRepositoryFolder",
      "isDataVariable",
      "isInProject",
      "isInside",
      "isSteeringVariable",
      "openRealFolder",
      "openRooted",
      "processStart",
      "readRooted",
      "resolveRooted",
      "resolveRootedFolder",
      "runInForeground",
      "safeEnvironment",
      "spawnChannel",
      "startProcess",
      "writeRooted",
    ]
  `);
});

it("the entry of channels exports these names", () => {
  expect(Object.keys(channels).sort()).toMatchInlineSnapshot(`
    [
      "createByteStreamChannel",
      "createLineParser",
      "createMemoryPair",
      "createMessageStreamChannel",
      "createSerialiser",
      "createWebSocketChannel",
      "estimateBytes",
      "frameLimit",
      "parseLine",
      "pipeChannels",
      "serialise",
      "toMessageStream",
    ]
  `);
});

it("the entry for traces exports these names", () => {
  expect(Object.keys(trace).sort()).toMatchInlineSnapshot(`
    [
      "createWirePlayer",
      "isSecretName",
      "readWireLog",
      "recordChannel",
      "redactSecrets",
      "redactText",
      "tapChannel",
    ]
  `);
});
