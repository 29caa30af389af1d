import { expect, test } from "vitest";
import * as driver from "../src/driver/index.js";
import * as root from "../src/index.js";
import * as node from "../src/node/index.js";

test("the root entry exports these names", () => {
  expect(Object.keys(root).sort()).toMatchInlineSnapshot(`
    [
      "MAX_HELD_BYTES",
      "MAX_HELD_UPDATES",
      "MAX_TITLE_LENGTH",
      "MAX_WAITING_PROMPTS",
      "RpcError",
      "SessionLogError",
      "allDialects",
      "compactEvents",
      "createAgent",
      "createAgentWith",
      "createExtension",
      "createMemoryLog",
      "defaultPermissionOptions",
      "isAcpError",
      "isRpcError",
      "isSessionLogError",
      "keepSessions",
      "losses",
      "outgoingContracts",
      "replayEvents",
      "seedDialect",
      "sessionInfoAfter",
      "v1Dialect",
      "v2Dialect",
    ]
  `);
});

test("the entry for servers with sessions of their own exports these names", () => {
  expect(Object.keys(driver).sort()).toMatchInlineSnapshot(`
    [
      "Deferred",
      "PromptKeys",
      "checkBlocks",
      "checkWorkspace",
      "createNegotiation",
      "findOption",
      "foldEvents",
      "isAbsolute",
      "liveEvents",
      "promptHash",
      "readConfigValue",
      "receiptOfInserted",
      "settled",
    ]
  `);
});

test("the node entry exports these names", () => {
  expect(Object.keys(node).sort()).toMatchInlineSnapshot(`
    [
      "MAX_LOCAL_READ_BYTES",
      "childEnvironment",
      "createFileLog",
      "createLocalFiles",
      "createLocalTerminals",
      "serveStdio",
    ]
  `);
});
