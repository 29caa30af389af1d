import { expect, test } from "vitest";
import { redactSecrets, redactText } from "./redact.js";

/**
 * A third corpus, written from command lines and settings that the first two do not have. Its signs are those of the
 * second one.
 */
const forms = `
set -x DB_PASSWORD «hunter2-Horse!9»
set -gx API_TOKEN «Xk9Qz7LmVt2RcYp8Wd4N»
§env:API_KEY = "«Xk9Qz7LmVt2RcYp8Wd4N»"
setx API_KEY "«Xk9Qz7LmVt2RcYp8Wd4N»"
ENV API_KEY «Xk9Qz7LmVt2RcYp8Wd4N»
docker build --build-arg NPM_TOKEN=«Xk9Qz7LmVt2RcYp8Wd4N» .
kubectl create secret generic x --from-literal=password=«hunter2-Horse!9»
helm install --set db.password=«hunter2-Horse!9» x
psql "host=h user=u password=«hunter2-Horse!9» dbname=d"
jdbc:postgresql://h/db?user=u&password=«hunter2-Horse!9»
redis://:«hunter2-Horse!9»@h:6379
curl --oauth2-bearer «Xk9Qz7LmVt2RcYp8Wd4N» x
http --auth me:«hunter2-Horse!9» x
wget --password=«hunter2-Horse!9» x
machine github.com login me password «hunter2-Horse!9»
_auth=«bWU6aHVudGVyMi1Ib3JzZQ==»
<add key="ApiKey" value="«Xk9Qz7LmVt2RcYp8Wd4N»"/>
'client_secret' => '«Xk9Qz7LmVt2RcYp8Wd4N»',
AccountKey=«Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm8=»
https://x.s3.amazonaws.com/k?X-Amz-Signature=«0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9»
Set-Cookie: session=«Xk9Qz7LmVt2RcYp8Wd4N»; Path=/
X-Auth-Token: «Xk9Qz7LmVt2RcYp8Wd4N»
AC0123 auth token «0a1b2c3d4e5f60718293a4b5c6d7e8f9»
twilio authToken: «0a1b2c3d4e5f60718293a4b5c6d7e8f9»
vercel_blob¦_rw_«Xk9Qz7LmVt2RcYp8Wd4N_Xk9Qz7LmVt2RcYp8Wd4N»
the key vc¦p_«Xk9Qz7LmVt2RcYp8Wd4NXk9Qz7LmVt2RcYp8Wd4N» was revoked
origin key v1.0¦-«0a1b2c3d4e5f60718293a4b5-0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60»
hubspot pat¦-na1-«0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9»
AKI¦AIOSFODNN7EXAMPLE and secret «wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY»
seed phrase: «abandon ability able about above absent absorb abstract absurd abuse access accident»
mnemonic="«legal winner thank year wave sausage worth useful legal winner thank yellow»"
Private-Lines: 1 «AAAAIHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4»
https://outlook.office.com/webhook/«Xk9Qz7LmVt2RcYp8Wd4N/IncomingWebhook/Xk9Qz7LmVt2RcYp8Wd4N»
https://maker.ifttt.com/trigger/x/with/key/«Xk9Qz7LmVt2RcYp8Wd4N»
https://mainnet.infura.io/v3/«0a1b2c3d4e5f60718293a4b5c6d7e8f9»
https://eth-mainnet.g.alchemy.com/v2/«Xk9Qz7LmVt2RcYp8Wd4NXk9Qz7LmVt2RcYp8Wd4N»
BW_SESSION="«Xk9Qz7LmVt2RcYp8Wd4NXk9Qz7LmVt2RcYp8Wd4N==»"
export OP_SESSION_my="«Xk9Qz7LmVt2RcYp8Wd4NXk9Qz7LmVt2RcYp8Wd4N»"
TF_TOKEN_app_terraform_io=«Xk9Qz7LmVt2RcYp8Wd4N»
vault write auth/approle/login secret_id=«0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9»
Unseal Key 1: «Xk9Qz7LmVt2RcYp8Wd4NXk9Qz7LmVt2RcYp8Wd4N==»
K10¦0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9::server:«0a1b2c3d4e5f60718293a4b5c6d7e8f9»
v2.local¦.«Xk9Qz7LmVt2RcYp8Wd4NXk9Qz7LmVt2RcYp8Wd4NXk9Qz7LmVt2RcYp8Wd4N»
RWRTY0Iy¦«Xk9Qz7LmVt2RcYp8Wd4NXk9Qz7LmVt2RcYp8Wd4NXk9Qz7LmVt2RcYp8Wd4N»
mongo -u me -p «hunter2-Horse!9» h
mongodump --uri=x -p «hunter2-Horse!9»
rclone obscure «hunter2-Horse!9»
openssl enc -aes-256-cbc -k «hunter2-Horse!9» -in x
openssl rsa -passin pass:«hunter2-Horse!9» -in x
zip -P «hunter2-Horse!9» x.zip y
unzip -P «hunter2-Horse!9» x.zip
7z x -p«hunter2-Horse!9» x.7z
sqlcmd -S h -U sa -P «hunter2-Horse!9»
composer config http-basic.example.org u «hunter2-Horse!9»
npm config set //r/:_authToken «Xk9Qz7LmVt2RcYp8Wd4N»
pip install --index-url https://u:«hunter2-Horse!9»@h/simple x
WALLET_SEED=«Xk9Qz7LmVt2RcYp8Wd4N»
SLACK_WEBHOOK=«https://example.org/Xk9Qz7LmVt2RcYp8Wd4N»
STRIPE_OAUTH="«Xk9Qz7LmVt2RcYp8Wd4N»"
gpg --passphrase «hunter2-Horse!9» -d x
`;

