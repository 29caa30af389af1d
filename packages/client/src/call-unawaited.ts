/** Calls a function whose result nobody awaits. `failed` gets what it throws, also later. Never throws. */
export function callUnawaited(call: () => unknown, failed: (error: unknown) => void): void {
  try {
    const outcome = call();
    if (typeof outcome === "object" && outcome !== null) Promise.resolve(outcome).catch(failed);
  } catch (error) {
    failed(error);
  }
}
