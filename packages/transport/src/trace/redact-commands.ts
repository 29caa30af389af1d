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
const flag = (one: Pick<Form, "marks" | "find" | "program" | "reach">): Form => ({ ...one, keep: "match", end: value });

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
  flag({
    marks: "-u -a",
    program: /(?:curl|wget|https?|xh)(?=[\s.])/g,
    find: /(?:(?<![\w-])-[ua] ?|--(?:proxy-)?user[ =])\\{0,15}["']?[^\s"'`:$\\-][^\s"'`:]{0,100}:(?=[^\s"'`$])/g,
  }),
  flag({
    marks: "url",
    program: /curl(?=[\s.])/g,
    find: /(?:(?<![\w-])-b ?|--cookie[ =])\\{0,15}["']?(?=[\w.-]{1,80}=)/g,
  }),
  flag({
    marks: "ysq iad",
    program: /(?:mysql|mysqldump|mysqladmin|mariadb)\b/g,
    reach: 100,
    find: /(?<![\w-])-p["']?(?=[^\s"'`$=-])/g,
  }),
  flag({
    marks: "hpa gin s-c dap",
    program:
      /(?:sshpass|(?:docker|podman|az|nerdctl|oc|registry|acr) login|redis-cli|ldap(?:search|add|modify|delete|whoami))\b/g,
    reach: 200,
    find: /(?<![\w-])-[paw][ =]?["']?(?=[^\s"'`$=-])/g,
  }),
  flag({
    marks: "mbc pcc oun",
    program: /(?:smbclient|rpcclient|mount)\b/g,
    find: /(?<![\w-])-U ?["']?[^\s"'%]{1,100}%(?=[^\s"'%])/g,
  }),
  flag({ marks: "/us", program: /net use\b/gi, find: /\/user:[^\s"']{1,100} (?=[^\s/])/gi }),
  {
    marks: "tpa",
    find: /htpasswd (?:-\w{1,8} ){0,3}-\w{0,8}b\w{0,8} (?:-\w{1,8} ){0,3}[^\s-]\S{0,100} \S{1,100} (?=\S)/g,
    isWord: true,
    keep: "match",
    end: value,
  },
  {
    marks: "gin",
    find: /(?:vault|doctl auth|gh auth|flyctl auth) login (?=[^\s-]{8})/g,
    isWord: true,
    keep: "match",
    end: login,
  },
  { marks: "cho ntf", find: /(?:echo|printf) (?:-\w )?["']?(?=[^\s"'|$])/g, isWord: true, keep: "match", end: echoed },
];

/** Forms of commands that few texts contain. */
export const rareCommands: readonly Form[] = [
  flag({
    marks: "ngo 7z",
    program: /(?:mongo(?:sh|dump|restore|export|import)?|7z[ar]?)(?=\s)/g,
    reach: 200,
    find: /(?<![\w-])-p ?["']?(?=[^\s"'`$=-])/g,
  }),
  flag({
    marks: "zip qlc bcp",
    program: /(?:\bzip|unzip|sqlcmd|\bbcp)(?=\s)/g,
    reach: 200,
    find: /(?<![\w-])-P ?["']?(?=[^\s"'`$=-])/g,
  }),
  flag({
    marks: "nss",
    program: /openssl (?:enc|smime|cms)\b/g,
    reach: 200,
    find: /(?<![\w-])-[kK] ["']?(?=[^\s"'`$=-])/g,
  }),
  {
    marks: "rcl p-b",
    find: /(?:rclone obscure|http-basic\.\S{1,100} \S{1,100}) ["']?(?=[^\s-]{4})/g,
    isWord: true,
    keep: "match",
    end: value,
  },
];
