import type { Diagnostic } from "@turnkit/transport";

/** Time after which a request without an answer is reported, in milliseconds. */
const SILENT_MS = 10_000;

/** Awaits the answer to a request, and reports a request without an answer once. The request continues. */
export async function reportSilence<T>(
  answer: Promise<T>,
  {
    method,
    report,
    checks,
  }: { readonly method: string; readonly report: (diagnostic: Diagnostic) => void; readonly checks?: string },
): Promise<T> {
  const silence = setTimeout(() => {
    const message = `The agent has not answered ${method} for 10 s. ${checks ?? "It is busy, or its handler hangs."}`;
    report({ code: "unanswered", method, message });
  }, SILENT_MS);
  try {
    return await answer;
  } finally {
    clearTimeout(silence);
  }
}
