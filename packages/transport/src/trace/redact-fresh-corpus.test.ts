import { expect, test } from "vitest";
import { redactSecrets, redactText } from "./redact.js";

/**
 * A second corpus, written from lists of public key formats and from configuration files of common tools, before it was
 * run once. The secret stands between « and ».
 * The sign ¦ is taken out, so that no scanner of repositories reports a line. The sign § stands for a dollar sign.
 */
const forms = String.raw`
Created token «ATA¦TT3xFfGF0bXk9Qz7LmVt2RcYp8Wd4Ns6Hj» for Jira
git clone https://x-token-auth:«ATB¦BqW3eRt5yUi7oPa9sDf»@bitbucket.org/team/repo.git
netlify token is «nfp¦_Xk9Qz7LmVt2RcYp8Wd4Ns6HjBg1Ef5Ua»
LANGSMITH «lsv2¦_pt_0a1b2c3d4e5f60718293a4b5c6d7e8f9_0a1b2c3d4e»
pinecone: «pcsk¦_4Xk9Qz_7LmVt2RcYp8Wd4Ns6HjBg1Ef5UaXk9Qz7L»
cerebras «csk¦-k4xk9qz7lmvt2rcyp8wd4ns6hjbg1ef5ua»
the firecrawl key «fc¦-0a1b2c3d4e5f60718293a4b5c6d7e8f9» was rejected
resend said: key «re¦_Xk9Qz7Lm_Vt2RcYp8Wd4Ns6HjBg1» is invalid
e2b «e2b¦_0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d»
notion «secret¦_Xk9Qz7LmVt2RcYp8Wd4Ns6HjBg1Ef5UaXk9Qz7LmVt2»
circle: «CCIPAT¦_Xk9Qz7LmVt2RcYp8Wd_0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d»
buildkite «bkua¦_0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d»
dropbox short-lived «sl¦.BXk9Qz7LmVt2RcYp8Wd4Ns6HjBg1Ef5UaXk9Qz7LmVt2RcYp8Wd4Ns6HjBg1Ef5UaXk9Qz7LmVt2RcYp8Wd4»
mapbox «sk¦.eyJ1IjoibWUiLCJhIjoiY2sxIn0.Xk9Qz7LmVt2RcYp8Wd4Ns6»
square production «EAAA¦EXk9Qz7LmVt2RcYp8Wd4Ns6HjBg1Ef5UaXk9Qz7LmVt2RcYp8Wd4Ns6HjBg1»
facebook page token «EAAC¦EdEose0cBAXk9Qz7LmVt2RcYp8Wd4Ns6HjBg1Ef5Ua»
«access¦_token$production$0a1b2c3d4e5f6071$0a1b2c3d4e5f60718293a4b5c6d7e8f9»
alibaba id LTAI5tXk9Qz7LmVt secret_access_key «Xk9Qz7LmVt2RcYp8Wd4Ns6HjBg1Ef5»
fly.io: «FlyV1 fm¦2_lJPECAAAAAAAXk9Qz7LmVt2RcYp8Wd4Ns6HjBg1Ef5Ua»
azure secret «Xk98Q¦~z7LmVt2RcYp8Wd4Ns6HjBg1Ef5UaXk9Qz»
neon «npg¦_Xk9Qz7LmVt2R»
contentful «CFPAT¦-Xk9Qz7LmVt2RcYp8Wd4Ns6HjBg1Ef5UaXk9Qz7LmVt2»
infracost «ico¦-Xk9Qz7LmVt2RcYp8Wd4Ns6HjBg1Ef5Ua»
heroku «HRKU¦-AAXk9Qz7LmVt2RcYp8Wd4Ns6HjBg1Ef5UaXk9Qz7LmVt2RcYp8Wd4Ns6H»
1password «ops¦_eyJzaWduSW5BZGRyZXNzIjoibXkuMXBhc3N3b3JkLmNvbSIs»
prefect «pnu¦_Xk9Qz7LmVt2RcYp8Wd4Ns6HjBg1Ef5UaXk9Q»
jfrog «AKC¦p8Xk9Qz7LmVt2RcYp8Wd4Ns6HjBg1Ef5UaXk9Qz7LmVt2RcYp8Wd4Ns6HjBg1Ef5UaXk9Qz7L»
typeform «tfp¦_Xk9Qz7LmVt2RcYp8Wd4Ns6HjBg1Ef5UaXk9Qz7LmV_3pZqW3eRt»
openai service account «sk¦-svcacct-Xk9Qz7LmVt2RcYp8Wd4Ns6HjBg1Ef5Ua»
deepseek «sk¦-0a1b2c3d4e5f60718293a4b5c6d7e8f9»
langfuse «sk¦-lf-0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9»
telegram https://api.telegram.org/bot«123456789¦:AAXk9Qz7LmVt2RcYp8Wd4Ns6HjBg1Ef5UaX»/sendMessage
https://mycompany.webhook.office.com/webhookb2/«0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9@0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9/IncomingWebhook/0a1b2c3d4e5f60718293a4b5c6d7e8f9»/x
https://chat.googleapis.com/v1/spaces/AAAA/messages?key=«Xk9Qz7LmVt2Rc»&token=abc
https://hooks.zapier.com/hooks/catch/123456/«abc9qz7»/
otpauth://totp/Example:me?secret=«JBSWY3DPEHPK3PXP»&issuer=Example
https://s3.amazonaws.com/b/k?X-Amz-Credential=AK&X-Amz-Signature=«0a1b2c3d4e5f60718293a4b5c6d7e8f9»
https://s3.amazonaws.com/b/k?X-Amz-Security-Token=«FwoGZXIvYXdzEBYaDOe9mA»&X-Amz-Date=1
git remote set-url origin https://«ghq¦Xk9Qz7LmVt2RcYp8Wd4Ns6HjBg1Ef5Ua0011»@github.com/o/r.git
https://oauth2:«n0tAnyPrefix7»@gitlab.com/a/b.git
mongodb+srv://admin:«S3cr3t%21Pa»@cluster0.abcde.mongodb.net/test
amqp://guest:«gu3stpw»@rabbit:5672/%2f
jdbc:postgresql://db/app?user=me&password=«correct-horse-7»
jdbc:sqlserver://db:1433;databaseName=x;user=sa;password=«Str0ngOne!»;encrypt=true
Driver={ODBC};Server=x;Uid=sa;Pwd=«Str0ngOne!»;
Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=«Xk9Qz7LmVt2RcYp8Wd4Ns6HjBg1Ef5UaXk9Q=»
SharedAccessSignature sr=x&sig=«Xk9Qz7LmVt2RcYp8%3D»&se=1
psql "host=db user=me password=«hunter2horse» dbname=x"
machine github.com login me password «hunter2horse»
db.example.com:5432:app:me:«hunter2horse»
<password>«hunter2-horse»</password>
<add key="ApiKey" value="«Xk9Qz7LmVt2RcYp8»" />
<server><id>x</id><username>u</username><password>«{COQLCE6DU6GtcS5P=}»</password></server>
[Interface] PrivateKey = «yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=»
PresharedKey = «/UwcSPg38hW/D9Y3tcS1FOV0K1wuURMbS0sesJEP5ak=»
network={ ssid="x" psk="«correct horse battery»" }
openssl rsa -in k.pem -passin pass:«hunter2horse» -out x
openssl pkcs12 -export -passout pass:«hunter2horse»
gpg --batch --passphrase «hunter2horse» -d x.gpg
wget --user me --password «hunter2horse» http://x
mysql --user=root --password=«hunter2horse» app
mysqldump -uroot -p'«hunter2 horse»' app
ldapsearch -x -D cn=admin -w «hunter2horse» -b dc=x
smbclient //srv/share -U me%«hunter2horse»
htpasswd -b -c .htpasswd me «hunter2horse»
net use \\srv\share /user:me «hunter2horse»
echo «hunter2horse» | docker login -u me --password-stdin
echo "«hunter2horse»" | sudo -S apt update
az login --service-principal -u app -p «hunter2horse» --tenant t
aws configure set aws_secret_access_key «wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY»
npm config set //registry.npmjs.org/:_authToken «0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9»
npm config set _auth «bWU6aHVudGVyMg==»
pip install --index-url https://me:«hunter2horse»@pypi.example.com/simple x
vault login «s.Xk9Qz7LmVt2RcYp8Wd4Ns6Hj»
redis-cli -h db -a «hunter2horse» ping
curl -H "PRIVATE-TOKEN: «n0tAnyPrefix7Xk9»" https://gitlab.com
curl -H 'X-Vault-Token: «s.Xk9Qz7Lm»' https://vault
curl -H "x-goog-api-key: «Xk9Qz7LmVt2Rc»" https://g
curl -H "Ocp-Apim-Subscription-Key: «0a1b2c3d4e5f60718293a4b5c6d7e8f9»" https://a
curl -H "apikey: «Xk9Qz7LmVt2RcYp8»" https://supabase
curl -b "session=«Xk9Qz7LmVt2RcYp8»" https://a
curl --cookie 'sid=«Xk9Qz7LmVt2RcYp8»' https://a
curl -d 'grant_type=password&username=me&password=«hunter2horse»' https://a
curl -d '{"username":"me","password":"«hunter2horse»"}' https://a
http -a me:«hunter2horse» GET example.com
http GET example.com Authorization:"Bearer «Xk9Qz7LmVt2RcYp8»"
headers = {'Authorization': 'Bearer ' + '«Xk9Qz7LmVt2RcYp8Wd4»'}
requests.get(u, auth=("me", "«hunter2horse»"))
client = OpenAI(api_key="«Xk9Qz7LmVt2RcYp8»")
.setPassword("«hunter2-horse»")
spring.datasource.password=«hunter2horse»
define('DB_PASSWORD', '«hunter2horse»');
SECRET_KEY = '«django-insecure-#x9(k!z7lm»'
Rails.application.secret_key_base: «0a1b2c3d4e5f60718293a4b5c6d7e8f9»
MNEMONIC="«candy maple cake sugar pudding cream honey rich smooth crumble sweet treat»"
{"auths":{"ghcr.io":{"auth":"«bWU6aHVudGVyMmhvcnNl»"}}}
{"kty":"RSA","n":"abc","e":"AQAB","d":"«X4cTteJY_gn4FYPsXB8rdXix5vwsg1FLN5E3EaG6RJoVH»"}
client-key-data: «LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQo»
Sec-WebSocket-Protocol: base64url.bearer.authorization.k8s.io.«ZXlKaGJHY2lPaUpTVXpJMU5pSjk»
git config http.extraheader "AUTHORIZATION: basic «eC1hY2Nlc3M6aHVudGVyMg==»"
ENV GITHUB_TOKEN=«n0tAnyPrefix7Xk9»
- name: DB_PASSWORD\n    value: «hunter2horse»
fish: set -gx OPENAI_API_KEY «Xk9Qz7LmVt2RcYp8»
  "password" : "«pa\"ss\\word»",
Username: me, Password: «Hunter2Horse!»
your temporary password is «Hunter2Horse!»
`;

