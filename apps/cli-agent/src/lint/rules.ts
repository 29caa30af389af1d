import { extname } from "node:path";

/** The files that oxlint understands as they are. */
export const LINTABLE = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"] as const;

/** Whether the reviewer has rules for a file of this name. */
export function isLintable(path: string): boolean {
  return (LINTABLE as readonly string[]).includes(extname(path).toLowerCase());
}

/**
 * The reviewer's own configuration for one file: what is wrong or looks wrong, without matters of taste. The project's
 * configuration is not read, so a file gets the same answer wherever it lies.
 */
export function lintConfig(path: string): object {
  const jsx = /x$/i.test(extname(path));
  return {
    plugins: ["eslint", "typescript", "unicorn", "oxc", ...(jsx ? ["react"] : [])],
    categories: { correctness: "error", suspicious: "warn", perf: "warn" },
    rules: {
      "array-callback-return": "error",
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-fallthrough": "warn",
      "no-self-compare": "error",
      // Taste, or wrong more often than right when only one file is known.
      "no-new": "off",
      "no-underscore-dangle": "off",
      "unicorn/consistent-function-scoping": "off",
      "unicorn/no-array-sort": "off",
      "unicorn/no-array-reverse": "off",
      ...(jsx ? { "react/react-in-jsx-scope": "off", "react/capitalized-calls": "off" } : {}),
    },
  };
}
