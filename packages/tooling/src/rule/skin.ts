import { isDeepStrictEqual } from "node:util";
import { isPublishable, type Workspace } from "../workspace.js";

const required = ["README.md", "package.json", "src", "test", "tsconfig.build.json", "tsconfig.json", "tsup.config.ts"];
const optional = ["CHANGELOG.md"];

const keys = [
  "name",
  "version",
  "description",
  "keywords",
  "repository",
  "license",
  "type",
  "sideEffects",
  "engines",
  "exports",
].concat([
  "files",
  "publishConfig",
  "scripts",
  "dependencies",
  "peerDependencies",
  "peerDependenciesMeta",
  "devDependencies",
]);

/** Keys that a package has only when there is something to say. */
const sometimes = new Set(["repository", "dependencies", "peerDependencies", "peerDependenciesMeta"]);

const values: Readonly<Record<string, unknown>> = {
  license: "Apache-2.0",
  type: "module",
  sideEffects: false,
  engines: { node: ">=20.19" },
  files: ["dist", "src", "!src/**/*.test.ts"],
};

/** Returns the differences between publishable packages: in files, manifests, entries, READMEs. */
export function skinViolations(workspaces: readonly Workspace[]): readonly string[] {
  const packages = workspaces.filter((workspace) => isPublishable(workspace) && workspace.files.some(isRootEntry));
  const [first] = packages;
  return packages.flatMap((one) => [
    ...topLevelViolations(one),
    ...manifestViolations(one),
    ...entryViolations(one),
    ...(isDeepStrictEqual(one.manifest.scripts, first?.manifest.scripts) ? [] : [`${one.folder} has its own scripts`]),
    ...(/^```ts$/m.test(one.readme) ? [] : [`${one.folder}/README.md has no \`\`\`ts example`]),
  ]);
}

function isRootEntry({ path }: { path: string }): boolean {
  return /^packages\/[^/]+\/src\/index\.ts$/.test(path);
}

function topLevelViolations({ folder, topLevel }: Workspace): readonly string[] {
  return [
    ...required.filter((name) => !topLevel.includes(name)).map((name) => `${folder} lacks ${name}`),
    ...topLevel
      .filter((name) => !required.includes(name) && !optional.includes(name))
      .map((name) => `${folder} has ${name}, which no other package has`),
  ];
}

function manifestViolations({ folder, manifest }: Workspace): readonly string[] {
  const own = Object.keys(manifest);
  const wanted = keys.filter((key) => !sometimes.has(key) || own.includes(key));
  return [
    ...(isDeepStrictEqual(own, wanted) ? [] : [`${folder}/package.json has the keys ${own}; wanted: ${wanted}`]),
    ...Object.entries(values)
      .filter(([key, value]) => !isDeepStrictEqual(manifest[key], value))
      .map(([key, value]) => `${folder}/package.json: ${key} should be ${JSON.stringify(value)}`),
  ];
}

function entryViolations({ folder, manifest }: Workspace): readonly string[] {
  const wanted: Record<string, unknown> = {};
  const published: Record<string, unknown> = {};
  for (const entry of Object.keys(manifest.exports ?? {}).filter((name) => name !== "./package.json")) {
    const path = entry === "." ? "index" : `${entry.slice(2)}/index`;
    published[entry] = { types: `./dist/${path}.d.ts`, default: `./dist/${path}.js` };
    wanted[entry] = { "@turnkit/source": `./src/${path}.ts`, ...(published[entry] as object) };
  }
  wanted["./package.json"] = published["./package.json"] = "./package.json";
  // As text, because the order of conditions matters.
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  return [
    ...(same(manifest.exports, wanted) ? [] : [`${folder}/package.json: exports should be ${JSON.stringify(wanted)}`]),
    // A package may also publish a program.
    ...(same({ ...(manifest.publishConfig as object), bin: undefined }, { access: "public", exports: published })
      ? []
      : [`${folder}/package.json: publishConfig.exports should be ${JSON.stringify(published)}`]),
  ];
}
