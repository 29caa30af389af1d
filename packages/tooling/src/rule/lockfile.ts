/** Lines of a lockfile that name a host: such a lockfile works only where that host answers. */
export function lockfileViolations(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line, index) => `pnpm-lock.yaml:${index + 1} names a host: ${line.trim()}`)
    .filter((line) => /https?:\/\/|tarball:|\bregistry\b.*\./.test(line));
}
