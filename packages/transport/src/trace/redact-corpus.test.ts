import { expect, test } from "vitest";
import { redactSecrets, redactText } from "./redact.js";

/** Letters of a secret. They stand in no file as one word with its prefix: scanners of repositories would report it. */
const A = "9fQ2xLr7TzVb4Kd8WmNc";
const LONG = `${A}${A}x1Y2z3`;
const HEX = "0a1b2c3d4e5f60718293a4b5c6d7e8f9";
const PHRASE = "hunter2-Horse";
const pem = (kind: string, text: string) => `-----BEGIN ${kind}-----\n${text}\n-----END ${kind}-----`;
const inJson = (value: unknown, depth: number): string =>
  depth === 0 ? JSON.stringify(value) : JSON.stringify(inJson(value, depth - 1));

/** Texts, and what must not be left of them. */
const secrets: readonly (readonly [text: string, secret: string])[] = [
  ...[
    `AK${"IA"}IOSFODNN7EXAMPLE`,
    `AS${"IA"}IOSFODNN7EXAMPLE`,
    `gh${"p"}_${LONG}`,
    `gh${"o"}_${LONG}`,
    `gh${"s"}_${LONG}`,
    `github${"_pat"}_11ABCDEFG0_${LONG}`,
    `gl${"pat"}-${A}`,
    `gl${"rt"}-${A}`,
    `xo${"xb"}-123456789012-${A}`,
    `xa${"pp"}-1-A0123-456-${A}`,
    `sk${"_live"}_${A}`,
    `rk${"_live"}_${A}`,
    `sk${"_test"}_${A}`,
    `wh${"sec"}_${LONG}`,
    `gs${"k"}_${LONG}`,
    `xa${"i"}-${LONG}`,
    `sk${"-ant"}-api03-${LONG}`,
    `sk${"-proj"}-${LONG}`,
    `sk${"-or"}-v1-${HEX}`,
    `ya${"29"}.a0_${LONG}`,
    `AI${"za"}Sy${A}${A.slice(0, 13)}`,
    `GOC${"SPX"}-${LONG}`,
    `1${"//0"}${LONG}`,
    `S${"G"}.${A}.${LONG}`,
    `py${"pi"}-AgEIcHlwaS5vcmc${LONG}`,
    `do${"p"}_v1_${HEX}${HEX}`,
    `np${"m"}_${LONG}`,
    `h${"f"}_${LONG}`,
    `ey${"J"}hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${A}`,
    `ey${"J"}hbGciOiJSU0EifQ.${A}.${A}.${A}.${A}`,
    `shp${"at"}_${HEX}`,
    `dckr${"_pat"}_${LONG}`,
    `hv${"s"}.${LONG}`,
    `r${"8"}_${LONG}`,
    `nv${"api"}-${LONG}`,
    `pp${"lx"}-${LONG}`,
    `fig${"d"}_${LONG}`,
    `lin${"_api"}_${LONG}`,
    `gl${"sa"}_${LONG}`,
    `da${"pi"}${HEX}`,
    `key${"-"}${HEX}`,
    `${HEX}${"-us"}12`,
    `12345678${"9"}:AA${LONG.slice(0, 33)}`,
    `dp${"."}pt.${LONG}`,
    `ruby${"gems"}_${LONG}`,
    `AGE-SECRET${"-KEY-1"}${LONG.toUpperCase()}`,
  ].map((secret) => [`the log says ${secret}, then more`, secret] as const),
  [`https://hooks.slack${".com"}/services/T00000000/B00000000/${A}`, A],
  [`Cookie: theme=dark; sid=${PHRASE}; b=c`, PHRASE],
  [`Set-Cookie: sid=${PHRASE}; Path=/; HttpOnly`, PHRASE],
  [`curl -H 'Cookie: sid=${PHRASE}' https://example.com`, PHRASE],
  [`Authorization: Bearer ${PHRASE}`, PHRASE],
  [`Authorization: Basic dXNlcjpwYXNz`, "dXNlcjpwYXNz"],
  [`authorization: token ${PHRASE}`, PHRASE],
  [`Authorization: Digest username="u", nonce="${A}", response="${HEX}"`, HEX],
  [`Authorization: AWS4-HMAC-SHA256 Credential=${A}/20260101, Signature=${HEX}`, HEX],
  [`Proxy-Authorization: Basic ${A}`, A],
  [`X-Api-Key: ${PHRASE}`, PHRASE],
  [`curl -H "X-Auth-Token: ${PHRASE}" x`, PHRASE],
  [`curl -u me:${PHRASE} https://example.com`, PHRASE],
  [`curl -s -u 'me:${PHRASE}' https://example.com`, PHRASE],
  [`curl --user "me:${PHRASE}" https://example.com`, PHRASE],
  [`curl -ume:${PHRASE} https://example.com`, PHRASE],
  [`curl --proxy-user=me:${PHRASE} x`, PHRASE],
  [`mysql -u root -p${PHRASE} db`, PHRASE],
  [`sshpass -p '${PHRASE}' ssh me@host`, PHRASE],
  [`docker login -u me -p ${PHRASE}`, PHRASE],
  [`password: ${PHRASE}`, PHRASE],
  [`db:\n  user: me\n  password: ${PHRASE}\n  port: 1`, PHRASE],
  [`db:\n  password: correcthorse\n`, "correcthorse"],
  [`db:\n  password: "${PHRASE} two"\n`, PHRASE],
  [`- api_key: ${PHRASE}`, PHRASE],
  [`apiKeys:\n  - ${PHRASE}\n  - other-${PHRASE}`, PHRASE],
  [`private_key: |\n  line-${PHRASE}\n  ${PHRASE}\nnext: 1`, PHRASE],
  [`api_key = "${PHRASE}"`, PHRASE],
  [`api_key='${PHRASE}'`, PHRASE],
  [`[db]\npassword = ${PHRASE}\n`, PHRASE],
  [`DB_PASSWORD="${PHRASE}"`, PHRASE],
  [`DB_PASSWORD=${PHRASE}`, PHRASE],
  [`DB_PASSWORD=48291045`, "48291045"],
  [`export X_KEY='${PHRASE}'`, PHRASE],
  [`export OPENAI_API_KEY=${PHRASE}`, PHRASE],
  [`PGPASSWORD=${PHRASE} psql`, PHRASE],
  [`DB_PASS=${PHRASE}`, PHRASE],
  [`SMTPPASS='${PHRASE}'`, PHRASE],
  [`MYSQL_PWD=${PHRASE} mysql`, PHRASE],
  [`$env:GITHUB_TOKEN = "${PHRASE}"`, PHRASE],
  [`set AZURE_CLIENT_SECRET=${PHRASE}`, PHRASE],
  [`//registry.npmjs.org/:_authToken=${PHRASE}`, PHRASE],
  [`AccountName=a;AccountKey=${LONG}==;EndpointSuffix=x`, LONG],
  [`Server=db;User Id=me;Password=${PHRASE};`, PHRASE],
  [`agent --token "${PHRASE}" -v`, PHRASE],
  [`agent --token ${PHRASE}`, PHRASE],
  [`agent --api-key='${PHRASE}'`, PHRASE],
  [`agent --password=${PHRASE}`, PHRASE],
  [inJson({ password: PHRASE }, 0), PHRASE],
  [inJson({ clientSecret: `a"${PHRASE}` }, 0), PHRASE],
  [inJson({ apiKey: `a"${PHRASE}` }, 1), PHRASE],
  [inJson({ access_token: `a"${PHRASE}\\` }, 2), PHRASE],
  [inJson({ apiKeys: ["a]b", PHRASE] }, 0), PHRASE],
  [inJson({ apiKeys: [A, PHRASE] }, 2), PHRASE],
  [`{\n  "password":\n    "${PHRASE}"\n}`, PHRASE],
  [`{'secret': '${PHRASE}'}`, PHRASE],
  [`:password => '${PHRASE}'`, PHRASE],
  [`const apiKey = "${PHRASE}";`, PHRASE],
  [pem("RSA PRIVATE KEY", LONG), LONG],
  [pem("RSA PRIVATE KEY", `Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${HEX}\n\n${LONG}`), LONG],
  [pem("OPENSSH PRIVATE KEY", `b3BlbnNzaC1rZXk\n${LONG}`), LONG],
  [pem("PGP PRIVATE KEY BLOCK", `Version: GnuPG v2 - x\n\n${LONG}\n=abcd`), LONG],
  [inJson({ key: pem("EC PRIVATE KEY", LONG) }, 1), LONG],
  [`-----BEGIN PRIVATE KEY-----\n${LONG}\n${LONG}`, LONG],
  [`postgres://me:p@ss@${PHRASE}@host/db`, PHRASE],
  [`postgres://me:${PHRASE}/p@host/db`, PHRASE],
  [`redis://:${PHRASE}@host:6379/0`, PHRASE],
  [`https://example.com/cb?access_token=${PHRASE}&x=1`, PHRASE],
  [`https://x.blob.example/?sv=1&sig=${A}%3D`, A],
];

