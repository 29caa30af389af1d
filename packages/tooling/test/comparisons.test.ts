import { expect, test } from "vitest";
import { comparisonViolations } from "../src/rule/comparisons.js";
import { readWorkspaces } from "../src/workspace.js";
import { fixture } from "./fixture.js";

test("only negotiate.ts compares the version", () => {
  expect(comparisonViolations(readWorkspaces())).toEqual([]);
});

test.for([
  `if (dialect === "v2") go();`,
  `const late = peer.protocolVersion >= 2;`,
  `const old = 1 != info?.version;`,
  `switch (client.peer.dialect) {}`,
  `class A { #dialect = "v1"; is() { return this.#dialect !== "v1"; } }`,
  `const text = (negotiatedVersion as number) < 2 ? "old" : "new";`,
])("is found: %s", (text) => {
  expect(comparisonViolations([fixture("packages/agent", { "src/driver.ts": text })])).toEqual([
    "packages/agent/src/driver.ts:1 compares the version; only negotiate.ts may",
  ]);
});

test("looking a record up, negotiating and testing are free", () => {
  const text = `if (dialect === "v2") go();`;
  const files = { "src/negotiate.ts": text, "src/a.test.ts": text, "src/b.ts": "const driver = drivers[dialect];" };
  const open = fixture("apps/node-client", {
    "src/c.ts": "const pending = dialect === undefined || flags.version === true;",
  });
  expect(
    comparisonViolations([fixture("packages/agent", files), fixture("apps/e2e", { "src/a.ts": text }), open]),
  ).toEqual([]);
});
