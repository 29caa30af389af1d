// Taken here and not at the call, so that a test's fake clock cannot stop the patience of the same test.
const { setTimeout: later, clearTimeout: forget } = globalThis;
// Where there is one it is far quicker than a timer.
const soon = (globalThis as { setImmediate?: (call: () => void) => unknown }).setImmediate;

/** How long a wait lasts before it fails, in milliseconds, unless told otherwise. */
export const usualPatienceMs = 2_000;

/** Calls back once, unless called off before. The end of a wait that would else end with the whole test. */
export function afterPatience(ms: number, call: () => void): () => void {
  if (!Number.isFinite(ms)) return () => {};
  const timer = later(call, ms);
  return () => forget(timer);
}

/** Calls back in a later turn of the event loop, whatever the clock says. */
export function nextTurn(call: () => void): void {
  if (soon !== undefined) soon(call);
  else later(call, 0);
}
