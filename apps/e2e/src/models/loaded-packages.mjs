// Preloaded by a test: writes the name of each package that the process loads to a file, once.
import { appendFileSync } from "node:fs";
import { register } from "node:module";

const hook = `
  import { appendFileSync } from "node:fs";
  const seen = new Set();
  export async function load(url, context, next) {
    const [, name] = /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)\\//.exec(url) ?? [];
    if (name && !seen.has(name)) {
      seen.add(name);
      appendFileSync(process.env.LOADED_PACKAGES, name + "\\n");
    }
    return next(url, context);
  }
`;

if (process.env.LOADED_PACKAGES) {
  appendFileSync(process.env.LOADED_PACKAGES, "");
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
}
