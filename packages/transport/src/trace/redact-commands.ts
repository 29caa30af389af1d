import { type End, type Form, until } from "./redact-scan.js";

const login = until(/[^\s"'`]{1,4096}/y);
const quotedLogin = until(/[^\n"'`]{1,4096}/y);

/** Returns the end of a login. The login may be in quotes. */
const value: End = (scan, from, match) =>
  (/["']/.test(scan.text.charAt(from - 1)) ? quotedLogin : login)(scan, from, match);

/**
 * Returns the form of a flag with a password, after a program that has this flag. In other programs, the same flag has
 * another meaning.
 */
const flag = (find: RegExp, program: RegExp, reach = 300): Form => ({
  find,
  keep: "match",
  end: (scan, from, match) => (scan.isBehind(program, match.index, reach) ? value(scan, from, match) : -from),
});

const fetchers = /(?:curl|wget|https?|xh)(?=[\s.])/g;

/** Form of a text that `echo` passes to a program which reads a password. */
const piped = /["']?[ \t]{0,4}\|[ \t]{0,4}(?:sudo -S|[^\n|]{1,80}(?:--password-stdin|--with-token|--passphrase-fd 0))/y;

const echoed: End = (scan, from) => {
  const bar = scan.next("|", from);
  const line = scan.next("\n", from);
  if (bar > line || bar - from > 300) return -from;
  let end = bar;
  while (end > from && /[ \t"']/.test(scan.text.charAt(end - 1))) end--;
  piped.lastIndex = end;
  return end > from && piped.test(scan.text) ? end : -from;
};

export const commands: readonly Form[] = [
  flag(
    /(?:(?<![\w-])-[ua] ?|--(?:proxy-)?user[ =])\\{0,15}["']?[^\s"'`:$\\-][^\s"'`:]{0,100}:(?=[^\s"'`$])/g,
    fetchers,
  ),
  flag(/(?:(?<![\w-])-b ?|--cookie[ =])\\{0,15}["']?(?=[\w.-]{1,80}=)/g, /curl(?=[\s.])/g),
  flag(/(?<![\w-])-p["']?(?=[^\s"'`$=-])/g, /(?:mysql|mysqldump|mysqladmin|mariadb)\b/g, 100),
  flag(
    /(?<![\w-])-[paw][ =]?["']?(?=[^\s"'`$=-])/g,
    /(?:sshpass|(?:docker|podman|az|nerdctl|oc|registry|acr) login|redis-cli|ldap(?:search|add|modify|delete|whoami))\b/g,
    200,
  ),
  flag(/(?<![\w-])-U ?["']?[^\s"'%]{1,100}%(?=[^\s"'%])/g, /(?:smbclient|rpcclient|mount)\b/g),
  flag(/\/user:[^\s"']{1,100} (?=[^\s/])/gi, /net use\b/gi),
  {
    find: /htpasswd (?:-\w{1,8} ){0,3}-\w{0,8}b\w{0,8} (?:-\w{1,8} ){0,3}[^\s-]\S{0,100} \S{1,100} (?=\S)/g,
    isWord: true,
    keep: "match",
    end: value,
  },
  { find: /(?:vault|doctl auth|gh auth|flyctl auth) login (?=[^\s-]{8})/g, isWord: true, keep: "match", end: login },
  { find: /(?:echo|printf) (?:-\w )?["']?(?=[^\s"'|$])/g, isWord: true, keep: "match", end: echoed },
];

/** Forms of commands that few texts contain. */
export const rareCommands: readonly Form[] = [
  flag(/(?<![\w-])-p ?["']?(?=[^\s"'`$=-])/g, /(?:mongo(?:sh|dump|restore|export|import)?|7z[ar]?)(?=\s)/g, 200),
  flag(/(?<![\w-])-P ?["']?(?=[^\s"'`$=-])/g, /(?:\bzip|unzip|sqlcmd|\bbcp)(?=\s)/g, 200),
  flag(/(?<![\w-])-[kK] ["']?(?=[^\s"'`$=-])/g, /openssl (?:enc|smime|cms)\b/g, 200),
  {
    find: /(?:rclone obscure|http-basic\.\S{1,100} \S{1,100}) ["']?(?=[^\s-]{4})/g,
    isWord: true,
    keep: "match",
    end: value,
  },
];
