type Runtime = { readonly process?: { readonly nextTick?: (act: () => void) => void } };

const nextTick = (globalThis as Runtime).process?.nextTick;

/**
 * Calls a function at the end of the present turn of the event loop, before the runtime waits for input. In a runtime
 * without `process.nextTick`, the turn ends with the present microtask.
 */
export const atTurnEnd: (act: () => void) => void =
  // A tick that is scheduled by a microtask runs after all microtasks.
  nextTick === undefined ? queueMicrotask : (act) => queueMicrotask(() => nextTick(act));
