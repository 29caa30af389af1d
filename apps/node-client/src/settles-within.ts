/** Whether something has happened by then, whatever came of it. */
export async function settlesWithin(event: Promise<unknown>, ms: number): Promise<boolean> {
  const settled = event.then(
    () => true,
    () => true,
  );
  return Promise.race([settled, delay(ms).then(() => false)]);
}

/** A pause, in milliseconds. */
export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
