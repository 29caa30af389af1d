/**
 * Patterns of messages that programs write at a limit of the sandbox, each with a sentence about this limit. The
 * patterns have no repetitions.
 */
const LINUX: readonly (readonly [pattern: RegExp, sentence: string])[] = [
  [
    /Temporary failure in name resolution|Could not resolve host|EAI_AGAIN|ENETUNREACH|Network is unreachable|Name or service not known|Temporary failure resolving|network is unreachable|dial tcp: lookup|No address associated with hostname|getaddrinfo ENOTFOUND|nodename nor servname/i,
    "The command may need the network, which the sandbox does not have.",
  ],
  [
    /Read-only file system|EROFS/i,
    "The sandbox forbids writing outside of the session's folders, and writing protected files such as .git, node_modules and settings of tools.",
  ],
  [
    /Device or resource busy|EBUSY|Invalid cross-device link|EXDEV/i,
    "The sandbox forbids renaming or removing protected files and the folders that hold them.",
  ],
  [
    /Cannot connect to the Docker daemon|failed to connect to the docker API|Could not open a connection to your authentication agent|cannot open display|Failed to connect to bus/i,
    "The sandbox does not reach other programs of this machine.",
  ],
  [
    /Permission denied|EACCES|Operation not permitted|EPERM/i,
    "The command may need a file of secrets or a special right, which the sandbox denies.",
  ],
];

/** Number of characters at the end of an output that are searched. */
const MAX_OUTPUT = 32 * 1024;

/** Returns a sentence about the limit of bubblewrap that caused the failure of a command, according to its output. */
export function explainLinux(output: string): string | undefined {
  const end = output.slice(-MAX_OUTPUT);
  return LINUX.find(([pattern]) => pattern.test(end))?.[1];
}

/** Returns a sentence about tools that a command did not find, because they are not visible yet. */
export function explainUnseen(output: string, unseen: readonly string[]): string | undefined {
  if (unseen.length === 0 || !/not found|No such file|ENOENT/i.test(output.slice(-MAX_OUTPUT))) return undefined;
  return `The command did not see ${unseen.join(", ")}: the search for secrets still runs there. Try it again later.`;
}

/** Git commands that write into the folder `.git`, wherever they are in a command line. */
const GIT_WRITES =
  /\bgit\b[^|;&]*\s(?:add|am|apply|branch|checkout|cherry-pick|clone|commit|config|fetch|gc|init|merge|mv|pull|push|rebase|reset|restore|revert|rm|stash|submodule|switch|tag|worktree)(?:\s|$)/;

/** Returns a sentence about a failed command line with a Git command that writes. Git does not always say what failed. */
export function explainGit(line: string): string | undefined {
  return GIT_WRITES.test(line)
    ? "The sandbox forbids writing to .git, which this Git command may need. It then needs `outside_sandbox`."
    : undefined;
}
