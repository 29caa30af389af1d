import { readFileSync } from "node:fs";

/** Version of this package. The relative path is the same from `src` and from the bundle in `dist`. */
export const version: string = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
