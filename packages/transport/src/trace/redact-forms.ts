import { commands, rareCommands } from "./redact-commands.js";
import { isSecretName } from "./redact-names.js";
import { type End, type Form, skip, until } from "./redact-scan.js";
import { services, tokens } from "./redact-tokens.js";
import { isPlain, REDACTED } from "./redact-values.js";

const skipWord = skip(/[\w-]{1,4096}/y);
const word = until(/[\w-]{1,4096}/y);
const dotted = until(/[\w.~+/=-]{1,4096}/y);
const line = until(/[^\n\r"'`\\]{1,4096}/y);
const headerValue = until(/[^\s"',;\\]{1,4096}/y);
const quoted = until(/[^\n"'`\\]{1,4096}/y);

const keyText =
  /(?:\\[nr]|[\s\\]){0,16}(?:[A-Za-z0-9+/]{16}|[A-Za-z0-9+/]{1,76}(?:\\+[nr]|[\r\n])|Proc-Type:|Version:|Comment:)/y;
const endMark = /----(?: END [A-Z0-9 ]{0,40} ----|-END [A-Z0-9 ]{0,40}-----)/y;

/** Returns the end of a key that has several lines. If its last line is missing, returns the end of the text. */
const keyEnd =
  (mark: string): End =>
  (scan, from) => {
    keyText.lastIndex = from;
    const isKey = keyText.test(scan.text);
    const at = scan.next(mark, from);
    if (at === scan.text.length) return isKey ? at : -from;
    if (!isKey && at - from > 512) return -from;
    endMark.lastIndex = at;
    return endMark.test(scan.text) ? endMark.lastIndex : -from;
  };

const authority = /[^\s"'`<>/?#]{0,4096}/y;
/** Text up to the next URL. Because of the limit, characters are not examined again for each URL. */
const farther = /(?:[^\s"'`<>:]|:(?!\/\/)){1,128}/y;

const afterPassword = /^.+(?=@)/s;
/** After a number, a path of a package or of a person may follow, such as `/@scope` and `/name@1.2.3`. */
const beforeHost = /^[^?#]*[^/?#](?=@[A-Za-z[])/;

/** Schemes of databases and brokers. Their URLs have no path with `@`, so a number before a slash is a password. */
const store =
  /(?:postgres(?:ql)?|mysql|mariadb|mssql|sqlserver|mongodb|rediss?|amqps?|clickhouse|cockroachdb)(?:\+\w+)?$/i;

/** Returns `true` if a match is the start of a URL of a database, with a user instead of a host. */
function isStore(text: string, { index, 2: user = "" }: RegExpExecArray): boolean {
  return store.test(text.slice(Math.max(0, index - 24), index)) && !/^localhost$|\./i.test(user);
}

/** Returns the position of the `@` after a password in a URL. The password itself may contain `@` and slashes. */
const passwordEnd: End = (scan, from, match) => {
  const { text } = scan;
  if (scan.next("@", from) - from > 4096) return -from;
  authority.lastIndex = from;
  const near = authority.exec(text)?.[0] ?? "";
  const at = near.lastIndexOf("@");
  if (near.startsWith(REDACTED)) return -from;
  if (at > 0) return from + at;
  const isPort = /^\d*\\{0,15}$/.test(near);
  if (isPort && (near === "" || !isStore(text, match))) return -from;
  farther.lastIndex = from;
  const far = (isPort ? beforeHost : afterPassword).exec(farther.exec(text)?.[0] ?? "")?.[0].length ?? 0;
  return far > 0 ? from + far : -from;
};

/** Returns the end of a token that replaces the user in a URL. */
const userToken: End = ({ text }, from) => {
  const end = Math.min(skipWord(text, from), text.length);
  return text[end] === "@" && end - from >= 20 && /\d/.test(text.slice(from, from + 255)) ? end : -Math.max(from, end);
};

/** Returns the end of the value in a pair, if the pair has the name of a secret. */
const pairEnd: End = (scan, from, [, , name = ""]) => {
  if (!isSecretName(name)) return -from;
  const end = /["']/.test(scan.text.charAt(from - 1)) ? quoted : headerValue;
  const to = Math.abs(end(scan, from, [] as unknown as RegExpExecArray));
  return isPlain(scan.text.slice(from, Math.min(to, from + 201)), name) ? -from : to;
};

const header = String.raw`\\{0,15}["']?\s{0,4}[:=]\s{0,4}\\{0,15}["']?`;

export const forms: readonly Form[] = [
  { marks: "--B", find: /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g, end: keyEnd("-----END ") },
  { marks: "vat", find: /---- BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY ----/g, end: keyEnd("---- END ") },
  {
    marks: "riz",
    find: new RegExp(
      String.raw`((?:proxy-)?authorization${header})(?:digest|hawk|oauth|aws4-hmac-sha256) \w{1,40}=`,
      "gi",
    ),
    isWord: true,
    end: until(/[^\n\r]{1,4096}/y),
  },
  {
    marks: "riz",
    find: new RegExp(
      String.raw`((?:proxy-)?authorization${header})(?:(?:basic|bearer|token|apikey|api-key|key|bot|negotiate|ntlm|ssws|genie\w{0,8}) {1,4}(?=[\w.~+/=-]{3})|(?=[\w.~+/=-]{0,40}\d)(?=[\w.~+/=-]{8}))(?!redacted)`,
      "gi",
    ),
    isWord: true,
    end: headerValue,
  },
  {
    marks: "kie",
    find: new RegExp(String.raw`((?:set-)?cookie${header})(?=[\w.-]{1,80}=[^\s;])`, "gi"),
    isWord: true,
    end: line,
  },
  { marks: "rer", find: /(?<!_)(bearer\s{1,4})[\w.~+/-]{12}/gi, isWord: true, end: dotted },
  {
    marks: "rer",
    find: /(?<!_)bearer ?\\{0,3}["'`] ?[+.] ?\\{0,3}["'`](?=[^\s"'`]{8})/gi,
    isWord: true,
    keep: "match",
    end: quoted,
  },
  { marks: "k8s", find: /(bearer\.authorization\.k8s\.io\.)\w/g, end: word },
  ...tokens,
  { marks: ":/ :\\", find: /(:\\{0,15}\/\\{0,15}\/)(?!\[)([^\s/:@"'`<>]{0,200}):/g, end: passwordEnd },
  {
    marks: "3a%",
    find: /(%3A%2F%2F)[\w.~-]{0,200}%3A(?=(?:[\w.~!$*+-]|%(?!2f|40|3f|23)[\da-f]{2}){1,200}%40)/gi,
    end: (scan, from) => scan.next("%40", from),
  },
  { marks: ":/ :\\", find: /(:\\{0,15}\/\\{0,15}\/)(?=[\w-]{20})/g, end: userToken },
  {
    marks: String.raw`"d\ "k\ "p\ "q\ dp\ dq\ qi\ "d" "k" "p" "q" dp" dq" qi"`,
    find: /(["'](?:[dkpq]|d[pq]|qi)\\{0,15}["']\s{0,4}:\s{0,4}\\{0,15}["'])(?=[\w-]{40})/g,
    end: word,
  },
  {
    marks: ":00",
    find: /:\d{4,5}:(?<=(?<![\w./:*-])[\w*-]{1,64}(?:\.[\w-]{1,64}){0,6}:\d{4,5}:)[\w*-]{1,64}:[A-Za-z*][\w*.-]{0,64}:(?=[^\s:]{4})/g,
    keep: "match",
    end: until(/[^\s]{1,4096}/y),
  },
  {
    marks: "lue",
    find: /((?:key|name)\\{0,3}["']?\s{0,4}[:=]\s{0,4}\\{0,3}["']?([\w.-]{3,72})\\{0,3}["']?(?:[\s,]|\\+n){1,40}\\{0,3}["']?value\\{0,3}["']?\s{0,4}[:=]\s{0,4}\\{0,3}["']?)/gi,
    isWord: true,
    end: pairEnd,
  },
  {
    marks: "en= ey= et= rd= re= ig= de= th= al=",
    find: /(?:token|key|secret|password|signature|sig|code|auth|credential)=(?<=[?&;#][\w.-]{0,50}=)(?=[^&#\s"'<>[{$])/gi,
    keep: "match",
    end: until(/[^&#\s"'<>\\]{1,4096}/y),
  },
  ...commands,
  ...services,
  ...rareCommands,
];
