import { has, letters } from "./redact-scan.js";

/** Words at the end of a name, after a separator or a lower-case letter. */
const lastWord =
  /(?:^|[-_.\s])(?:tokens?|secrets?|passwords?|passwd|passphrases?|pwd|pw|pat|authorization|auth|credentials?|creds|cookies?|bearer|jwt|psk|mnemonics?|(?:seed|recovery)[-_]?phrase|key[-_]data|secret[-_]id|connection[-_]?string|secret[-_]key[-_]base)[-_]?\d{0,3}$/i;

/** Names that end with `key` and are secret because of the word before it. */
const namedKey =
  /(?:^|[-_.\s])(?:api|app|access|account|private|secret|auth|encryption|decryption|signing|signature|master|service|deploy|ssh|client|session|license|subscription|webhook|storage|host|role|admin|shared[-_]access|pre[-_]?shared)[-_]?keys?[-_]?\d{0,3}$/i;

/** Names without separators, such as PGPASSWORD and `authtoken`. */
const joined =
  /(?:password|passwd|passphrase|authtoken|accesstoken|refreshtoken|clientsecret|apikey|secretkey|accesskey|privatekey)s?\d{0,3}$/i;

/** Names that end with `pass`, after a word for an account or in capitals. Alone, `pass` is an ordinary word. */
const pass =
  /^pass$|(?:^|[-_.])(?:db|database|user|admin|root|smtp|imap|mail|email|ftp|sftp|mysql|pg|postgres|sql|mongo|redis|rabbitmq|login|http|https|proxy|ssh|vault|wifi|app|key|store|keystore|my)[-_]?pass\d{0,3}$/i;
const shoutedPass = /(?:^|_)(?!(?:BY|COM|SUR|TRES|OVER|UNDER)PASS)[A-Z0-9]*PASS\d{0,3}$/;

/** Variables such as OPENAI_KEY. */
const shoutedKey = /^[A-Z0-9_]*_KEYS?(?:_?\d{1,3})?$/;
/** Keys of database tables, and public keys. They are not secrets. */
const publicKey =
  /(?:PRIMARY|FOREIGN|PUBLIC|SORT|PARTITION|CACHE|UNIQUE|HOT|INDEX|GROUP|LOOKUP|ROW|OBJECT|ROUTING)_KEYS?\d*$/;

/** Further names, which no rule above describes. */
const others =
  /^(?:(?:OP|BW)_SESSION(?:_\w{1,60})?|TF_TOKEN_\w{1,100}|DOCKER_AUTH_CONFIG|\w{0,40}SENTRY_DSN|\w{0,40}WEBHOOK(?:_URL)?|(?:\w{0,40}_)?(?:SECRET_ID|SEED|OAUTH|UNSEAL|PEM|P12(?:_BASE64)?|KEYSTORE(?:_B(?:ASE)?64)|TKN|TOTP))$/;

/** Pattern for a part of each of these names. A search for it takes a tenth of the time. */
const partOfOthers = /SESSION|TF_TOKEN|DOCKER|SENTRY|WEBHOOK|SECRET_ID|SEED|OAUTH|UNSEAL|PEM|P12|KEYSTORE|TKN|TOTP/;

/** Variables with the current folder of a shell. `Pwd` is a password in connection strings. */
const folder = /^(?:(?:OLD)?PWD|oldpwd)$/;

/** Names that were checked last, and the results. If a text repeats some names, each name is checked once. */
const known: { readonly name: string; readonly is: boolean }[] = [];
const maxKnown = 256;

/** Returns `true` if a variable, header, flag or member with that name usually contains a secret. */
export function isSecretName(name: string): boolean {
  const { length } = name;
  if (length === 0 || length >= 200) return false;
  const some = name.charCodeAt(0) * 7 + name.charCodeAt(length >> 1) * 13 + name.charCodeAt(length - 1);
  const place = (some + length * 31) % maxKnown;
  const last = known[place];
  if (last?.name === name) return last.is;
  const is = isSecret(name);
  known[place] = { name, is };
  return is;
}

function isSecret(name: string): boolean {
  if (folder.test(name)) return false;
  if (shoutedKey.test(name) && !publicKey.test(name)) return true;
  if (name.includes("PASS") && shoutedPass.test(name)) return true;
  if (partOfOthers.test(name) && others.test(name)) return true;
  const words = withDashes(name);
  return lastWord.test(words) || namedKey.test(words) || joined.test(name) || pass.test(words);
}

const lower = letters(/[a-z0-9]/);
const upper = letters(/[A-Z]/);

/** Returns a name with a dash before each word that starts with a capital letter. */
function withDashes(name: string): string {
  let words = "";
  let from = 0;
  for (let at = 1; at < name.length; at++) {
    if (!has(upper, name, at) || !has(lower, name, at - 1)) continue;
    words += `${name.slice(from, at)}-`;
    from = at;
  }
  return words + name.slice(from);
}

/** Returns `true` if an argument is a flag whose value is a secret. */
export function isSecretFlag(flag: string): boolean {
  return /^--?[a-z_]/i.test(flag) && isSecretName(flag.slice(flag[1] === "-" ? 2 : 1));
}
