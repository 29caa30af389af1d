import { expect, it } from "vitest";
import * as agents from "../src/agents/index.js";
import * as broker from "../src/broker/index.js";
import * as root from "../src/index.js";
import * as node from "../src/node/index.js";

it("the root entry exports these names", () => {
  expect(Object.keys(root).sort()).toMatchInlineSnapshot(`
    [
      "RpcError",
      "allDialects",
      "allowOnce",
      "connect",
      "connectWith",
      "createElicitations",
      "createExtension",
      "createFileHandlers",
      "createKeyEvidence",
      "createTerminalHandlers",
      "isAcpError",
      "isOutcomeUnknown",
      "isRpcError",
      "outgoingContracts",
      "rejectOnce",
      "retryClass",
      "retryPrompt",
      "rpcErrorCode",
      "seedDialect",
      "v1Dialect",
      "v2Dialect",
      "withLogin",
    ]
  `);
});

it("the node entry exports these names", () => {
  expect(Object.keys(node).sort()).toMatchInlineSnapshot(`
    [
      "childEnvironment",
      "createDecisionFile",
      "createLocalFileHost",
      "createLocalTerminalHost",
      "isInsideRoots",
      "launch",
      "launchWith",
      "loginOnTerminal",
      "terminalLoginFault",
    ]
  `);
});

it("the entry of brokers exports these names", () => {
  expect(Object.keys(broker).sort()).toMatchInlineSnapshot(`
    [
      "commandIn",
      "createElicitationBroker",
      "createPermissionBroker",
    ]
  `);
});

it("the entry of known agents exports these names", () => {
  expect(Object.keys(agents).sort()).toMatchInlineSnapshot(`
    [
      "findKnownAgent",
      "knownAgents",
    ]
  `);
});
