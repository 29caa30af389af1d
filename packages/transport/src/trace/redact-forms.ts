import { commands, rareCommands } from "./redact-commands.js";
import { isSecretName } from "./redact-names.js";
import { type End, type Form, skip, until } from "./redact-scan.js";
import { isPlain, REDACTED } from "./redact-values.js";

const skipWord = skip(/[\w-]{1,4096}/y);
const word = until(/[\w-]{1,4096}/y);
const dotted = until(/[\w.~+/=-]{1,4096}/y);
const line = until(/[^\n\r"'`\\]{1,4096}/y);
const headerValue = until(/[^\s"',;\\]{1,4096}/y);
const quoted = until(/[^\n"'`\\]{1,4096}/y);
const path = until(/[\w@/-]{1,4096}/y);
const nothing: End = (_scan, from) => from;

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

/** Returns the end of a token whose parts are separated by dots. */
const tokenEnd: End = ({ text }, from) => {
  const first = skipWord(text, from);
  let end = text[first] === "." ? skipWord(text, first + 1) : first;
  if (end - first < 9) return -first;
  // An encrypted token has five parts.
  for (let part = 0; part < 3 && text[end] === "."; part++) end = skipWord(text, end + 1);
  return end;
};

const authority = /[^\s"'`<>/?#]{0,4096}/y;
/** Text up to the next URL. The limit prevents that characters are examined again for each URL. */
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

/** Returns the end of the value in a pair, if the name before it is that of a secret. */
const pairEnd: End = (scan, from, [, , name = ""]) => {
  if (!isSecretName(name)) return -from;
  const end = /["']/.test(scan.text.charAt(from - 1)) ? quoted : headerValue;
  const to = Math.abs(end(scan, from, [] as unknown as RegExpExecArray));
  return isPlain(scan.text.slice(from, Math.min(to, from + 201)), name) ? -from : to;
};

const header = String.raw`\\{0,15}["']?\s{0,4}[:=]\s{0,4}\\{0,15}["']?`;

export const forms: readonly Form[] = [
  { find: /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g, end: keyEnd("-----END ") },
  { find: /---- BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY ----/g, end: keyEnd("---- END ") },
  {
    find: new RegExp(
      String.raw`((?:proxy-)?authorization${header})(?:digest|hawk|oauth|aws4-hmac-sha256) \w{1,40}=`,
      "gi",
    ),
    isWord: true,
    end: until(/[^\n\r]{1,4096}/y),
  },
  {
    find: new RegExp(
      String.raw`((?:proxy-)?authorization${header})(?:(?:basic|bearer|token|apikey|api-key|key|bot|negotiate|ntlm|ssws|genie\w{0,8}) {1,4}(?=[\w.~+/=-]{3})|(?=[\w.~+/=-]{0,40}\d)(?=[\w.~+/=-]{8}))(?!redacted)`,
      "gi",
    ),
    isWord: true,
    end: headerValue,
  },
  { find: new RegExp(String.raw`((?:set-)?cookie${header})(?=[\w.-]{1,80}=[^\s;])`, "gi"), isWord: true, end: line },
  { find: /(?<!_)(bearer\s{1,4})[\w.~+/-]{12}/gi, isWord: true, end: dotted },
  { find: /(?<!_)bearer ?\\{0,3}["'`] ?[+.] ?\\{0,3}["'`](?=[^\s"'`]{8})/gi, isWord: true, keep: "match", end: quoted },
  { find: /(bearer\.authorization\.k8s\.io\.)\w/g, end: word },
  { find: /(?:sk|rk)-(?:[a-z0-9]{1,12}-){0,4}[A-Za-z0-9_]{16}/g, isWord: true, end: word },
  { find: /sk-lf-[0-9a-f]{8}-/g, isWord: true, end: word },
  { find: /[spr]k_(?:live|test|prod)_[A-Za-z0-9]{8}/g, isWord: true, end: word },
  {
    find: /(?:gh[pousr]_|npm_|hf_|gsk_|r8_|fw_|tgp_v\d_|figd_|lin_api_|lin_oauth_|ntn_|sbp_|shp(?:at|ca|pa|ss)_|whsec_|rubygems_|dapi|dckr_(?:pat|oat)_|do[opr]_v1_|glsa_|glc_|sntry[su]_|pscale_(?:tkn|pw|oauth)_|xai-|pplx-|nvapi-|tvly-|tskey-(?:auth-|api-|client-)?|NRAK-|PMAK-|sq0(?:atp|csp)-|GOCSPX-|AGE-SECRET-KEY-1|(?<!_)key-(?=[0-9a-f]{32}\b)|SK(?=[0-9a-f]{32}\b)|dp\.(?:pt|st|ct|sa)\.|hv[sbr]\.|ya29\.|1\/\/0|ATATT3x|ATBB|ATCTT3|nfp_|lsv2_(?:pt|sk)_|csk-|fc-(?=[0-9a-f]{32}\b)|e2b_(?=[0-9a-f]{40}\b)|secret_(?=[A-Za-z0-9]{40})|CCIPAT_|bkua_|(?<!_)EAA(?=[A-Z]\w{0,40}\d)|CFPAT-|ico-(?=[A-Za-z0-9]{32})|HRKU-|ops_(?=eyJ)|pnu_|AKCp\d|tfp_|(?<!_)s\.(?=[a-z\d]{0,24}[A-Z])(?=[A-Za-z]{0,24}\d)(?=[A-Za-z0-9]{24}\b))[A-Za-z0-9]{16}/g,
    isWord: true,
    end: dotted,
  },
  {
    find: /(?:github_pat_|gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent|oas|ffct)-|xox[abeoprs]-|xapp-|pypi-Ag|pcsk_|npg_|sl\.[A-Z]|re_(?=[A-Za-z0-9]{8}_[A-Za-z0-9]{18})|access_token\$\w{1,20}\$[0-9a-f]{8})[\w$-]{10}/g,
    isWord: true,
    end: until(/[\w.~+/=$-]{1,4096}/y),
  },
  { find: /FlyV1 f\w{1,3}_|fm[12][a-z]?_(?=[A-Za-z0-9+/]{16})/g, isWord: true, end: until(/[\w+/=,-]{1,4096}/y) },
  { find: /(?<![~.-])[A-Za-z0-9_.-]{3}\dQ~[\w~.-]{20}/g, isWord: true, end: until(/[\w~.-]{1,64}/y) },
  { find: /SG\.[\w-]{16,32}\.[\w-]{16}/g, isWord: true, end: word },
  { find: /sk\.eyJ[\w-]{8}/g, isWord: true, end: dotted },
  { find: /ya29\.[\w-]{12}/g, isWord: true, end: dotted },
  { find: /\b[A-Za-z0-9]{14}\.atlasv1\.[\w-]{16}/g, end: word },
  { find: /([A-Za-z0-9]\.atlasv1\.)[\w-]{16}/g, end: word },
  { find: /pat[A-Za-z0-9]{14}\.[0-9a-f]{32}/g, isWord: true, end: word },
  { find: /(?<!\d)\d{8,10}:AA[\w-]{30}/g, end: word },
  { find: /[MNO][A-Za-z\d]{22,27}\.[\w-]{6}\.[\w-]{27}/g, isWord: true, end: word },
  { find: /(?<![A-Za-lo-qsu-z\d])[0-9a-f]{32}-us\d{1,2}\b/g, end: nothing },
  { find: /(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/g, isWord: true, end: nothing },
  { find: /AIza[\w-]{30}/g, isWord: true, end: word },
  { find: /eyJ[\w-]{8}/g, isWord: true, end: tokenEnd },
  { find: /(:\\{0,15}\/\\{0,15}\/)(?!\[)([^\s/:@"'`<>]{0,200}):/g, end: passwordEnd },
  {
    find: /(%3A%2F%2F)[\w.~-]{0,200}%3A(?=(?:[\w.~!$*+-]|%(?!2f|40|3f|23)[\da-f]{2}){1,200}%40)/gi,
    end: (scan, from) => scan.next("%40", from),
  },
  { find: /(:\\{0,15}\/\\{0,15}\/)(?=[\w-]{20})/g, end: userToken },
  { find: /(["'](?:[dkpq]|d[pq]|qi)\\{0,15}["']\s{0,4}:\s{0,4}\\{0,15}["'])(?=[\w-]{40})/g, end: word },
  {
    find: /(?<![\w./:*-])([\w*-]{1,64}(?:\.[\w-]{1,64}){0,6}:\d{4,5}:[\w*-]{1,64}:[A-Za-z*][\w*.-]{0,64}:)(?=[^\s:]{4})/g,
    end: until(/[^\s]{1,4096}/y),
  },
  {
    find: /((?:key|name)\\{0,3}["']?\s{0,4}[:=]\s{0,4}\\{0,3}["']?([\w.-]{3,72})\\{0,3}["']?(?:[\s,]|\\+n){1,40}\\{0,3}["']?value\\{0,3}["']?\s{0,4}[:=]\s{0,4}\\{0,3}["']?)/gi,
    isWord: true,
    end: pairEnd,
  },
  {
    find: /(?:token|key|secret|password|signature|sig|code|auth|credential)=(?<=[?&;#][\w.-]{0,50}=)(?=[^&#\s"'<>[{$])/gi,
    keep: "match",
    end: until(/[^&#\s"'<>\\]{1,4096}/y),
  },
  ...commands,
];

/** Pattern of which a text has a match if one of {@link rareForms} matches. One search takes less time than many. */
export const rare =
  /hooks?[./]|webhook|ifttt|infura|alchemy|auth[ _-]?token|unseal|seed|recovery|mnemonic|backup|secret|Private-Lines|vercel|vc[kp]_|v1\.0-|pat-|K10|\.local\.|RWRTY|TF_TOKEN|mongo|7z|zip|sqlcmd|bcp|openssl|rclone|http-basic/i;

export const rareForms: readonly Form[] = [
  { find: /(?:vercel_blob_rw_|vc[kp]_)[A-Za-z0-9]{16}/g, isWord: true, end: word },
  { find: /v1\.0-[0-9a-f]{24}-?[0-9a-f]{40}/g, isWord: true, end: word },
  { find: /pat-[a-z]{2}\d-[0-9a-f]{8}-[0-9a-f]{4}-/g, isWord: true, end: word },
  { find: /K10[0-9a-f]{64}::/g, isWord: true, end: until(/[\w.:-]{1,4096}/y) },
  { find: /v[1-4]\.local\.[\w-]{32}/g, isWord: true, end: dotted },
  { find: /RWRTY0Iy[\w+/=]{40}/g, isWord: true, end: dotted },
  { find: /(hooks\.slack\.com\/(?:services|workflows|triggers)\/)\w/g, end: path },
  { find: /(webhook\.office\.com\/webhookb2\/)\w/g, end: path },
  { find: /TF_TOKEN_\w{1,80}=\\{0,15}["']?(?=[\w.-]{10})/g, isWord: true, keep: "match", end: dotted },
  { find: /(outlook\.office(?:365)?\.com\/webhook\/)\w/g, end: path },
  { find: /(maker\.ifttt\.com\/(?:trigger|use)\/(?:[\w-]{1,60}\/){0,4}(?:key\/)?)\w{10}/g, end: word },
  { find: /((?:infura\.io\/(?:ws\/)?v3|alchemy\.com\/(?:nft\/)?v[23])\/)\w/g, end: word },
  { find: /(auth[ _-]?token[: ]{1,3})(?=[0-9a-f]{32}(?![\w-]))/gi, end: word },
  { find: /(unseal key \d{1,2}: )(?=[\w+/=]{20})/gi, end: dotted },
  {
    find: /((?:seed|recovery|mnemonic|backup|secret)(?: phrase| words?)?["']?[:=] ?["']?)(?=(?:[a-z]{3,8} ){11,23}[a-z]{3,8}(?![\w-]))/gi,
    isWord: true,
    end: until(/[a-z]{3,8}(?: [a-z]{3,8}){11,23}/y),
  },
  {
    find: /(Private-Lines: \d{1,4}(?:\\r|\\n|\s){1,8})(?=[\w+/=]{20})/g,
    end: until(/[\w+/=]{20,128}(?:(?:\\+[rn]|\s){1,4}[\w+/=]{1,128}(?![\w-]{0,40}:)){0,200}/y),
  },
  { find: /(hooks\.zapier\.com\/hooks\/catch\/)\w/g, end: path },
  { find: /(discord(?:app)?\.com\/api\/webhooks\/\d{1,24}\/)\w/g, end: word },
  ...rareCommands,
];
