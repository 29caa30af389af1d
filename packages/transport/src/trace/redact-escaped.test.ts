import { expect, test } from "vitest";
import { redactSecrets, redactText } from "./redact.js";

/** Secrets, in parts so that no scanner of repositories reports a line. */
const GITHUB = `gh${"p"}_${"a1B2".repeat(9)}`;
const ANTHROPIC = `sk${"-ant"}-api03-${"aB3x".repeat(20)}`;
const AWS = `AK${"IA"}IOSFODNN7EXAMPLE`;
const PHRASE = "hunter2Zq9x";
const ESC = "\u001b";

const secrets: readonly (readonly [what: string, text: string, secret: string])[] = [
  ["a coloured key of GitHub", `${ESC}[32m${GITHUB}${ESC}[0m`, GITHUB],
  ["a bold key of Anthropic", `${ESC}[1m${ANTHROPIC}`, ANTHROPIC],
  ["a coloured key of AWS", `${ESC}[33m${AWS}${ESC}[0m`, AWS],
  ["a key after the reset of tput", `${ESC}(B${GITHUB}`, GITHUB],
  ["a key after a cleared line", `${ESC}[2K${GITHUB}`, GITHUB],
  ["a key after a colour in source code", `"\\x1b[32m${GITHUB}" "\\033[1m${ANTHROPIC}"`, GITHUB],
  ["a coloured name of a variable", `${ESC}[36mDB_PASSWORD${ESC}[0m=${PHRASE}`, PHRASE],
  ["a coloured name in YAML", `${ESC}[36mpassword${ESC}[0m: ${PHRASE}`, PHRASE],
  ["a coloured short name", `${ESC}[1mtoken${ESC}[0m=${PHRASE}`, PHRASE],
  [
    "the colours of jq",
    `${ESC}[34;1m"password"${ESC}[0m${ESC}[1;39m:${ESC}[0m ${ESC}[0;32m"${PHRASE}"${ESC}[0m`,
    PHRASE,
  ],
  ["the marks of grep", `DB_${ESC}[01;31m${ESC}[KPASSWORD${ESC}[m${ESC}[K=${PHRASE}`, PHRASE],
  ["a colour before the name of a program", `${ESC}[32mcurl${ESC}[0m -u me:${PHRASE} https://h`, PHRASE],
  ["a colour inside a key", `gh${"p"}_${"a1B2".repeat(3)}${ESC}[1m${"a1B2".repeat(6)}`, "a1B2a1B2a1B2a1B2"],
  [
    "a link inside a key",
    `gh${"p"}_${"a1B2".repeat(3)}${ESC}]8;;http://h${ESC}\\${"a1B2".repeat(6)}`,
    "a1B2a1B2a1B2a1B2",
  ],
  ["a title inside a key", `gh${"p"}_${"a1B2".repeat(3)}${ESC}]0;x\u0007${"a1B2".repeat(6)}`, "a1B2a1B2a1B2a1B2"],
  ["a colour inside the name of a header", `Author${ESC}[1mization: Basic ${PHRASE}Q`, PHRASE],
  ["a coloured URL", `${ESC}[35mhttps://u:${ESC}[1m${PHRASE}${ESC}[0m@h`, PHRASE],
  ["a line end in JSON", `{"note":"key:\\n${GITHUB}"}`, GITHUB],
  ["a tab in JSON", `"\\t${ANTHROPIC}"`, ANTHROPIC],
  ["a header after a line end in JSON", `"first\\nAuthorization: Basic ${PHRASE}Q"`, PHRASE],
  ["a command after a line end in JSON", `"cd x\\ncurl -u me:${PHRASE} x"`, PHRASE],
  ["a code point in JSON", `"\\u000a${GITHUB}"`, GITHUB],
  ["a space of a URL", `https://h/?next=%20${GITHUB}`, GITHUB],
  ["a doubly encoded sign of a URL", `https://h/?next=%253D${GITHUB}`, GITHUB],
  ["a name that ends with an underscore", `token_${GITHUB} x_${AWS}`, GITHUB],
  ["an index of Python", `os.environ["DB_PASSWORD"] = "${PHRASE}"`, PHRASE],
  ["an index of Ruby", `ENV['DB_PASSWORD'] ||= '${PHRASE}'`, PHRASE],
  ["an index without spaces", `$config["db"]["password"]="${PHRASE}";`, PHRASE],
  ["a list of arguments", `spawn ["mysql","--password","${PHRASE}"]`, PHRASE],
  ["a list of arguments in lines", `[\n  '--password',\n  '${PHRASE}',\n]`, PHRASE],
  ["a password in a call", `run("x", "--api-key", "${PHRASE}")`, PHRASE],
  ["a URL of a database whose password starts like a port", `postgres://u:12/${PHRASE}@h`, PHRASE],
  ["a longer one", `mysql+pymysql://u:1234/5678${PHRASE}@db.example.com:5432/x`, PHRASE],
  ["a URL of JSON with escaped slashes", `"https:\\/\\/u:${PHRASE}@h"`, PHRASE],
  ["an encoded URL", `https%3A%2F%2Fu%3A${PHRASE}%40h`, PHRASE],
];

