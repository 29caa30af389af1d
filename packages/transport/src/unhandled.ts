import type { ConnectionOptions, Diagnostic } from "./connection.js";
import { nearest } from "./near-names.js";

/** Maximum number of characters of a name in a report. */
export const MAX_METHOD = 200;

type Known = Pick<ConnectionOptions, "customMethods" | "notifications">;

/**
 * Reports a notification without a route in two cases:
 *
 * - it is a custom one, and this side handles other custom methods;
 * - its name is similar to that of a notification of the protocol. Other names may belong to a later version.
 */
export function reportUnhandledNotification(
  method: string,
  { customMethods = [], notifications = [] }: Known,
  report: (diagnostic: Diagnostic) => void,
): void {
  const isCustom = method.startsWith("_");
  const known = isCustom ? customMethods : notifications;
  if (known.length === 0 || known.includes(method)) return;
  const near = nearest(method, known);
  if (near === undefined && !isCustom) return;
  const hint = near === undefined ? "" : ` Do you mean ${near}?`;
  const name = method.slice(0, MAX_METHOD);
  report({
    code: "unhandled",
    method: name,
    message: `The notification ${name} was dropped: nothing handles it.${hint}`,
  });
}
