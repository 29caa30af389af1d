/** Words with which a package runner begins. The words after them are options and the package. */
const RUNNERS: readonly (readonly string[])[] = [
  ...[["npx"], ["pnpx"], ["bunx"], ["uvx"]],
  ...[
    ["pnpm", "dlx"],
    ["yarn", "dlx"],
    ["bun", "x"],
    ["uv", "tool", "run"],
    ["pipx", "run"],
  ],
];

/** Options of package runners that change neither the package nor its source. */
const HARMLESS = /^(?:-y|--yes|-q|--quiet|-s|--silent|--prefer-online|--prefer-offline|--offline|--isolated)$/;

/** Name of a package in a registry, with an optional version or tag. */
const NPM_PACKAGE = /^(?:@[a-z\d~][\w.~-]*\/)?[a-z\d~][\w.~-]*(?:@[\w.^~+*-]+)?$/i;
const PYTHON_PACKAGE = /^[a-z\d][\w.-]*(?:\[[\w,.-]+\])?(?:@[\w.+-]+|(?:[=~!<>]=|[<>])[\w.*+-]+)?$/i;
const ARCHIVE = /\.(?:tgz|tar|tar\.\w+|zip|whl)$/i;

/** Arguments that choose another program or another source, wherever they stand. */
const CHOOSING =
  /^(?:-c|--call|--package|--shell|--script-shell|--prefix|--with.*|--editable)(?:=|$)|(?:file|link|portal|workspace|git\+\w+|git|ssh):/i;

/**
 * Returns `true` for a command that only starts a package of a registry by its name, such as `npx -y some-server@1
 * --port 80`. All other commands, such as shells, interpreters and runners with other options, return `false`.
 */
export function isPlainRunner(command: string, args: readonly string[]): boolean {
  const name = command
    .replace(/^.*[\\/]/, "")
    .replace(/\.(?:exe|cmd)$/i, "")
    .toLowerCase();
  const runner = RUNNERS.find(
    ([program, ...words]) => program === name && words.every((word, at) => args[at] === word),
  );
  if (runner === undefined) return false;
  const isPython = /^(?:uvx|uv|pipx)$/.test(name);
  const isPackage = (word: string | undefined) =>
    word !== undefined && (isPython ? PYTHON_PACKAGE : NPM_PACKAGE).test(word) && !ARCHIVE.test(word);
  const rest = args.slice(runner.length - 1);
  if (rest.some((word) => CHOOSING.test(word))) return false;
  let at = 0;
  while (at < rest.length) {
    const [option = "", value] = (rest[at] ?? "").split(/=(.*)/s);
    if (isPython && option === "--from") {
      if (!isPackage(value ?? rest[at + 1])) return false;
      at += value === undefined ? 2 : 1;
    } else if (HARMLESS.test(rest[at] ?? "")) at += 1;
    else break;
  }
  return isPackage(rest[at]);
}
