import type { Diagnostic } from "@turnkit/transport";

/**
 * Codes that are not shown. Agents of version 2 have their own files and terminals, so unused offers are normal. Late
 * updates of a closed session, and a log on the stderr of an agent, are normal too.
 */
const untold: ReadonlySet<Diagnostic["code"]> = new Set(["unused_option", "late_update", "agent_stderr"]);

/**
 * Creates a listener that shows only the first diagnostic of each kind, because thousands of them would hide the
 * conversation.
 */
export function firstOfEachKind(tell: (message: string) => void) {
  const told = new Set<string>();
  return ({ code, message }: Diagnostic) => {
    if (untold.has(code)) return;
    if (!told.has(code)) tell(message);
    told.add(code);
  };
}
