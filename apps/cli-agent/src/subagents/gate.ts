/** Runs work, but no more than a number of works at the same time. Further works wait in their order. */
export type Gate = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Creates a gate for `most` works at the same time. */
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
