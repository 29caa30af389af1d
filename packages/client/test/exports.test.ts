import { expect, it } from "vitest";
import * as root from "../src/index.js";
import * as node from "../src/node/index.js";

it("the root entry exports these names", () => {
  expect(Object.keys(root).sort()).toMatchInlineSnapshot(`
    [
      "RpcError",
      "connect",
      "createElicitationBroker",
      "createPermissionBroker",
      "isAcpError",
      "isRpcError",
      "rpcErrorCode",
      "withLogin",
    ]
  `);
});

it("the node entry exports these names", () => {
  expect(Object.keys(node).sort()).toMatchInlineSnapshot(`
    [
      "createDecisionFile",
      "createFileHost",
      "createTerminalHost",
      "isInsideRoots",
      "launch",
      "loginOnTerminal",
    ]
  `);
});
