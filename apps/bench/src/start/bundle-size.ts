import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import type { Measure } from "../scenario.js";

/** What a web page would load that has just this source, in kB of gzip. */
export function measureBundle(source: string): Measure {
  return async () => {
    const { outputFiles } = await build({
      stdin: { contents: source, resolveDir: fileURLToPath(new URL(".", import.meta.url)) },
      bundle: true,
      minify: true,
      format: "esm",
      target: "es2022",
      platform: "browser",
      write: false,
    });
    return { gzip: gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length / 1000 };
  };
}
