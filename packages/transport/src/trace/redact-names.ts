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

/** Variables such as OPENAI_KEY. Keys of database tables and public keys are not secrets. */
const shoutedKey =
  /^(?!.*(?:PRIMARY|FOREIGN|PUBLIC|SORT|PARTITION|CACHE|UNIQUE|HOT|INDEX|GROUP|LOOKUP|ROW|OBJECT|ROUTING)_KEYS?\d*$)[A-Z0-9_]*_KEYS?(?:_?\d{1,3})?$/;

/** Further names, which no rule above describes. */
const others =
  /^(?:(?:OP|BW)_SESSION(?:_\w{1,60})?|TF_TOKEN_\w{1,100}|DOCKER_AUTH_CONFIG|\w{0,40}SENTRY_DSN|\w{0,40}WEBHOOK(?:_URL)?|(?:\w{0,40}_)?(?:SECRET_ID|SEED|OAUTH|UNSEAL|PEM|P12(?:_BASE64)?|KEYSTORE(?:_B(?:ASE)?64)|TKN|TOTP))$/;

/** Variables with the current folder of a shell. `Pwd` is a password in connection strings. */
const folder = /^(?:(?:OLD)?PWD|oldpwd)$/;

/** Results for the names that were checked last. If a text repeats some names, each name is checked once. */
const known = new Map<string, boolean>();
const maxKnown = 256;

/** Returns `true` if a variable, header, flag or member with that name usually contains a secret. */
export function isSecretName(name: string): boolean {
  const before = known.get(name);
  if (before !== undefined) return before;
  const is = isSecret(name);
  if (known.size >= maxKnown) known.clear();
  if (name.length < 200) known.set(name, is);
  return is;
}

function isSecret(name: string): boolean {
  if (name.length >= 200 || folder.test(name)) return false;
  if (shoutedKey.test(name) || shoutedPass.test(name) || others.test(name)) return true;
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1-$2");
  return lastWord.test(words) || namedKey.test(words) || joined.test(name) || pass.test(words);
}

/** Returns `true` if an argument is a flag whose value is a secret. */
export function isSecretFlag(flag: string): boolean {
  return /^--?[a-z_]/i.test(flag) && isSecretName(flag.replace(/^--?/, ""));
}
