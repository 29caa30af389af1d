// Taken at import: a fake clock of a test cannot stop the waits of this package.
const { setTimeout: later, clearTimeout: forget } = globalThis;
// `setImmediate` is much faster than a timer. Not every runtime has it.
const soon = (globalThis as { setImmediate?: (call: () => void) => unknown }).setImmediate;

/** Default time after which a wait fails, in milliseconds. */
export const usualPatienceMs = 2_000;

/** Calls back once after `ms`. Returns a function that cancels the call. */
export function afterPatience(ms: number, call: () => void): () => void {
  if (!Number.isFinite(ms)) return () => {};
  const timer = later(call, ms);
  return () => forget(timer);
}

/** Calls back in a later turn of the event loop, even under a fake clock. */
export function nextTurn(call: () => void): void {
  if (soon !== undefined) soon(call);
  else later(call, 0);
}
