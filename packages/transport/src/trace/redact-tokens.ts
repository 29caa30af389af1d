import { type End, type Form, skip, until, wordStart } from "./redact-scan.js";

const skipWord = skip(/[\w-]{1,4096}/y);
const word = until(/[\w-]{1,4096}/y);
const dotted = until(/[\w.~+/=-]{1,4096}/y);
const path = until(/[\w@/-]{1,4096}/y);
const nothing: End = (_scan, from) => from;

/** Returns the end of a token whose parts are separated by dots. */
const tokenEnd: End = ({ text }, from) => {
  const first = skipWord(text, from);
  let end = text[first] === "." ? skipWord(text, first + 1) : first;
  if (end - first < 9) return -first;
  // An encrypted token has five parts.
  for (let part = 0; part < 3 && text[end] === "."; part++) end = skipWord(text, end + 1);
  return end;
};

/** Prefixes that end with a separator. Separators are rare, so that a search for them is faster than one for each prefix. */
const prefixes = [
  String.raw`gh[pousr]_|npm_|hf_|gsk_|r8_|fw_|tgp_v\d_|figd_|lin_api_|lin_oauth_|ntn_|sbp_|shp(?:at|ca|pa|ss)_|whsec_|rubygems_`,
  "dckr_(?:pat|oat)_|do[opr]_v1_|glsa_|glc_|sntry[su]_|pscale_(?:tkn|pw|oauth)_|xai-|pplx-|nvapi-|tvly-",
  String.raw`tskey-(?:auth-|api-|client-)?|NRAK-|PMAK-|sq0(?:atp|csp)-|GOCSPX-|(?<!_)key-(?=[0-9a-f]{32}\b)`,
  String.raw`dp\.(?:pt|st|ct|sa)\.|hv[sbr]\.|ya29\.|nfp_|lsv2_(?:pt|sk)_|csk-|fc-(?=[0-9a-f]{32}\b)|e2b_(?=[0-9a-f]{40}\b)`,
  "secret_(?=[A-Za-z0-9]{40})|CCIPAT_|bkua_|CFPAT-|ico-(?=[A-Za-z0-9]{32})|HRKU-|ops_(?=eyJ)|pnu_|tfp_",
  String.raw`(?<!_)s\.(?=[a-z\d]{0,24}[A-Z])(?=[A-Za-z]{0,24}\d)(?=[A-Za-z0-9]{24}\b)`,
].join("|");

/** Prefixes without a separator at their end. */
const closePrefixes = String.raw`dapi|AGE-SECRET-KEY-1|SK[0-9a-f](?=[0-9a-f]{31}\b)|1\/\/0|ATATT3x|ATBB|ATCTT3|(?<!_)EAA(?=[A-Z]\w{0,40}\d)|AKCp\d`;

/** Keys and tokens with a prefix. */
export const tokens: readonly Form[] = [
  { marks: "sk- rk-", find: /(?:sk|rk)-(?:[a-z0-9]{1,12}-){0,4}[A-Za-z0-9_]{16}/g, isWord: true, end: word },
  { marks: "-lf", find: /sk-lf-[0-9a-f]{8}-/g, isWord: true, end: word },
  { marks: "k_l k_t k_p", find: /[spr]k_(?:live|test|prod)_[A-Za-z0-9]{8}/g, isWord: true, end: word },
  {
    marks:
      "hp_ ho_ hu_ hs_ hr_ pm_ hf_ sk_ sk- r8_ fw_ v0_ gd_ n_a n_o tn_ bp_ shp hse yge dap kr_ _v1 lsa lc_ ys_ yu_ psc xai plx nva tvl tsk ak- sq0 spx y-1 ey- ska skb skc skd ske skf sk0 dp. hvs hvb hvr ya2 0// t3x tbb tct fp_ lsv fc- 0b_ et_ cip kua eaa cfp co- ku- ps_ nu_ kcp s.",
    find: new RegExp(`[_.-](?=[A-Za-z0-9]{16})(?<=${wordStart}(${prefixes}))|(?:${closePrefixes})[A-Za-z0-9]{16}`, "g"),
    keep: "nothing",
    isWord: true,
    end: dotted,
  },
  {
    marks: "b_p glp gld glr glc glf gls gli gla glo xox xap ypi pcs pg_ sl. re_ en$",
    find: /(?:github_pat_|gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent|oas|ffct)-|xox[abeoprs]-|xapp-|pypi-Ag|pcsk_|npg_|sl\.[A-Z]|re_(?=[A-Za-z0-9]{8}_[A-Za-z0-9]{18})|access_token\$\w{1,20}\$[0-9a-f]{8})[\w$-]{10}/g,
    isWord: true,
    end: until(/[\w.~+/=$-]{1,4096}/y),
  },
  {
    marks: "yv1 fm1",
    find: /FlyV1 f\w{1,3}_|fm[12][a-z]?_(?=[A-Za-z0-9+/]{16})/g,
    isWord: true,
    end: until(/[\w+/=,-]{1,4096}/y),
  },
  {
    marks: "0q~",
    find: /\dQ~(?<=(?<![~.-])([A-Za-z0-9_.-]{3}\d)Q~)[\w~.-]{20}/g,
    keep: "nothing",
    isWord: true,
    end: until(/[\w~.-]{1,64}/y),
  },
  { marks: "sg.", find: /SG\.[\w-]{16,32}\.[\w-]{16}/g, isWord: true, end: word },
  { marks: "sk.", find: /sk\.eyJ[\w-]{8}/g, isWord: true, end: dotted },
  { marks: "ya2", find: /ya29\.[\w-]{12}/g, isWord: true, end: dotted },
  { marks: "asv", find: /\.atlasv1\.(?<=\b([A-Za-z0-9]{14}\.)atlasv1\.)[\w-]{16}/g, keep: "nothing", end: word },
  { marks: "asv", find: /([A-Za-z0-9]\.atlasv1\.)[\w-]{16}/g, end: word },
  { marks: "pat", find: /pat[A-Za-z0-9]{14}\.[0-9a-f]{32}/g, isWord: true, end: word },
  { marks: ":aa", find: /:AA(?<=(?<!\d)(\d{8,10}:)AA)[\w-]{30}/g, keep: "nothing", end: word },
  {
    marks: "",
    find: new RegExp(String.raw`\.(?<=${wordStart}([MNO][A-Za-z\d]{22,27}\.))[\w-]{6}\.[\w-]{27}`, "g"),
    keep: "nothing",
    end: word,
  },
  {
    marks: "-us",
    find: /-us\d{1,2}\b(?<=(?<![A-Za-lo-qsu-z\d])([0-9a-f]{32}-)us\d{1,2})/g,
    keep: "nothing",
    end: nothing,
  },
  { marks: "kia sia bia cca", find: /(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/g, isWord: true, end: nothing },
  { marks: "aiz", find: /AIza[\w-]{30}/g, isWord: true, end: word },
  { marks: "eyj", find: /eyJ[\w-]{8}/g, isWord: true, end: tokenEnd },
];

