import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, join, relative } from "node:path";
import { root } from "./workspace.js";

/** Programs that tests start by their names. */
const needed = "node npm npx git python3 bwrap tmux script".split(" ");

const isInside = (folder: string, path: string): boolean => !/^\.\.(?:[\\/]|$)|^[\\/]/.test(relative(folder, path));

/**
 * Returns `PATH` without the folders of a home folder. Folders of the workspace stay. Folders with a program that tests start,
 * and that no other folder has, stay too.
 */
export function pathOutside(home: string, path: string): string {
  const folders = path.split(delimiter);
  const stays = (folder: string) => !isInside(home, folder) || isInside(root, folder);
  const missing = needed.filter((name) => !folders.some((folder) => stays(folder) && existsSync(join(folder, name))));
  const kept = folders.filter((one) => stays(one) || missing.some((name) => existsSync(join(one, name))));
  return kept.join(delimiter);
}

/** The home folder of this run. It is global, because each project of the runner loads this file again. */
const run = globalThis as { turnkitHome?: string };

/**
 * Gives all tests of a run an empty home folder. The settings of the user would change results. A sandbox searches the tools
 * of the home folder for secrets: with 200 000 files, this takes longer than most tests.
 *
 * Programs of tests talk only to servers of tests. With `NODE_EXTRA_CA_CERTS`, Node takes four times as long to
 * start, because it also parses all of its built-in certificates.
 */
export function setup(): (() => void) | undefined {
  if (run.turnkitHome !== undefined) return undefined;
  const home = realpathSync(mkdtempSync(join(tmpdir(), "turnkit-test-home-")));
  run.turnkitHome = home;
  process.env.PATH = pathOutside(homedir(), process.env.PATH ?? "");
  process.env.HOME = home;
  delete process.env.NODE_EXTRA_CA_CERTS;
  for (const name of Object.keys(process.env))
    if (/^XDG_(?:CONFIG|STATE|CACHE|DATA)_HOME$/.test(name)) delete process.env[name];
  return () => rmSync(home, { recursive: true, force: true, maxRetries: 10 });
}
