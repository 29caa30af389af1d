import { isSteeringVariable } from "./steering-variables.js";

/** Names of variables that hold data for any value. */
const dataNames = /* @__PURE__ */ new RegExp(
  `^(?:${[
    "KEY|TOKEN|SECRET|PASSWORD|MODEL|MODE|DEBUG|VERBOSE|CI|PORT",
    "\\w+_(?:KEY|TOKEN|SECRET|PASSWORD|PASS|USER|USERNAME|EMAIL|ID|REGION|MODEL|MODE|LOGIN|PORT|TIMEOUT|LIMIT|FORMAT)",
  ].join("|")})$`,
  "i",
);

/** Names of variables that hold data if the value is a plain word. */
const wordNames =
  /^(?:TERM|COLORTERM|LANG|LANGUAGE|LC_\w+|TZ|COLUMNS|LINES|(?:NO|FORCE)_COLOR|CLICOLOR(?:_FORCE)?|NODE_ENV|(?:\w+_)?LOG_LEVEL|RUST_BACKTRACE)$/i;

/** Numbers, and words for yes and no. */
const switches = /^(?:\d{1,20}|true|false|yes|no|on|off)?$/i;

/**
 * Returns `true` for a variable that certainly holds only data, and `false` for all others. Three kinds of variables
 * hold only data:
 *
 * - names such as `API_KEY`, `LOGIN_TOKEN` and `MODEL`, with any value
 * - names such as `TERM`, `LANG` and `LOG_LEVEL`, with a plain word as value
 * - names that {@link isSteeringVariable} does not find, with a number or a word such as `true` as value
 */
export function isDataVariable(name: string, value: string): boolean {
  if (wordNames.test(name) && /^\w[\w.+@-]*(?:\/\w[\w+-]*)?$|^$/.test(value)) return true;
  return !isSteeringVariable(name) && (dataNames.test(name) || switches.test(value));
}
