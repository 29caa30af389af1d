import { pageOn } from "../render/page.js";
import type { View } from "../view.js";

/** Stream for messages of this program. */
export type RemarkOptions = { readonly stderr: NodeJS.WriteStream; readonly env: NodeJS.ProcessEnv };

/** Shows notes and failures on stderr, for views whose stdout holds a document. */
export function createRemarks({ stderr, env }: RemarkOptions): Pick<View, "note" | "failure"> {
  const page = pageOn(stderr, env);
  return {
    note: (text) => page.line(["yellow", `turnkit: ${text}`]),
    failure(error) {
      const [first = "", ...rest] = (error instanceof Error ? error.message : String(error)).split("\n");
      page.line(["red", `turnkit: ${first}`]);
      if (rest.length > 0) page.block(rest.join("\n"), { limit: 40 });
    },
  };
}
