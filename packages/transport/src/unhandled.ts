import type { Diagnostic } from "./connection.js";
import { nearest } from "./near-names.js";

/** Maximum number of characters of a name in a report. */
const MAX_METHOD = 200;

/** Reports a notification without a route, if it is a custom one and this side handles other custom methods. */
export function reportUnhandledNotification(
  method: string,
  customMethods: readonly string[],
  report: (diagnostic: Diagnostic) => void,
): void {
  if (customMethods.length === 0 || !method.startsWith("_")) return;
  const near = nearest(method, customMethods);
  const hint = near === undefined ? "" : ` Do you mean ${near}?`;
  const name = method.slice(0, MAX_METHOD);
  report({
    code: "unhandled",
    method: name,
    message: `The notification ${name} was dropped: nothing handles it.${hint}`,
  });
}