test.each(secrets)("defect S14: a log keeps nothing of a secret: %s", (_, text, secret) => {
  for (const form of [text, `first line\n${text}\nlast line`, JSON.stringify(text), JSON.stringify({ a: [text] })]) {
    expect(redactText(form)).not.toContain(secret);
  }
  expect(JSON.stringify(redactSecrets({ params: { text, list: [text] } }))).not.toContain(secret);
});

test.each([
  "highp_precisionVertexShaderUniform",
  "C:\\src\\task-management-for-everybody-else",
  "C:\\new\\ask-aaaaaaaaaaaaaaaaaaaa",
  "the_task-runner_with_a_very_long_name_indeed",
  "session_key-0a1b2c3d4e5f60718293a4b5c6d7e8f9",
  `${ESC}[32mtokens${ESC}[0m: 512`,
  `${ESC}[1mpassword${ESC}[0m: string`,
  `${ESC}[31mpassword authentication failed${ESC}[0m for user "postgres"`,
  `${ESC}[33mtask-list-with-a-very-long-name${ESC}[0m`,
  "https://h/?q=%20task-list-with-a-very-long-name",
  '"\\ntoken = getToken();\\n"',
  'if (row["password"] === "") return',
  'config["token"] = getToken()',
  'const key = row["primary_key"] = "id"',
  'headers["Authorization"] = "Bearer " + token',
  'process.env["API_KEY"] = process.env["OTHER_KEY"]',
  'args: ["--password", "--verbose"]',
  'args: ["--token", "$TOKEN", "--password-stdin", "x"]',
  '.option("--password", "Password of the database")',
  'program.option("--token", "-t")',
  'map = ["--password", "password"]',
  "postgres://localhost:5432/app",
  "postgres://db.example.com:5432/app@x",
  "postgres://db:5432/app?mail=a@b",
  "http://localhost:8080/@fs/home",
  "https://registry:4873/react@18.2.0/umd",
  "https:\\/\\/example.com:8080\\/users\\/@me",
  "https%3A%2F%2Fexample.com%3A8080%2Fusers%2F%40me",
])("defect S14: %j is not a secret, and stays", (text) => {
  for (const form of [text, `first line\n${text}\nlast line`, JSON.stringify(text)])
    expect(redactText(form)).toBe(form);
  expect(redactSecrets({ text: [text] })).toEqual({ text: [text] });
});

test("defect S14: a secret goes, and the colours around it stay", () => {
  expect(redactText(`${ESC}[36mDB_PASSWORD${ESC}[0m=${ESC}[1m${PHRASE}${ESC}[0m ${ESC}[32mok${ESC}[0m`)).toBe(
    `${ESC}[36mDB_PASSWORD${ESC}[0m=${ESC}[1m[redacted]${ESC}[0m ${ESC}[32mok${ESC}[0m`,
  );
});
