import { readFileSync } from "node:fs";

const packages = ["schema", "transport", "session", "agent", "client", "remote", "gateway", "testing"];

// Every entry of every published package, as its manifest has them.
const entryPoints = packages.flatMap((name) => {
  const folder = new URL(`../../packages/${name}/`, import.meta.url);
  const { exports } = JSON.parse(readFileSync(new URL("package.json", folder), "utf8"));
  return Object.values(exports).flatMap((entry) => {
    const source = entry["@turnkit/source"];
    return source === undefined ? [] : [new URL(source.default ?? source, folder).pathname];
  });
});

/** @type {import("typedoc").TypeDocOptions} */
export default {
  name: "turnkit",
  entryPoints,
  out: "dist",
  readme: "../../docs/README.md",
  projectDocuments: ["../../docs/*.md", "../../docs/reference/*.md"],
  excludePrivate: true,
  excludeInternal: true,
  disableSources: true,
  disableGit: true,
  githubPages: false,
  skipErrorChecking: true,
  logLevel: "Error",
  validation: { notExported: false, invalidLink: true },
  tsconfig: "tsconfig.json",
};
