// Rules of the offline reviewer that oxlint does not have. Each looks at one file, and at its syntax only.
import * as injection from "./injection.js";
import * as resources from "./resources.js";
import * as values from "./values.js";
import * as waiting from "./waiting.js";

const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const all = { ...injection, ...resources, ...values, ...waiting };

// biome-ignore lint/style/noDefaultExport: oxlint loads the default export of a plugin
export default {
  meta: { name: "turnkit" },
  rules: Object.fromEntries(Object.entries(all).map(([name, rule]) => [kebab(name), rule])),
};
