import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Plugin } from "esbuild";

/** Name of the file with the licenses, in the folder of the program. */
export const LICENSES_FILE = "LICENSES-OF-BUNDLED-PACKAGES.txt";

/**
 * Writes the license of every package that a program contains into the folder of the program, because these licenses ask
 * for it. The build fails for a package without a license file.
 */
export const bundledLicenses: Plugin = {
  name: "bundled-licenses",
  setup(build) {
    const { initialOptions } = build;
    initialOptions.metafile = true;
    build.onEnd(({ metafile, errors }) => {
      if (metafile === undefined || errors.length > 0) return;
      const { absWorkingDir = process.cwd(), outdir = "dist" } = initialOptions;
      // `inputs` also lists files of which nothing is left in the program.
      const used = Object.values(metafile.outputs).flatMap(({ inputs }) =>
        Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
      );
      const folders = new Set(used.flatMap((file) => packageFolder(resolve(absWorkingDir, file)) ?? []));
      const sections = [...folders].map(sectionOf).toSorted();
      // tsup writes the program after this.
      mkdirSync(resolve(absWorkingDir, outdir), { recursive: true });
      writeFileSync(resolve(absWorkingDir, outdir, LICENSES_FILE), sections.join(`\n${"-".repeat(80)}\n\n`));
    });
  },
};

/** Returns the folder of the installed package that has a file; `undefined` for a file of the workspace. */
function packageFolder(file: string): string | undefined {
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(file)?.[0];
}

/** @throws Error for a package without a license file */
function sectionOf(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /^(licen[cs]e|copying|notice)/i.test(entry.name))
    .map((entry) => readFileSync(join(folder, entry.name), "utf8").trim());
  if (files.length === 0)
    throw new Error(`${name} ${version} has no license file: ${folder}. Add one, or do not bundle the package.`);
  return `${[`${name} ${version}`, ...files].join("\n\n")}\n`;
}
