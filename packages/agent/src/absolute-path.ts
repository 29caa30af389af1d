/**
 * Returns true for an absolute path of POSIX, or of Windows with a drive or a share. The client may run on another system
 * than the agent. A path with a NUL is absolute on no system.
 */
export function isAbsolute(path: string): boolean {
  return /^(?:\/|\\\\|[A-Za-z]:[\\/])[^\0]*$/.test(path);
}

/** Returns a path in the form for comparisons. Programs write drive letters and slashes differently. */
export function folderOf(path: string): string {
  // A regular expression with `+$` would start a match at each slash of a long sequence.
  let end = path.length;
  while (end > 1 && /[\\/]/.test(path.charAt(end - 1))) end -= 1;
  const folder = path.slice(0, end);
  if (!/^[a-z]:/i.test(folder)) return folder;
  return folder.charAt(0).toUpperCase() + folder.slice(1).replaceAll("/", "\\");
}
