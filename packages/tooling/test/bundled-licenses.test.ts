import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { bundledLicenses, LICENSES_FILE } from "../src/bundled-licenses.js";

/** Builds a program of these files, and returns its licenses. */
async function licensesOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "turnkit-licenses-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  await build({
    ...{ absWorkingDir: folder, entryPoints: ["main.js"], outdir: "dist", bundle: true, format: "esm" },
    // As tsup does, which writes the files of the program itself.
    ...{ write: false, logLevel: "silent", plugins: [bundledLicenses] },
  });
  return readFileSync(join(folder, "dist", LICENSES_FILE), "utf8");
}

const installed = (name: string, license: Readonly<Record<string, string>>) => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({ name, version: "1.2.3", main: "index.js" }),
  [`node_modules/${name}/index.js`]: `export const value = ${JSON.stringify(name)}; export const other = 2;`,
  ...Object.fromEntries(Object.entries(license).map(([file, text]) => [`node_modules/${name}/${file}`, text])),
});

test("a program is built with the license of each package that it contains, and of no other", async () => {
  const licenses = await licensesOf({
    "main.js": `import { value } from "@scope/one"; import { other } from "two"; import "./own.js"; console.log(value);`,
    "own.js": "console.log(1);",
    ...installed("@scope/one", { LICENSE: "Copyright One", "NOTICE.txt": "Notice One", "licenses/old.txt": "Old" }),
    ...installed("two", { "license.md": "Copyright Two" }),
  });
  expect(licenses).toBe("@scope/one 1.2.3\n\nCopyright One\n\nNotice One\n");
});

test("a program with a package without a license file is not built", async () => {
  const files = { "main.js": `import { value } from "three"; console.log(value);`, ...installed("three", {}) };
  await expect(licensesOf(files)).rejects.toThrow("three 1.2.3");
});
