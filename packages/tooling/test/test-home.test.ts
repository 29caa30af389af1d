import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { pathOutside } from "../src/test-home.js";

async function createHome(...programs: readonly string[]): Promise<string> {
  const home = await realpath(await mkdtemp(join(tmpdir(), "home-")));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  for (const program of programs) {
    await mkdir(join(home, program, ".."), { recursive: true });
    await writeFile(join(home, program), "");
    await chmod(join(home, program), 0o755);
  }
  return home;
}

test("tests have an empty home folder of their own", () => {
  expect(homedir()).toContain("turnkit-test-home-");
});

test("programs of tests start without additional certificates, because reading them takes longer than the start of Node", () => {
  expect(process.env).not.toHaveProperty("NODE_EXTRA_CA_CERTS");
});

test("tools of a home folder are not on the path of tests", async () => {
  const home = await createHome("tools/git", "tools/cargo");
  const other = await createHome(..."node npm npx git python3 bwrap tmux script".split(" "));
  const path = [join(home, "tools"), other, join(home, "..")].join(delimiter);
  expect(pathOutside(home, path)).toBe([other, join(home, "..")].join(delimiter));
});

test("the only folder with a program that tests start stays on the path", async () => {
  const home = await createHome("versions/node", "tools/cargo");
  expect(pathOutside(home, [join(home, "tools"), join(home, "versions")].join(delimiter))).toBe(join(home, "versions"));
});
