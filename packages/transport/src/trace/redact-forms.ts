import { REDACTED, skip } from "./redact-values.js";

/**
 * One form of a secret. `find` matches its start; group 1, or all of the match with `keep`, stays. `end` returns the end
 * of the secret, or a negative number for a text that is none: the search goes on behind its absolute value.
 *
 * No text can make the search slow or fail. Repetitions are bounded, and names are looked up backwards from their last
 * word. Long secrets are skipped in steps: one repetition of megabytes would exhaust the stack of the expression.
 */
export type Form = {
  readonly find: RegExp;
  readonly keep?: "match";
  readonly end: (text: string, from: number) => number;
};

const word = skip(/[\w-]{1,4096}/y);
const dotted = skip(/[\w.~+/=-]{1,4096}/y);
const line = skip(/[^\n\r"'`\\]{1,4096}/y);
const headerValue = skip(/[^\s"',;\\]{1,4096}/y);
const nothing = (_text: string, from: number) => from;

const keyText =
  /(?:\\[nr]|[\s\\]){0,16}(?:[A-Za-z0-9+/]{16}|[A-Za-z0-9+/]{1,76}(?:\\+[nr]|[\r\n])|Proc-Type:|Version:|Comment:)/y;
const endMark = /----(?: END [A-Z0-9 ]{0,40} ----|-END [A-Z0-9 ]{0,40}-----)/y;

/** Returns the end of a key in lines, or of the text if its last line is missing. */
const keyEnd = (mark: string) => (text: string, from: number) => {
  keyText.lastIndex = from;
  const isKey = keyText.test(text);
  const at = isKey ? text.indexOf(mark, from) : text.slice(from, from + 512).indexOf(mark);
  if (at === -1) return isKey ? text.length : -from;
  endMark.lastIndex = isKey ? at : from + at;
  return endMark.test(text) ? endMark.lastIndex : -from;
};

/** Returns the end of a token of two or three parts. Every start within the first part has the same end. */
function tokenEnd(text: string, from: number): number {
  const first = word(text, from);
  let end = text[first] === "." ? word(text, first + 1) : first;
  if (end - first < 9) return -first;
  // An encrypted token has five parts.
  for (let part = 0; part < 3 && text[end] === "."; part++) end = word(text, end + 1);
  return end;
}

const authority = /[^\s"'`<>/?#]{0,4096}/y;
const farther = /[^\s"'`<>]{1,128}/y;

/** Returns the place of the `@` behind a password in a URL. The password may hold further ones, and slashes. */
function passwordEnd(text: string, from: number): number {
  authority.lastIndex = from;
  const near = authority.exec(text)?.[0] ?? "";
  const at = near.lastIndexOf("@");
  if (near.startsWith(REDACTED)) return -from;
  if (at > 0) return from + at;
  if (/^\d*$/.test(near)) return -from;
  farther.lastIndex = from;
  const far = (farther.exec(text)?.[0] ?? "").split("://", 1)[0]?.lastIndexOf("@") ?? -1;
  return far > 0 ? from + far : -from;
}

/** Returns the end of a login behind the flag of a program that takes one. */
const login = skip(/[^\s"'`]{1,4096}/y);
const quotedLogin = skip(/[^\n"'`]{1,4096}/y);

export const forms: readonly Form[] = [
  { find: /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g, end: keyEnd("-----END ") },
  { find: /---- BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY ----/g, end: keyEnd("---- END ") },
  {
    find: /\b((?:proxy-)?authorization\\{0,15}["']?\s{0,4}[:=]\s{0,4}\\{0,15}["']?)(?:digest|hawk|oauth|aws4-hmac-sha256) \w{1,40}=/gi,
    end: skip(/[^\n\r]{1,4096}/y),
  },
  {
    find: /\b((?:proxy-)?authorization\\{0,15}["']?\s{0,4}[:=]\s{0,4}\\{0,15}["']?)(?:(?:basic|bearer|token|apikey|api-key|key|bot|negotiate|ntlm|ssws|genie\w{0,8}) {1,4}(?=[\w.~+/=-]{3})|(?=[\w.~+/=-]{0,40}\d)(?=[\w.~+/=-]{8}))(?!redacted)/gi,
    end: headerValue,
  },
  { find: /\b((?:set-)?cookie\\{0,15}["']?\s{0,4}[:=]\s{0,4}\\{0,15}["']?)(?=[\w.-]{1,80}=[^\s;])/gi, end: line },
  { find: /\b(bearer\s{1,4})[\w.~+/-]{12}/gi, end: dotted },
  { find: /\b(?:sk|rk)-(?:[a-z0-9]{1,12}-){0,4}[A-Za-z0-9_]{16}/g, end: word },
  { find: /\b[spr]k_(?:live|test|prod)_[A-Za-z0-9]{8}/g, end: word },
  {
    find: /\b(?:gh[pousr]_|npm_|hf_|gsk_|r8_|fw_|tgp_v\d_|figd_|lin_api_|lin_oauth_|ntn_|sbp_|shp(?:at|ca|pa|ss)_|whsec_|rubygems_|dapi|dckr_(?:pat|oat)_|do[opr]_v1_|glsa_|glc_|sntry[su]_|pscale_(?:tkn|pw|oauth)_|xai-|pplx-|nvapi-|tvly-|tskey-(?:auth-|api-|client-)?|NRAK-|PMAK-|sq0(?:atp|csp)-|GOCSPX-|AGE-SECRET-KEY-1|key-(?=[0-9a-f]{32}\b)|SK(?=[0-9a-f]{32}\b)|dp\.(?:pt|st|ct|sa)\.|hv[sbr]\.|ya29\.|1\/\/0)[A-Za-z0-9]{16}/g,
    end: dotted,
  },
  {
    find: /\b(?:github_pat_|gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent|oas|ffct)-|xox[abeoprs]-|xapp-|pypi-Ag)[\w-]{12}/g,
    end: dotted,
  },
  { find: /\bSG\.[\w-]{16,32}\.[\w-]{16}/g, end: word },
  { find: /\bya29\.[\w-]{12}/g, end: dotted },
  { find: /\b[A-Za-z0-9]{14}\.atlasv1\.[\w-]{16}/g, end: word },
  { find: /\bpat[A-Za-z0-9]{14}\.[0-9a-f]{32}/g, end: word },
  { find: /\b\d{8,10}:AA[\w-]{30}/g, end: word },
  { find: /\b[MNO][A-Za-z\d]{22,27}\.[\w-]{6}\.[\w-]{27}/g, end: word },
  { find: /\b[0-9a-f]{32}-us\d{1,2}\b/g, end: nothing },
  { find: /(hooks\.slack\.com\/(?:services|workflows|triggers)\/)\w/g, end: skip(/[\w/-]{1,4096}/y) },
  { find: /(discord(?:app)?\.com\/api\/webhooks\/\d{1,24}\/)\w/g, end: word },
  { find: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g, end: nothing },
  { find: /\bAIza[\w-]{30}/g, end: word },
  { find: /\beyJ[\w-]{8}/g, end: tokenEnd },
  { find: /(:\/\/)[^\s/:@"'`<>]{0,200}:/g, end: passwordEnd },
  {
    find: /(?:token|key|secret|password|signature|sig|code|auth|credential)=(?<=[?&;#][\w.-]{0,50}=)(?=[^&#\s"'<>[{$])/gi,
    keep: "match",
    end: skip(/[^&#\s"'<>\\]{1,4096}/y),
  },
  {
    find: /(?:(?<![\w-])-u ?|--(?:proxy-)?user[ =])\\{0,15}["']?[^\s"'`:$\\-][^\s"'`:]{0,100}:(?=[^\s"'`$])(?<=\b(?:curl|wget|https?|xh)\b[^\n]{0,300}?)/g,
    keep: "match",
    end: login,
  },
  {
    find: /(?:(?<![\w-])-p)(?=[^\s"'`$=-])(?<=\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n]{0,100}?)/g,
    keep: "match",
    end: login,
  },
  {
    find: /(?:(?<![\w-])-[pa][ =]?)["']?(?=[^\s"'`$=-])(?<=\b(?:sshpass|docker login|podman login|redis-cli)\b[^\n]{0,100}?)/g,
    keep: "match",
    end: quotedOr(login),
  },
];

function quotedOr(plain: Form["end"]): Form["end"] {
  return (text, from) => (/["']/.test(text.charAt(from - 1)) ? quotedLogin(text, from) : plain(text, from));
}