const lookAlikes = `
Merge branch 'feature/reset-password' into main
Error: password authentication failed for user "postgres"
fatal: Authentication failed for 'https://github.com/o/r.git/'
remote: Support for password authentication was removed on August 13, 2021.
sudo: a password is required
Password must contain 1 digit, 1 upper-case letter
error TS2304: Cannot find name 'tokenizer'.
SyntaxError: Unexpected token } in JSON at position 1024
Unexpected token: punc (;) at line 12
tokens used: 12,345 / 200,000
prompt_tokens=1532 completion_tokens=88
the context window is 128k tokens
lexer.nextToken(): Token
const tokens = tokenize(source);
if (token.kind === SyntaxKind.Identifier) {
export type TokenKind = "number" | "string";
token: Token = { kind: "eof" };
case "token": return parseToken(stream);
let key = map.keys().next().value;
for (const [key, value] of Object.entries(x)) {
<li key={item.id}>{item.name}</li>
<input type="password" name="password" autocomplete="new-password">
<label for="password">Password</label>
<input type="password" placeholder="Password" required />
password_hash = bcrypt.hashpw(password.encode(), salt)
def check_password(self, password: str) -> bool:
public string Password { get; set; }
private final String apiKey;
func NewClient(apiKey string, opts ...Option) *Client {
fn token(&self) -> Option<&str>
CREATE TABLE users (id SERIAL PRIMARY KEY, password TEXT NOT NULL);
ALTER TABLE t ADD FOREIGN KEY (user_id) REFERENCES users(id);
SELECT token, secret FROM sessions WHERE id = $1
KEY idx_name (name, email)
GRANT ALL ON db.* TO 'me'@'localhost' IDENTIFIED BY PASSWORD
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE5x0Xk9Qz7LmVt2RcYp8Wd4Ns6HjBg1Ef5Ua me@host
SHA256:uNiVztksCsDhcc0u9e8BrrJXVGDqgZWXcgYlEg5kR3s me@host (ED25519)
-----BEGIN CERTIFICATE----- MIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBa
-----BEGIN PGP SIGNATURE----- iQEzBAABCAAdFiEE
-----BEGIN PGP PUBLIC KEY BLOCK----- mQENBF
integrity sha512-V1Tq1Xk9Qz7LmVt2RcYp8Wd4Ns6HjBg1Ef5UaXk9Qz7LmVt2RcYp8Wd4Ns6HjBg1Ef5UaXk9Qz7LmVt2RcYp8Wd4==
resolved "https://registry.npmjs.org/lodash/-/lodash-4.17.21.tgz#679591c564c3bffaae8454cf0b3df370c3d6911c"
ETag: "33a64df551425fcc55e4d42a148795d9f25f89d4"
nonce-2726c7f26c
traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
request-id: req_011CSHoEeqs5C35K2UUqR7Fy
docker pull ghcr.io/o/r@sha256:0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9
http://localhost:5173/@vite/client
http://localhost:8080/@fs/home/me/x.ts
https://unpkg.com/react@18.2.0/umd/react.production.min.js
https://medium.com/@someone/a-post-about-tokens-1234567890ab
see https://example.com:443/u/@me and a@b.example
postgres://localhost:5432/app
redis://localhost:6379/0
ws://127.0.0.1:9229/0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9
https://example.com/login?next=/home&lang=de
https://example.com/search?q=api+key&page=2
https://example.com/reset-password?step=2
file:///home/me/keys/readme.md:12
/etc/passwd:root:x:0:0:root:/root:/bin/bash
auth.log: session opened for user me
src/auth/token.service.ts(12,5): error TS2322
packages/auth/src/secrets/index.ts | 12 ++--
 create mode 100644 src/password-reset/form.tsx
rename src/{key.ts => keys.ts} (98%)
✓ rejects a wrong password (12 ms)
it("returns 401 without a token", async () => {
describe('API key: rotation', () => {
expect(token).toBe(undefined)
# Set your API key in the environment
Set OPENAI_API_KEY in your shell, then run it again.
export OPENAI_API_KEY=your-api-key-here
API_KEY=changeme
ANTHROPIC_API_KEY=sk-ant-...
OPENAI_API_KEY=<paste it here>
GITHUB_TOKEN: §{{ github.token }}
token: §{{ secrets.GITHUB_TOKEN }}
password: !vault |
password: ENC(x)
secretKeyRef: { name: db, key: password }
secretName: my-tls
tokenEndpoint: /oauth/token
token_type: Bearer
"token_type":"Bearer","expires_in":3600
authType: none
authorization_code
grant_type=authorization_code
auth: required
auth_method: publickey
Accept-Encoding: gzip, Authorization
Access-Control-Allow-Headers: Authorization, Content-Type
Vary: Cookie, Accept-Encoding
cookie-parser@1.4.6
keybindings: ctrl+k ctrl+s
keymap: emacs
key: Enter
onKeyDown={(e) => e.key === "Escape" && close()}
Keys: ↑↓ to move, enter to select
PasswordAuthentication no
PubkeyAuthentication yes
IdentityFile ~/.ssh/id_ed25519
ssh -p 2222 me@host
scp -P 2222 a me@host:/tmp/b
cp -p a:b c
docker run -p 8080:80 -u 1000:1000 nginx
kubectl get secret my-secret -o yaml
gh secret set NAME
vault kv get secret/app
pass show mail/me
sort -k 2 -t : -u
class SecretSanta {}
the secret ingredient is love
a key takeaway: tests are cheap
`;

const lines = (text: string) =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.replaceAll("¦", "").replaceAll("§", "$").replaceAll("\\n", "\n"));

const secrets = lines(forms).map((line) => {
  const secret = /«([^»]*)»/.exec(line)?.[1] ?? "";
  return [line.replace(/[«»]/g, ""), secret] as const;
});
const harmless = lines(lookAlikes);

test("the second corpus has 100 forms and 100 look-alikes", () => {
  expect(secrets.length).toBeGreaterThanOrEqual(100);
  expect(harmless.length).toBeGreaterThanOrEqual(100);
});

test.each(secrets)("defect S14: %j keeps nothing of its secret", (text, secret) => {
  expect(secret).not.toBe("");
  expect(redactText(text)).not.toContain(secret);
  expect(redactText(`first line\n${text}\nlast line`)).not.toContain(secret);
  expect(JSON.stringify(redactSecrets({ params: { text, list: [text] } }))).not.toContain(secret);
});

test.each(harmless.map((text) => [text]))("defect S14: %j stays", (text) => {
  expect(redactText(text)).toBe(text);
  expect(redactText(`first line\n${text}\nlast line`)).toBe(`first line\n${text}\nlast line`);
  expect(redactSecrets({ text: [text] })).toEqual({ text: [text] });
});
