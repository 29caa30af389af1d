import { expect, it } from "vitest";
import * as root from "../src/index.js";

it("the root entry exports these names", () => {
  expect(Object.keys(root).sort()).toMatchInlineSnapshot(`
    [
      "approvalsAnswered",
      "createChatTransport",
      "selectMessages",
    ]
  `);
});