const lookAlikes = `
Token count: 1523 tokens used
const tokenizer = new Tokenizer(options)
password: z.string().min(8)
interface Props { apiKey: string; token?: string }
"devDependencies": { "keytar": "7.9.0" }
keyboard: qwerty-layout-2
secretName: my-app-secret
secretRef: app-credentials
valueFrom: secretKeyRef
if (!process.env.API_KEY) throw new Error("API_KEY is missing")
Authorization: Bearer <token>
commit 0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d
sha256:0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9
uuid 0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9
-----BEGIN CERTIFICATE-----
-----BEGIN PUBLIC KEY-----
token = next_token(stream)
let pass = 0; let fail = 3;
PASS src/a.test.ts (5.123 s)
session: active
session: open
cookie: disabled
cookies: enabled
cookieConsent: "granted"
auth: true
x-request-id: 7f3c1b2a9d8e4f60
mysql -p
psql -U postgres -W
the key is to keep it simple
jwt.verify(token, publicKey)
const { password, ...rest } = user
password === confirmPassword
redis://localhost:6379/0
http://[::1]:8080/@vite/client
https://[2001:db8::1]:8443/a@b
npm ERR! 404 Not Found - GET https://registry.npmjs.org/@scope%2fname
bearer of bad news
--password-file /run/x
password_hash_rounds=12
PATH_KEY=/usr/bin
API_KEY=/run/secrets/api_key
pwd: /home/me
pwd: ~/project
KEY_ENTER=13
HOTKEY=ctrl+k
authors = ["Me <me@x>"]
spat: x
pattern: ^[a-z]+$
stringify: compact
database: production
base: origin/main
seed: 42
random_seed=1234
--seed 7
oauth: disabled
webhook: deploy
pem: true
the seed phrase has twelve words, and each word is in the list of words
backup: every night the server copies all of its files to another machine at once
scp -P 2222 a b:c
mkdir -p a/b
cp -p a b
zip -r x.zip y
unzip x.zip -d y
7z a x.7z y
openssl x509 -in x -noout
sort -k 2 x
mongo --port 27017
curl -k https://example.org
https://infura.io/docs
version v1.0-beta
pat-answer-for-everyone
a K10 climb
v2.local.md
auth token expired
auth token: missing
unseal key 1 of 3
secret wordsAreNotKeysBecauseTheyAreTooShort
export SESSION_NAME=work
sessions: 12
dsn = sqlite:memory
`;

const lines = (text: string) =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.replaceAll("¦", "").replaceAll("§", "$"));

const secrets = lines(forms).map((line) => {
  const secret = /«([^»]*)»/.exec(line)?.[1] ?? "";
  return [line.replace(/[«»]/g, ""), secret] as const;
});

test.each(secrets)("defect S14: %j keeps nothing of its secret", (text, secret) => {
  expect(secret).not.toBe("");
  for (const form of [text, `first line\n${text}\nlast line`, JSON.stringify({ text })]) {
    expect(redactText(form)).not.toContain(JSON.stringify(secret).slice(1, -1));
  }
  expect(JSON.stringify(redactSecrets({ params: { text, list: [text] } }))).not.toContain(secret);
});

test.each(lines(lookAlikes).map((text) => [text]))("defect S14: %j stays", (text) => {
  expect(redactText(text)).toBe(text);
  expect(redactText(`first line\n${text}\nlast line`)).toBe(`first line\n${text}\nlast line`);
  expect(redactSecrets({ text: [text] })).toEqual({ text: [text] });
});
