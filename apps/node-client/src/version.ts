import { createRequire } from "node:module";

/** Version of this program. The manifest lies one folder up, from `src` as from `dist`. */
export const { version } = createRequire(import.meta.url)("../package.json") as { readonly version: string };
