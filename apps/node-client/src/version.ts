import { readFileSync } from "node:fs";

/** Version of this program. The path of `package.json` is the same from `src` and from `dist`. */
export const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  readonly version: string;
};
