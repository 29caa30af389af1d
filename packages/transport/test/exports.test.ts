import { expect, it } from "vitest";
import * as root from "../src/index.js";
import * as node from "../src/node/index.js";

it("the root entry exports these names", () => {
  expect(Object.keys(root).sort()).toMatchInlineSnapshot(`
    [
      "AcpError",
      "CapabilityError",
      "ConnectionClosedError",
      "FrameError",
      "InvalidMessageError",
      "NegotiationError",
      "RequestAbortedError",
      "RpcError",
      "SpawnError",
      "checkIncoming",
      "closeText",
      "createByteStreamChannel",
      "createConnection",
      "createMemoryPair",
      "createMessageStreamChannel",
      "createRoutes",
      "createWebSocketChannel",
      "createWirePlayer",
      "frameLimit",
      "isAcpError",
      "isRpcError",
      "parseLine",
      "readWireLog",
      "recordChannel",
      "redactSecrets",
      "redactText",
      "rpcErrorCode",
      "serialise",
      "tapChannel",
      "toMessageStream",
      "toRpcError",
    ]
  `);
});

it("the node entry exports these names", () => {
  expect(Object.keys(node).sort()).toMatchInlineSnapshot(`
    [
      "ByteRing",
      "createStdioChannel",
      "openRooted",
      "readRooted",
      "resolveRooted",
      "resolveRootedFolder",
      "runInForeground",
      "spawnChannel",
      "startProcess",
      "writeRooted",
    ]
  `);
});
