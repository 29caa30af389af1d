import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { readWorkspaces, root } from "../src/workspace.js";

type Installed = {
  readonly name: string;
  readonly version?: string;
  readonly engines?: { readonly node?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
};

const lock = readFileSync(join(root, "pnpm-lock.yaml"), "utf8");

/** Oldest version of Node that the project supports. */
const OLDEST = 20;

/** Returns the installed package that `folder` gets under a name. */
function find(name: string, folder: string): string | undefined {
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    const path = join(at, "node_modules", name);
    if (existsSync(path)) return realpathSync(path);
  }
  return undefined;
}

/** Returns each package below a folder that wants a newer Node. */
function tooNew(folder: string, seen: Set<string>): readonly string[] {
  if (seen.has(folder)) return [];
  seen.add(folder);
  const {
    name,
    version,
    engines,
    dependencies = {},
  } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Installed;
  // Each alternative of a range begins with its lowest version.
  const lowest = (engines?.node ?? "0").split("||").map((range) => Number(/\d+/.exec(range)?.[0] ?? 0));
  const below = Object.keys(dependencies).flatMap((one) => {
    const found = find(one, folder);
    return found === undefined ? [] : tooNew(found, seen);
  });
  // Packages that are not in the lock were installed for an earlier state of the repository.
  const isTooNew = Math.min(...lowest) > OLDEST && lock.includes(`${name}@${version}`);
  return isTooNew ? [`${name}: ${engines?.node}`, ...below] : below;
}

test("defect P47: no dependency wants a newer Node than the project, so npm warns of none", () => {
  const seen = new Set<string>();
  const workspaces = readWorkspaces().filter(({ folder }) => folder !== "packages/tooling");
  expect(workspaces.flatMap(({ folder }) => tooNew(join(root, folder), seen))).toEqual([]);
  expect(seen.size).toBeGreaterThan(20);
});
