import { expect, test } from "vitest";
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
      "createAgent",
      "isAcpError",
      "isRpcError",
      "losses",
      "replayEvents",
      "usualOptions",
    ]
  `);
});

test("the node entry exports these names", () => {
  expect(Object.keys(node).sort()).toMatchInlineSnapshot(`
    [
      "MAX_LOCAL_READ_BYTES",
      "createLocalFiles",
      "serveStdio",
    ]
  `);
});
