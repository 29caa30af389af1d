import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readPages } from "./rule/links.js";
import { packedPages } from "./rule/packed-pages.js";
import { root } from "./workspace.js";

// Run before the package of the current folder is packed. Copies the pages that its README names into `dist`.

rmSync("dist/docs", { recursive: true, force: true });
for (const { path, text } of packedPages(readFileSync("README.md", "utf8"), readPages(root, "docs"))) {
  const file = join("dist", path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
