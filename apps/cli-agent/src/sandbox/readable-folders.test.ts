import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createPathCheck } from "@turnkit/session/paths";
import { expect, it } from "vitest";
import { createFolder } from "../../test/tool-context.js";
import type { CoveredPathSearch } from "./covered-paths.js";
import { explainUnseen } from "./explain.js";
import { searchReadables } from "./readable-folders.js";

it("defect S18: a long search of one tool delays a command for a second, and hides only this tool", async () => {
  const home = await createFolder();
  for (const name of [".cargo", ".pyenv/bin", ".volta"]) await mkdir(join(home, name), { recursive: true });
  const isIn = (path: string) => path.startsWith(`${home}/`);
  let end = () => {};
  const slow = new Promise<void>((resolve) => {
    end = resolve;
  });
  const search: CoveredPathSearch = async (root) => {
    if (root === join(home, ".cargo")) await slow;
    return { found: [], problems: [] };
  };
  const known = searchReadables({ PATH: join(home, ".pyenv/bin") }, [home], { check: createPathCheck(), search });
  const began = performance.now();
  const { readables, unsearched } = await known();
  expect(performance.now() - began).toBeLessThan(5_000);
  const shown = (all: typeof readables) => all.map(({ path }) => path).filter(isIn);
  expect([shown(readables).sort(), unsearched]).toEqual([
    [join(home, ".pyenv"), join(home, ".volta")],
    [join(home, ".cargo")],
  ]);
  end();
  await expect
    .poll(async () => shown((await known()).readables).sort())
    .toEqual([".cargo", ".pyenv", ".volta"].map((name) => join(home, name)));
  expect((await known()).unsearched).toEqual([]);
});

it("defect S21: a folder of tools with too many secrets ends its search early, and is not visible", async () => {
  const home = await createFolder();
  await mkdir(join(home, ".cargo"));
  const secrets = Array.from({ length: 201 }, (_, count) => `${home}/.cargo/${count}.key`);
  let isEnded: boolean | undefined;
  const search: CoveredPathSearch = async (root, { isEnough } = {}) => {
    const found = secrets.map((path) => ({ path, kind: "secret", isFolder: false }) as const);
    isEnded = isEnough?.(found);
    return { found: root.startsWith(home) ? found : [], problems: [] };
  };
  const { readables } = await searchReadables({}, [home], { check: createPathCheck(), search })();
  expect(isEnded).toBe(true);
  expect(readables.some(({ path }) => path.startsWith(home))).toBe(false);
});

it("the end of the session gives up the search, and a command that comes later does not run", async () => {
  const home = await createFolder();
  await mkdir(join(home, ".cargo"));
  const session = new AbortController();
  const searched: string[] = [];
  const search: CoveredPathSearch = async (root) => {
    searched.push(root);
    return { found: [], problems: [] };
  };
  const known = searchReadables({}, [home], { check: createPathCheck(), search, signal: session.signal });
  session.abort();
  await expect(known()).rejects.toThrow("aborted");
  expect(searched).toEqual([]);
});

it("no secret is hidden twice, or inside of a hidden folder, where nothing can be mounted", async () => {
  const home = await createFolder();
  for (const name of [".npm/_logs", ".nuget/NuGet"]) await mkdir(join(home, name), { recursive: true });
  const search: CoveredPathSearch = async () => ({ found: [], problems: [] });
  const { readables } = await searchReadables({}, [home], { check: createPathCheck(), search })();
  const hidden = readables.filter(({ kind }) => kind === "hidden").map(({ path }) => path);
  expect(hidden).toEqual(expect.arrayContaining([join(home, ".npm/_logs"), join(home, ".nuget/NuGet")]));
  expect(new Set(hidden).size).toBe(hidden.length);
  for (const path of hidden) expect(hidden.filter((one) => path.startsWith(`${one}/`))).toEqual([]);
});

it("defect S53: of the state of Nix, only the profiles are visible", async () => {
  const [home, path] = [await createFolder(), await createFolder()];
  const search: CoveredPathSearch = async () => ({ found: [], problems: [] });
  const nix = { path, kept: join(path, "nix/profiles") };
  const { readables } = await searchReadables({}, [home], { check: createPathCheck(), search, nix })();
  expect(readables.filter((one) => one.kind === "emptied")).toEqual([{ kind: "emptied", ...nix }]);
});

it("says which tools a failed command did not see yet", () => {
  expect(explainUnseen("sh: 1: cargo: not found", ["/h/.cargo"])).toContain("/h/.cargo");
  expect(explainUnseen("sh: 1: cargo: not found", [])).toBeUndefined();
  expect(explainUnseen("1 test failed", ["/h/.cargo"])).toBeUndefined();
});
