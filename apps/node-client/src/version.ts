import { createRequire } from "node:module";

/** Version of this program. The path of `package.json` is the same from `src` and from `dist`. */
export const { version } = createRequire(import.meta.url)("../package.json") as { readonly version: string };
