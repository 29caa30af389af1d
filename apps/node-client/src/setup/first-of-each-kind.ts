import type { Diagnostic } from "@turnkit/transport";

/**
 * Codes that no person needs. An agent need not use the offered files and terminals, because agents of version 2 have
 * their own. Updates of a session that was left are usual, and so is a log on the stderr of an agent.
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
