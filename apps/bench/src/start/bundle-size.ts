import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";
import type { Measure } from "../scenario.js";

/** Bundles a source for a web page. By default, the built packages are used; `conditions` may select others. */
export async function bundle(
  source: string,
  conditions: readonly string[] = [],
): Promise<{ readonly bytes: Uint8Array; readonly metafile: Metafile }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: source, resolveDir: fileURLToPath(new URL(".", import.meta.url)) },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    platform: "browser",
    conditions: [...conditions],
    logLevel: "error",
    metafile: true,
    write: false,
  });
  return { bytes: outputFiles[0]?.contents ?? new Uint8Array(), metafile };
}

/** Returns the size of a zipped bundle in kB. */
export const gzipKilobytes = (bytes: Uint8Array): number => gzipSync(bytes, { level: 9 }).length / 1000;

/** Measures the size of the bundle for a web page with only this source, in kB of gzip. */
export function measureBundle(source: string): Measure {
  return async () => ({ gzip: gzipKilobytes((await bundle(source)).bytes) });
}
