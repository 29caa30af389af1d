import { realpath } from "node:fs/promises";
import { type PathRules, pathRules } from "@turnkit/session/paths";
import { type Sandbox, SandboxError } from "./sandbox.js";

/** Program of macOS that runs a command with a profile. */
export const SANDBOX_EXEC = "/usr/bin/sandbox-exec";

/**
 * Creates the sandbox of a session with `sandbox-exec` of macOS. It was never run. Only the text of the profile is
 * tested.
 */
export function createSeatbelt({ roots, paths }: Omit<ProfileOptions, "network">): Sandbox {
  return {
    async wrap({ argv, network }) {
      const real = await Promise.all(
        roots.map((root) =>
          realpath(root).catch(() => {
            throw new SandboxError(`${root} is not on this machine`);
          }),
        ),
      );
      return {
        argv: [SANDBOX_EXEC, "-p", seatbeltProfile({ roots: real, network, paths }), "--", ...argv],
        // The profile also covers files that do not exist yet, so no file has to be moved.
        finish: async () => [],
      };
    },
    explain: (stderr) =>
      /Operation not permitted|EPERM/i.test(stderr.slice(-32 * 1024))
        ? "The sandbox forbids the network, files of secrets, and writing outside of the session's folders or to protected files."
        : undefined,
  };
}

type ProfileOptions = {
  readonly roots: readonly string[];
  readonly network: boolean;
  readonly paths: Partial<PathRules>;
};

/** Returns a profile for Seatbelt. In a profile, the last matching rule counts. */
export function seatbeltProfile({ roots, network, paths }: ProfileOptions): string {
  const guarded = [...pathRules.protected, ...(paths.protected ?? [])];
  const secret = [...pathRules.secret, ...(paths.secret ?? [])];
  const writable = [
    ...roots.map((root) => `(subpath ${text(root)})`),
    '(subpath "/private/tmp")',
    '(subpath "/private/var/folders")',
  ];
  return [
    "(version 1)",
    "(deny default)",
    "(allow process-exec process-fork)",
    "(allow signal process-info* (target same-sandbox))",
    "(allow sysctl-read file-read* file-ioctl pseudo-tty ipc-posix-sem)",
    `(allow mach-lookup ${MACH_SERVICES.map((name) => `(global-name ${text(name)})`).join(" ")})`,
    `(allow file-write* ${writable.join(" ")} ${DEVICES.map((path) => `(literal ${text(path)})`).join(" ")})`,
    ...(network ? ["(allow network* system-socket)", "(allow mach-lookup)"] : []),
    ...guarded.map((pattern) =>
      pattern.startsWith("!")
        ? `(allow file-write* (require-all ${matching(pattern.slice(1))} (require-any ${writable.join(" ")})))`
        : `(deny file-write* ${matching(pattern)})`,
    ),
    // Exceptions, such as public keys beside private keys, can be read but not written.
    ...secret.map((pattern) =>
      pattern.startsWith("!")
        ? `(allow file-read* ${matching(pattern.slice(1))})`
        : `(deny file-read* file-write* ${matching(pattern)})`,
    ),
    // Otherwise, a command could move the folder above a protected path away.
    ...roots.map((root) => `(deny file-write-unlink (literal ${text(root)}))`),
  ].join("\n");
}

const MACH_SERVICES = [
  "com.apple.system.opendirectoryd.libinfo",
  "com.apple.system.notification_center",
  "com.apple.system.logger",
  "com.apple.trustd.agent",
  "com.apple.SystemConfiguration.configd",
];

const DEVICES = ["/dev/null", "/dev/zero", "/dev/tty", "/dev/stdout", "/dev/stderr", "/dev/dtracehelper"];

const matching = (pattern: string): string => `(regex #"${regexOf(pattern)}")`;

/**
 * Converts a pattern for paths to a regular expression. Upper and lower case are equal, because file systems of macOS
 * ignore the case.
 */
export function regexOf(pattern: string): string {
  const isFolder = pattern.endsWith("/**");
  const bare = (isFolder ? pattern.slice(0, -3) : pattern).replace(/^\//, "");
  const body = [...bare].map(characterOf).join("");
  return `^${pattern.startsWith("/") ? "/(private/)?" : "/(.*/)?"}${body}${isFolder ? "(/.*)?" : ""}$`;
}

function characterOf(character: string): string {
  if (character === "*") return "[^/]*";
  if (character === '"') return "[^/]";
  if (/[a-z]/i.test(character)) return `[${character.toLowerCase()}${character.toUpperCase()}]`;
  return /[\w/ ~@-]/.test(character)
    ? character
    : `[${character === "^" || character === "]" ? `\\${character}` : character}]`;
}

/** Returns a string literal in the language of profiles. */
function text(value: string): string {
  if (/[\0\n\r]/.test(value)) throw new SandboxError("a folder of the session has a line break in its name");
  return `"${value.replace(/[\\"]/g, "\\$&")}"`;
}
