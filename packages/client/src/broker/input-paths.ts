/** Words that end the name of a member with a path, such as `file_path`, `oldPath` and `directory`. */
const naming = /(?:^|[a-z_-])(?:paths?|files?|filename|folders?|dirs?|directory|directories|uris?|destination|cwd)$/i;

/** Maximum length of a path. A longer text is not a path of a system. */
const maxLength = 4_096;

/**
 * Returns the absolute paths that members of an input name. An agent can show other locations than its tool uses. A
 * relative path starts at `cwd`. The caller has checked the size of the input.
 */
export function pathsInInput(input: unknown, cwd: string): readonly string[] {
  const found: string[] = [];
  const visit = (value: unknown, isNamed: boolean): void => {
    if (typeof value === "string") {
      const path = isNamed ? pathOf(value, cwd) : undefined;
      if (path !== undefined) found.push(path);
    } else if (Array.isArray(value)) {
      for (const item of value) visit(item, isNamed);
    } else if (typeof value === "object" && value !== null) {
      for (const [name, member] of Object.entries(value)) visit(member, naming.test(name));
    }
  };
  visit(input, false);
  return found;
}

function pathOf(text: string, cwd: string): string | undefined {
  if (text === "" || text.length > maxLength || text.includes("\n")) return undefined;
  if (/^file:/i.test(text)) return fileOf(text);
  // Only a URL with the scheme `file:` names a file. A drive has one letter.
  if (/^[a-z][a-z\d+.-]+:\/\//i.test(text)) return undefined;
  return absolutePath(text, cwd);
}

/** Returns a path that starts at `cwd` unless it is absolute. */
export function absolutePath(path: string, cwd: string): string {
  if (/^(?:[\\/]|[a-z]:[\\/])/i.test(path)) return path;
  return path === "." ? cwd : `${cwd}/${path}`;
}

/**
 * Returns the path of a URL. A URL that cannot be read is returned unchanged. Such a text is never a path inside the
 * roots.
 */
function fileOf(url: string): string {
  try {
    return decodeURIComponent(new URL(url).pathname);
  } catch {
    return url;
  }
}
