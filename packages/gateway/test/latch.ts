/** Promise that a test opens. Handlers wait for it. */
export type Latch = { readonly opened: Promise<void>; open(): void };

export function createLatch(): Latch {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/** Handler of a prompt that runs until it is cancelled. */
export const untilCancelled = async ({ signal }: { readonly signal: AbortSignal }): Promise<void> => {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
};
