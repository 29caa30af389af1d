import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const apps = fileURLToPath(new URL("../../../apps/", import.meta.url));

/**
 * Returns the files that a file loads at its start, and with `lazily` those that it loads later; packages by their
 * names.
 */
function loaded(entry: string, lazily: (file: string) => boolean): ReadonlySet<string> {
  const seen = new Set<string>();
  const visit = (name: string) => {
    if (seen.has(name)) return;
    seen.add(name);
    if (!name.startsWith("/")) return;
    const text = readFileSync(name, "utf8");
    const eager = text.matchAll(/^(?:import|export)(?! type)[^"';]*?from "([^"]+)"|^import "([^"]+)"/gm);
    const lazy = text.matchAll(/\bimport\("([^"]+)"\)/g);
    for (const [, one, other] of [...eager, ...lazy]) {
      const wanted = one ?? other ?? "";
      const path = wanted.startsWith(".") ? fileOf(resolve(dirname(name), wanted)) : wanted;
      const isLazy = text.includes(`import("${wanted}")`);
      if (!isLazy || lazily(path)) visit(path);
    }
  };
  visit(resolve(apps, entry));
  return seen;
}

function fileOf(path: string): string {
  return path.replace(/\.js$/, ".ts");
}

const heavy = ["marked", "diff", "get-east-asian-width"];

it("a program that prints its help loads nothing of the agent's or the screen's", () => {
  const files = loaded("node-client/src/main.ts", () => false);
  expect([...files].filter((name) => heavy.includes(name) || name.startsWith("@turnkit/"))).toEqual([]);
});

it("the screen loads no parsers of code at its start", () => {
  const files = loaded("node-client/src/tui/stage.ts", () => false);
  expect([...files].some((name) => name.endsWith("/language-modes.ts"))).toBe(true);
  expect([...files].filter((name) => name.startsWith("@codemirror/"))).toEqual([]);
});

it("a program without a screen loads no Markdown and no measuring of texts", () => {
  const files = loaded("node-client/src/main.ts", (file) => !file.endsWith("/tui/hold-conversation.ts"));
  expect([...files].some((name) => name.endsWith("/run-once.ts"))).toBe(true);
  expect([...files].some((name) => name.endsWith("/tui/run-interactive.ts"))).toBe(true);
  expect([...files].filter((name) => ["marked", "get-east-asian-width"].includes(name))).toEqual([]);
});

it("SHARE-13 turnkit serve loads the client of NATS only for --nats", () => {
  const ofNats = (lazily: (file: string) => boolean) =>
    [...loaded("node-client/src/serve/serve-sessions.ts", lazily)].filter(
      (name) => name.startsWith("@nats-io/") || name === "@turnkit/gateway/jetstream",
    );
  expect(ofNats(() => false)).toEqual([]);
  expect(ofNats(() => true)).toEqual(["@nats-io/transport-node", "@turnkit/gateway/jetstream"]);
});

it("only the doctor loads the checks of conformance", () => {
  const files = loaded("node-client/src/main.ts", (file) => !file.endsWith("/doctor/examine.ts"));
  expect([...files].some((name) => name.endsWith("/doctor/run-doctor.ts"))).toBe(true);
  expect([...files].filter((name) => name.startsWith("@turnkit/conformance"))).toEqual([]);
});

it("defect P67: turnkit-agent loads zod and its tools only for a prompt", () => {
  const files = loaded("cli-agent/src/agent.ts", () => false);
  expect([...files].some((name) => name.endsWith("/mcp/mcp-tool.ts"))).toBe(true);
  expect([...files].filter((name) => name === "zod" || name.endsWith("/tools/read-file.ts"))).toEqual([]);
});