/** Keys of single services. */
export const services: readonly Form[] = [
  { marks: "_rw vcp vck", find: /(?:vercel_blob_rw_|vc[kp]_)[A-Za-z0-9]{16}/g, isWord: true, end: word },
  { marks: "v1.", find: /v1\.0-[0-9a-f]{24}-?[0-9a-f]{40}/g, isWord: true, end: word },
  { marks: "at-", find: /pat-[a-z]{2}\d-[0-9a-f]{8}-[0-9a-f]{4}-/g, isWord: true, end: word },
  { marks: "k10", find: /K10[0-9a-f]{64}::/g, isWord: true, end: until(/[\w.:-]{1,4096}/y) },
  { marks: ".lo", find: /v[1-4]\.local\.[\w-]{32}/g, isWord: true, end: dotted },
  { marks: "wrt", find: /RWRTY0Iy[\w+/=]{40}/g, isWord: true, end: dotted },
  { marks: ".sl", find: /(hooks\.slack\.com\/(?:services|workflows|triggers)\/)\w/g, end: path },
  { marks: "kb2", find: /(webhook\.office\.com\/webhookb2\/)\w/g, end: path },
  { marks: "tf_", find: /TF_TOKEN_\w{1,80}=\\{0,15}["']?(?=[\w.-]{10})/g, isWord: true, keep: "match", end: dotted },
  { marks: "k.o", find: /(outlook\.office(?:365)?\.com\/webhook\/)\w/g, end: path },
  { marks: "ftt", find: /(maker\.ifttt\.com\/(?:trigger|use)\/(?:[\w-]{1,60}\/){0,4}(?:key\/)?)\w{10}/g, end: word },
  { marks: "nfu lch", find: /((?:infura\.io\/(?:ws\/)?v3|alchemy\.com\/(?:nft\/)?v[23])\/)\w/g, end: word },
  { marks: "tok", find: /(auth[ _-]?token[: ]{1,3})(?=[0-9a-f]{32}(?![\w-]))/gi, end: word },
  { marks: "nse", find: /(unseal key \d{1,2}: )(?=[\w+/=]{20})/gi, end: dotted },
  {
    marks: "eed cov mon kup cre",
    find: /((?:seed|recovery|mnemonic|backup|secret)(?: phrase| words?)?["']?[:=] ?["']?)(?=(?:[a-z]{3,8} ){11,23}[a-z]{3,8}(?![\w-]))/gi,
    isWord: true,
    end: until(/[a-z]{3,8}(?: [a-z]{3,8}){11,23}/y),
  },
  {
    marks: "e-l",
    find: /(Private-Lines: \d{1,4}(?:\\r|\\n|\s){1,8})(?=[\w+/=]{20})/g,
    end: until(/[\w+/=]{20,128}(?:(?:\\+[rn]|\s){1,4}[\w+/=]{1,128}(?![\w-]{0,40}:)){0,200}/y),
  },
  { marks: "zap", find: /(hooks\.zapier\.com\/hooks\/catch\/)\w/g, end: path },
  { marks: "sco", find: /(discord(?:app)?\.com\/api\/webhooks\/\d{1,24}\/)\w/g, end: word },
];
