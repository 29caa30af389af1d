import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";
import type { Measure } from "../scenario.js";

/** Bundles a source as a web page would load it, out of the built packages unless `conditions` differ. */
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

/** Measures the bundle that a web page with just this source would load, in kB of gzip. */
export function measureBundle(source: string): Measure {
  return async () => ({ gzip: gzipKilobytes((await bundle(source)).bytes) });
}
