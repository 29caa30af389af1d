/**
 * Whether an absolute path lies in one of the roots, by its text alone: `..` is taken away, names that only begin like a
 * root do not count, and Windows paths are compared without regard to case. Links are not followed: `isInsideRoots` of
 * `./node` follows them.
 */
export function liesInside(path: string, roots: readonly string[]): boolean {
  const place = segmentsOf(path);
  if (place === undefined) return false;
  return roots.some((root) => {
    const start = segmentsOf(root);
    return start?.every((segment, index) => place[index] === segment) === true;
  });
}

/** A drive or a server comes first; a path of another system never begins like it. */
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
