import { existsSync } from "node:fs";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { ProjectLint } from "./project-lint.js";

type Rules = Readonly<Record<string, unknown>>;

/** Rules about code that works but could be better. Their findings are warnings, which come after the errors. */
const UNTIDY = (
  "no-debugger no-control-regex no-empty-pattern no-empty-static-block no-extra-boolean-cast no-unused-labels " +
  "no-unused-private-class-members no-unused-vars no-useless-catch no-useless-escape no-useless-rename " +
  "oxc/only-used-in-recursion typescript/no-this-alias typescript/no-unnecessary-parameter-property-assignment " +
  "typescript/no-useless-empty-export typescript/no-wrapper-object-types typescript/prefer-as-const " +
  "typescript/prefer-namespace-keyword typescript/triple-slash-reference unicorn/no-empty-file unicorn/no-new-array " +
  "unicorn/no-unnecessary-await unicorn/no-useless-fallback-in-spread unicorn/no-useless-length-check " +
  "unicorn/no-useless-spread unicorn/prefer-set-size unicorn/prefer-string-starts-ends-with"
).split(" ");

/** Rules of other categories about certain errors and probable errors. */
const BREAKING = ["array-callback-return", "no-self-compare", "promise/no-multiple-resolved", "node/no-exports-assign"];
const DOUBTFUL = (
  "no-fallthrough no-implied-eval no-unexpected-multiline no-unmodified-loop-condition oxc/approx-constant " +
  "oxc/misrefactored-assign-op oxc/no-async-endpoint-handlers unicorn/no-accessor-recursion " +
  "unicorn/require-post-message-target-origin"
).split(" ");

/** Rules of this program, which oxlint loads as a plugin. */
const OWN_BREAKING = (
  "async-for-each dynamic-code index-as-condition loop-past-end lost-update request-path secret-in-code shared-fill shell-injection " +
  "sql-injection tls-off weak-random"
).split(" ");
const OWN_DOUBTFUL =
  "check-then-act html-injection stateful-reg-exp unawaited-call unclosed-resource unstopped-interval".split(" ");

/**
 * Returns oxlint's configuration for one file. It has rules for errors and probable errors, and none for style. The rules
 * of a trusted project are added, and have priority.
 */
export function lintConfig(path: string, project: ProjectLint | undefined): object {
  const jsx = /x$/i.test(extname(path));
  const levels = (names: readonly string[], level: "error" | "warn", prefix = "") =>
    Object.fromEntries(names.map((name) => [prefix + name, level]));
  const own: Rules = {
    ...levels(UNTIDY, "warn"),
    ...levels(BREAKING, "error"),
    ...levels(DOUBTFUL, "warn"),
    ...levels(OWN_BREAKING, "error", "turnkit/"),
    ...levels(OWN_DOUBTFUL, "warn", "turnkit/"),
    "promise/catch-or-return": ["warn", { allowThen: true }],
    eqeqeq: ["warn", "always", { null: "ignore" }],
  };
  const plugins = ["eslint", "typescript", "unicorn", "oxc", "promise", "node", ...(jsx ? ["react"] : [])];
  return {
    jsPlugins: [rulesFile()],
    plugins: [...new Set([...plugins, ...(project?.plugins ?? [])])],
    categories: { correctness: "error", ...project?.categories },
    rules: { ...own, ...project?.rules },
    ...(project && { env: project.env, globals: project.globals }),
  };
}

/**
 * Returns the path of the plugin with the rules of this program. Built and tested programs are in other folders than
 * this source.
 */
function rulesFile(): string {
  const places = ["../lint-rules/plugin.js", "../../lint-rules/plugin.js"].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  );
  return places.find((place) => existsSync(place)) ?? (places[0] as string);
}
