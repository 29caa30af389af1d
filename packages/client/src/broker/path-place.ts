/**
 * Returns true if an absolute path lies in one of the roots, by its text alone.
 *
 * - `..` is resolved.
 * - Whole segments are compared.
 * - Windows paths are compared without case.
 * - Links are not followed: use `isInsideRoots` of `./node` for that.
 */
export function liesInside(path: string, roots: readonly string[]): boolean {
  const place = segmentsOf(path);
  if (place === undefined) return false;
  return roots.some((root) => {
    const start = segmentsOf(root);
    return start?.every((segment, index) => place[index] === segment) === true;
  });
}

/** Returns the drive or server, then the segments. `undefined` for a path of no known form. */
function segmentsOf(path: string): readonly string[] | undefined {
  if (path.includes("\0")) return undefined;
  if (path.startsWith("/")) return resolved("/", path.split("/"));
  const windows = path.replaceAll("/", "\\").toLowerCase();
  const [, drive, ofDrive] = /^([a-z]:)\\(.*)$/s.exec(windows) ?? [];
  // A second colon names a stream of a file, or a device.
  if (drive !== undefined) return ofDrive?.includes(":") ? undefined : resolved(drive, (ofDrive ?? "").split("\\"));
  const [, share, ofShare] = /^(\\\\[^\\?.:][^\\:]*\\[^\\:]+)(?:\\([^:]*))?$/s.exec(windows) ?? [];
  return share === undefined ? undefined : resolved(share, (ofShare ?? "").split("\\"));
}

function resolved(start: string, segments: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (const segment of segments) {
    if (segment === "..") kept.pop();
    else if (segment !== "" && segment !== ".") kept.push(segment);
  }
  return [start, ...kept];
}
