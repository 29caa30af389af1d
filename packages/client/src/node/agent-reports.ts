import type { Diagnostic } from "@turnkit/transport";
import { redactText } from "@turnkit/transport/trace";

/** Beginning of the lines that turnkit prints for mistakes in a program. */
const BEGINNING = "turnkit: ";

const OTHER = "The agent prints on stderr. Pass onStderr to read it, or onStderr: () => {} to ignore it.";

/** Maximum number of lines that are reported, and of characters of a line. */
const MAX_REPORTS = 20;
const MAX_LINE = 500;

/**
 * Returns a reader of an agent's stderr, for a client without `onStderr`. It reports the lines in which an agent built
 * with turnkit names its own mistakes, because nobody else reads them. About other lines, it reports only that they
 * exist.
 */
export function agentReports(report: (diagnostic: Diagnostic) => void): (text: string) => void {
  let rest = "";
  let hasOther = false;
  let reported = 0;
  return (text) => {
    if (reported === MAX_REPORTS) return;
    const lines = (rest + text).split("\n");
    rest = (lines.pop() ?? "").slice(0, MAX_LINE);
    for (const line of lines) {
      // Indented lines are the stacks of reports.
      if (!line.startsWith(BEGINNING) && /^\S/.test(line) && !hasOther) {
        hasOther = true;
        report({ code: "agent_stderr", message: OTHER });
      }
      if (!line.startsWith(BEGINNING) || reported === MAX_REPORTS) continue;
      reported += 1;
      const said = redactText(line.slice(BEGINNING.length, MAX_LINE)).trimEnd();
      report({ code: "agent_report", message: `The agent says on stderr: ${said}` });
    }
  };
}
