/**
 * Returns true for an absolute path of POSIX, or of Windows with a drive or a share. The client may run on another system
 * than the agent. A path with a NUL is absolute on no system.
 */
export function isAbsolute(path: string): boolean {
  return /^(?:\/|\\\\|[A-Za-z]:[\\/])[^\0]*$/.test(path);
}
