/**
 * Function that runs work. The number of functions that run at the same time is limited. Further ones wait in their
 * order.
 */
export type Gate = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Creates a gate that runs at most `most` functions at the same time. */
export function createGate(most: number): Gate {
  let open = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (open >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    open += 1;
    try {
      return await work();
    } finally {
      open -= 1;
      waiting.shift()?.();
    }
  };
}
