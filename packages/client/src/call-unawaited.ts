/**
 * Calls a function whose result nobody awaits. `failed` gets its exception, or the reason with which its promise
 * rejects. Never throws.
 */
export function callUnawaited(call: () => unknown, failed: (error: unknown) => void): void {
  try {
    const outcome = call();
    if (typeof outcome === "object" && outcome !== null) Promise.resolve(outcome).catch(failed);
  } catch (error) {
    failed(error);
  }
}
