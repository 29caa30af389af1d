import { resolveRooted } from "@turnkit/transport/node";

/**
 * Whether a path leads into one of the roots when all links on its way are followed, for the `isInside` of a permission
 * broker. It looks once: links may change until the agent opens the file.
 */
export async function isInsideRoots(path: string, roots: readonly string[]): Promise<boolean> {
  try {
    await resolveRooted(path, roots);
    return true;
  } catch {
    return false;
  }
}
