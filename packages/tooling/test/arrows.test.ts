import { expect, test } from "vitest";
import { arrowViolations } from "../src/rule/arrows.js";
import { readWorkspaces } from "../src/workspace.js";
import { fixture, manifestOf } from "./fixture.js";

test("the tree keeps its arrows", () => {
  expect(arrowViolations(readWorkspaces())).toEqual([]);
});

const broken: Record<string, [folder: string, path: string, text: string, problem: string]> = {
  "leaves import no sibling": ["packages/schema", "src/a.ts", `import "@turnkit/transport"`, "no arrow from schema"],
  "transport imports no package": ["packages/transport", "src/a.ts", `import { z } from "zod"`, "no arrow"],
  "session imports no package": [
    "packages/session",
    "src/a.ts",
    `import type { A } from "@turnkit/schema"`,
    "no arrow",
  ],
  "agent and client never meet": ["packages/agent", "src/a.ts", `import("@turnkit/client")`, "no arrow"],
  "not even by type": ["packages/client", "src/a.ts", `type A = import("@turnkit/agent").Agent`, "no arrow"],
  "sources never import testing": ["packages/agent", "src/a.ts", `import "@turnkit/testing"`, "no arrow"],
  "not even in apps": ["apps/cli-agent", "src/a.ts", `import "@turnkit/testing"`, "no arrow"],
  "what testing stands on never tests with it": [
    "packages/transport",
    "test/a.test.ts",
    `import "@turnkit/testing"`,
    "no arrow",
  ],
  "testing knows no runtime": ["packages/testing", "src/a.ts", `import "@turnkit/agent"`, "no arrow from testing"],
  "its tests neither": ["packages/testing", "test/a.test.ts", `import "@turnkit/client"`, "no arrow from testing"],
  "nor the pure state": ["packages/testing", "src/a.ts", `import type { A } from "@turnkit/session"`, "no arrow"],
  "hooks take sessions, not wires": ["packages/react", "src/a.ts", `import "@turnkit/transport"`, "no arrow"],
  "a chat takes no hooks": ["packages/ai-sdk", "src/a.ts", `import "@turnkit/react"`, "no arrow"],
  "packages never import apps": ["packages/client", "src/a.ts", `import "@turnkit/node-client"`, "no arrow"],
  "apps use declared entries": ["apps/cli-agent", "src/a.ts", `import "@turnkit/agent/turn"`, "declared entry"],
  "deep paths are closed": ["apps/cli-agent", "src/a.ts", `import "@turnkit/agent/src/turn.js"`, "declared entry"],
  "relative paths stay inside": ["apps/node-client", "src/a.ts", `import "../../cli-agent/src/b.js"`, "leaves"],
  "sources import no tests": ["packages/agent", "src/a.ts", `import "../test/b.js"`, "leaves packages/agent/src"],
  "the official SDK stays out": ["packages/schema", "src/a.ts", `import "@agentclientprotocol/sdk"`, "official SDK"],
  "of apps too": ["apps/cli-agent", "src/a.ts", `import "@agentclientprotocol/sdk"`, "official SDK"],
};

const siblings = ["schema", "transport", "session", "agent", "client", "react", "testing"].map((name) =>
  fixture(`packages/${name}`, {}),
);

test.for(Object.entries(broken))("%s", ([, [folder, path, text, problem]]) => {
  const violations = arrowViolations([fixture(folder, { [path]: text }), ...siblings, fixture("apps/node-client", {})]);
  expect(violations).toEqual([expect.stringContaining(problem)]);
  expect(violations[0]).toContain(`${folder}/${path}:1`);
});

test("what the arrows allow passes", () => {
  const fine = [
    fixture("packages/session", { "src/a.ts": `import "./b.js";`, "src/a.test.ts": `import "@turnkit/schema"` }),
    fixture("packages/schema", { "src/a.ts": `import type { ZodType } from "zod"; import "./b.js";` }),
    fixture("packages/transport", { "src/node/a.ts": `import "node:fs"`, "src/a.test.ts": `import "vitest"` }),
    fixture("packages/schema", { "test/a.test.ts": `import "@agentclientprotocol/sdk"; import "../src/index.js";` }),
    fixture("apps/cli-agent", { "src/a.ts": `import "@turnkit/agent/node"; import "diff";` }),
    fixture("apps/e2e", { "src/a.ts": `import "@agentclientprotocol/sdk"; import "@turnkit/client"` }),
    fixture("packages/client", { "test/a.test.ts": `import "@turnkit/testing/node"` }),
    fixture("apps/node-client", { "src/a.test.ts": `import "@turnkit/testing"` }),
    fixture("packages/testing", { "src/a.ts": `import "@turnkit/transport"; import "@turnkit/schema";` }),
    fixture("packages/agent", { "src/a.ts": "// import '@turnkit/client'\nconst text = `import '@turnkit/client'`" }),
  ];
  expect(arrowViolations(fine)).toEqual([]);
});

test("manifests keep the arrows too", () => {
  const depending = (folder: string, name: string, dependency: string) =>
    fixture(folder, {}, { manifest: manifestOf(name, { dependencies: { [dependency]: "1" } }) });
  expect(
    arrowViolations([
      depending("packages/transport", "transport", "ws"),
      depending("packages/client", "client", "@agentclientprotocol/sdk"),
      depending("apps/e2e", "e2e", "@agentclientprotocol/sdk"),
      depending("apps/cli-agent", "cli-agent", "@turnkit/client"),
      depending("apps/cli-agent", "cli-agent", "diff"),
      fixture("packages/react", {}, { manifest: manifestOf("react", { peerDependencies: { react: "18", swr: "2" } }) }),
    ]),
  ).toHaveLength(5);
});
