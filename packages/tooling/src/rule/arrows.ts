import { isBuiltin } from "node:module";
import { type Import, importsOf } from "../imports.js";
import { isTest, type SourceFile } from "../source.js";
import { resolveRelative, type Workspace } from "../workspace.js";

/** Imports that the sources of each workspace may have besides themselves. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  schema: ["zod"],
  transport: [],
  session: [],
  remote: ["@turnkit/transport", "ws"],
  agent: ["@turnkit/schema", "@turnkit/session", "@turnkit/transport"],
  client: ["@turnkit/schema", "@turnkit/session", "@turnkit/transport"],
  gateway: [
    ...["@turnkit/agent", "@turnkit/client", "@turnkit/session", "@turnkit/transport"],
    ...["@nats-io/jetstream", "@nats-io/kv", "@nats-io/transport-node"],
  ],
  react: ["@turnkit/client", "@turnkit/session", "react"],
  "ai-sdk": ["@turnkit/client", "@turnkit/session", "ai"],
  web: ["@turnkit/client", "@turnkit/react", "@turnkit/remote", "@turnkit/session", "@turnkit/transport"],
  testing: ["@turnkit/schema", "@turnkit/transport"],
  conformance: ["@turnkit/remote", "@turnkit/schema", "@turnkit/transport", "ws", "yaml"],
  // `turnkit-agent PROMPT` is one run of the client, and one install gives both programs.
  "cli-agent": ["@turnkit/agent", "@turnkit/node-client", "@turnkit/remote", "@turnkit/session", "@turnkit/transport"],
  "node-client": [
    "@turnkit/client",
    "@turnkit/conformance",
    "@turnkit/gateway",
    "@turnkit/remote",
    "@turnkit/session",
    "@turnkit/transport",
    "@turnkit/web",
  ],
};

/** Further imports for the tests of a package. `testing` stands on `schema` and `transport`, whose tests have none. */
const testArrows: Readonly<Record<string, readonly string[]>> = {
  session: ["@turnkit/schema", "@turnkit/testing"],
  remote: ["@turnkit/testing"],
  agent: ["@turnkit/testing"],
  client: ["@turnkit/testing"],
  gateway: ["@turnkit/testing"],
  react: ["@turnkit/testing", "@turnkit/transport"],
  "ai-sdk": ["@turnkit/testing", "@turnkit/transport"],
};

const twoSided = new Set(["e2e", "bench"]);
const officialSdk = "@agentclientprotocol/sdk";
const testingKit = "@turnkit/testing";

/** The arrows between workspaces, read from the imports of every file and from the manifests. */
export function arrowViolations(workspaces: readonly Workspace[]): readonly string[] {
  return workspaces.flatMap((workspace) => [
    ...workspace.files.flatMap((file) =>
      importsOf(file).flatMap((one) => {
        const problem = judge(workspace, file, one, workspaces);
        return problem ? [`${one.place} imports ${one.specifier}: ${problem}`] : [];
      }),
    ),
    ...manifestViolations(workspace),
  ]);
}

function judge(from: Workspace, file: SourceFile, one: Import, all: readonly Workspace[]): string | undefined {
  if (one.specifier.startsWith(".")) return judgeRelative(from, file, one);
  if (isBuiltin(one.specifier)) return undefined;
  const name = packageOf(one.specifier);
  if (name === officialSdk) {
    return isTest(file.path) || twoSided.has(from.name) ? undefined : "the official SDK is for tests and benchmarks";
  }
  const target = all.find((workspace) => workspace.manifest.name === name);
  if (target && !(`.${one.specifier.slice(name.length)}` in (target.manifest.exports ?? {}))) {
    return "not a declared entry of that package";
  }
  if (name === from.manifest.name || twoSided.has(from.name)) return undefined;
  if (!target && (isTest(file.path) || isApp(from) || from.name === "tooling")) return undefined;
  if (isTest(file.path) && (testArrows[from.name]?.includes(name) || (isApp(from) && name === testingKit)))
    return undefined;
  return arrows[from.name]?.includes(name) ? undefined : `no arrow from ${from.name} to it`;
}

function judgeRelative(from: Workspace, file: SourceFile, one: Import): string | undefined {
  const inside = isTest(file.path) ? from.folder : `${from.folder}/src`;
  return resolveRelative(file.path, one.specifier).startsWith(`${inside}/`) ? undefined : `leaves ${inside}`;
}

function manifestViolations(workspace: Workspace): readonly string[] {
  const allowed = arrows[workspace.name] ?? [];
  const { dependencies, peerDependencies } = workspace.manifest;
  return Object.keys({ ...dependencies, ...peerDependencies })
    .filter((name) => !allowed.includes(name))
    .filter((name) => name === officialSdk || !(twoSided.has(workspace.name) || (isApp(workspace) && isForeign(name))))
    .map((name) => `${workspace.folder}/package.json depends on ${name}: no arrow from ${workspace.name} to it`);
}

function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

function isApp(workspace: Workspace): boolean {
  return workspace.folder.startsWith("apps/");
}

function isForeign(name: string): boolean {
  return !name.startsWith("@turnkit/");
}