const harmless: readonly string[] = [
  ..."commit 52fa4a0c1d2e3f405162738495a6b7c8d9e0f1a2|52fa4a0|sha256:0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9|index 0a1b2c3..d4e5f60 100644|sha512-9fQ2xLr7TzVb4Kd8WmNc9fQ2xLr7TzVb4Kd8WmNc==".split(
    "|",
  ),
  ..."123e4567-e89b-12d3-a456-426614174000|id: 123e4567-e89b-12d3-a456-426614174000|v1.2.3-beta.4+build.567|react@18.2.0|2026-11-23T11:14:41.000Z".split(
    "|",
  ),
  ..."src/api-key.ts|keys/public-key.pem|the file token-bucket.ts|open passwords.test.ts:12|docs/secrets.md#how-to|./keyboard-map.json|id_rsa.pub|src/auth/login.ts:40:2".split(
    "|",
  ),
  ...'tokens: 512|max_tokens: 4096|--max-tokens 100|max_tokens=4096|inputTokens: 12, outputTokens: 7|"maxTokens": 4096|totalTokens=9.5k|{"cachedTokens":"8"}'.split(
    "|",
  ),
  ..."keyboard=qwerty|keyboard: us|monkey: banana1234|hotkey=ctrl+k|primary_key = id|PRIMARY_KEY=user_id|FOREIGN_KEY=a1|key: value|sort_key=name2|PUBLIC_KEY=abc123|keys: a, b".split(
    "|",
  ),
  ..."Your password must be at least 8 characters long.|Password: must be at least 8 characters|What is a token? A secret: keep it.|Forgot your password? Reset it.|The secret to good code is names|Never commit a secret.|the bearer of news|a bearer token is sent|the auth: it is broken|Enter password:|Two tokens: a unit of text.".split(
    "|",
  ),
  ...'password: string|token: string;|apiKey?: string|secret: boolean|password: null|token=null|"password": null|password: required|auth: none|"token": "string"|credentials: include|"auth": "oauth2"'.split(
    "|",
  ),
  ...'const token = getToken();|const password = process.env.PASSWORD;|token === other|if (token == null) return|token => token.id|api_key = os.environ["X"]|let token = tokens[1]|password: req.body.password1,|return this.token;'.split(
    "|",
  ),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: texts of shells
  ..."export API_KEY=$OTHER|API_KEY=${OTHER_KEY}|password: ${{ secrets.DB_1 }}|TOKEN=<your-token>|--token $TOKEN|PASSWORD=******|API_KEY=xxxxxxxx|password: {{ vault_1 }}|--password-stdin|--token-limit 5|use --token to authenticate|the flag --api-key is required".split(
    "|",
  ),
  ..."https://example.com/a?page=2|http://localhost:3000/@scope/pkg|https://host:8080/users/@me|mailto:a@b.c|git@github.com:a/b.git|https://[::1]:80/x|ssh://git@host:22/a|http://a.b:80".split(
    "|",
  ),
  ..."docker run -u 1000:1000 x|git push -u origin main:main|sort -u a:b|chown -R a:b x|curl -u $USER:$PASS x|mkdir -p abc|cp -p a b|PWD=/home/me|OLDPWD=/tmp/1|COMPASS=north1|BYPASS=true".split(
    "|",
  ),
  ..."-----BEGIN PUBLIC KEY-----\\nabc|grep -r '-----BEGIN RSA PRIVATE KEY-----' .|task-list-with-a-very-long-name|sk-learn|eyJ is how a JWT begins|AKIA is a prefix|npm_config_user_agent_value|hf_hub|pk_column|ghp_ is a prefix|Set the cookie: it expires|Basic auth is used".split(
    "|",
  ),
];

test("the corpus has 100 forms and 100 look-alikes", () => {
  expect(secrets.length).toBeGreaterThanOrEqual(100);
  expect(harmless.length).toBeGreaterThanOrEqual(100);
});

test.each(secrets)("defect S14: %j keeps nothing of its secret", (text, secret) => {
  expect(redactText(text)).not.toContain(secret);
  expect(redactText(`first line\n${text}\nlast line`)).not.toContain(secret);
  expect(JSON.stringify(redactSecrets({ params: { text, list: [text] } }))).not.toContain(secret);
  // The output of a command arrives as JSON in JSON.
  expect(redactText(inJson({ text }, 0))).not.toContain(secret);
});

test.each(harmless.map((text) => [text]))("defect S14: %j stays", (text) => {
  expect(redactText(text)).toBe(text);
  expect(redactText(`first line\n${text}\nlast line`)).toBe(`first line\n${text}\nlast line`);
  expect(redactSecrets({ text: [text] })).toEqual({ text: [text] });
});
