/** Settings whose value is a program, or leads to a program. The values `true` and `false` are not programs. */
const STARTING = new RegExp(
  `^(?:${[
    "core\\.(?:fsmonitor|hookspath|sshcommand|gitproxy|askpass|editor|pager|alternaterefscommand)",
    "(?:alias|pager|sequence|guitool|browser|man|instaweb|sendemail|imap)\\..*",
    "filter\\..*\\.(?:clean|smudge|process)",
    "diff\\.(?:external|.*\\.(?:command|textconv))",
    "(?:merge|mergetool|difftool|trailer)\\..*\\.(?:driver|cmd|command|path)",
    "gpg\\.(?:.*\\.)?(?:program|defaultkeycommand)",
    "credential\\.(?:.*\\.)?helper",
    "remote\\..*\\.(?:uploadpack|receivepack|vcs)",
    "uploadpack\\.packobjectshook|interactive\\.difffilter|protocol\\.(?:.*\\.)?allow",
    "submodule\\..*\\.update",
    "tar\\..*\\.command|hook\\..*\\.command|gc\\.recentobjectshook|init\\.templatedir",
    "lfs\\.(?:customtransfer|extension)\\..*",
    // The line itself can change an included file, or the condition of an include.
    "include\\.path|includeif\\..*\\.path",
  ].join("|")})$`,
  "is",
);

/** Settings that lead to another repository. If it is on this machine, Git runs its hooks. */
const LEADING = /^(?:remote\..*\.(?:push)?url|branch\..*\.(?:push)?remote|remote\.pushdefault|submodule\..*\.url)$/is;
const REWRITING = /^url\.(.*)\.(?:push)?insteadof$/is;

/** Returns `true` for a setting of a repository with which Git may start a program. */
export function startsProgram(name: string, value: string): boolean {
  return STARTING.test(name) && !/^(?:true|false)?$/i.test(value);
}

/** Returns the address of another repository to which a setting leads, or nothing. */
export function remoteOf(name: string, value: string): readonly string[] {
  return LEADING.test(name) ? [value] : (REWRITING.exec(name)?.slice(1) ?? []);
}
