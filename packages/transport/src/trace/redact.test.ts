import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { REDACTED, redactSecrets, redactText } from "./redact.js";

const SECRET = "hunter2-correct-horse";

describe("redactSecrets", () => {
  it.each<[string, unknown, unknown]>([
    ["env as an object", { env: { PATH: SECRET } }, { env: { PATH: REDACTED } }],
    [
      "env as pairs",
      { env: [{ name: "HOME", value: SECRET, _meta: { why: SECRET } }] },
      { env: [{ name: "HOME", value: REDACTED, _meta: { why: REDACTED } }] },
    ],
    ["env as texts", { env: [`A=${SECRET}`] }, { env: [`A=${REDACTED}`] }],
    ["headers", { headers: [{ name: "X-Any", value: SECRET }] }, { headers: [{ name: "X-Any", value: REDACTED }] }],
    ["headers as an object", { Headers: { "X-Any": SECRET } }, { Headers: { "X-Any": REDACTED } }],
    ["a token", { accessToken: SECRET, id: 1 }, { accessToken: REDACTED, id: 1 }],
    ["auth", { auth: { user: { pass: SECRET } } }, { auth: { user: { pass: REDACTED } } }],
    ["a list of tokens", { tokens: [SECRET, 7] }, { tokens: [REDACTED, 7] }],
    ["a named pair", { name: "API_KEY", value: SECRET }, { name: "API_KEY", value: REDACTED }],
    ["an argument", ["run", "--api-key", SECRET], ["run", "--api-key", REDACTED]],
    ["an argument with =", [`--client-secret=${SECRET}`], [`--client-secret=${REDACTED}`]],
    [
      "a member called __proto__",
      JSON.parse(`{"__proto__":{"password":"${SECRET}"}}`),
      JSON.parse(`{"__proto__":{"password":"${REDACTED}"}}`),
    ],
  ])("hides %s, and leaves the names", (_, message, expected) => {
    const before = JSON.stringify(message);
    const safe = redactSecrets({ params: message });
    expect(JSON.stringify(safe)).toBe(JSON.stringify({ params: expected }));
    expect(JSON.stringify(message)).toBe(before);
  });

  it("leaves counts, capabilities and everything else as they are, and the very object", () => {
    const message = {
      usage: { inputTokens: 7, totalTokens: 9 },
      capabilities: { auth: { terminal: true } },
      params: { sessionId: "s-1", prompt: [{ type: "text", text: "What is a token? A secret: keep it." }] },
    };
    expect(redactSecrets(message)).toBe(message);
  });

  it("hides named secrets wherever they stand, also inside of texts", () => {
    const message = { params: { text: `I saw ${SECRET}!`, list: [SECRET] } };
    expect(redactSecrets(message, [SECRET, "a"])).toEqual({
      params: { text: `I saw ${REDACTED}!`, list: [REDACTED] },
    });
  });

  it("shows nothing of what lies too deep to be looked at", () => {
    let message: unknown = SECRET;
    for (let depth = 0; depth < 20_000; depth++) message = [message];
    expect(JSON.stringify(redactSecrets(message))).not.toContain(SECRET);
  });

  it("never lets a value of env, headers or a secret's name through, whatever is around it", () => {
    const place = fc.constantFrom(
      { env: { ANY: SECRET } },
      { headers: [{ name: "a", value: SECRET }] },
      { password: SECRET },
      { refresh_token: { deep: [SECRET] } },
    );
    const around = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        place,
        fc.array(tie("tree"), { minLength: 1, maxLength: 3 }),
        fc.dictionary(fc.string(), tie("tree"), { maxKeys: 3 }),
      ),
    })).tree;
    fc.assert(fc.property(around, (message) => !JSON.stringify(redactSecrets(message)).includes(SECRET)));
  });
});

describe("redactText", () => {
  test.each([
    [`Authorization: Bearer ${SECRET}`, `Authorization: ${REDACTED}`],
    [`sent "bearer ${SECRET}"`, `sent "bearer ${REDACTED}"`],
    ["key sk-ant-api03-abcdefghijklmnop is invalid", `key ${REDACTED} is invalid`],
    ["remote: ghp_0123456789abcdefghij", `remote: ${REDACTED}`],
    ["AKIAIOSFODNN7EXAMPLE", REDACTED],
    ["jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", `jwt ${REDACTED}`],
    [`https://me:${SECRET}@example.com/x`, `https://${REDACTED}@example.com/x`],
    [
      `https://example.com/cb?state=1&access_token=${SECRET}#top`,
      `https://example.com/cb?state=1&access_token=${REDACTED}#top`,
    ],
    [`agent --token ${SECRET} --verbose`, `agent --token ${REDACTED} --verbose`],
    [`{"apiKey": "${SECRET}\\"!", "page": "2"}`, `{"apiKey": "${REDACTED}", "page": "2"}`],
    [`{"text":"{\\"refresh_token\\":\\"${SECRET}\\"}"}`, `{"text":"{\\"refresh_token\\":\\"${REDACTED}\\"}"}`],
    [`hf_${"aB3".repeat(11)} is gone`, `${REDACTED} is gone`],
    [`export OPENAI_API_KEY=${SECRET}`, `export OPENAI_API_KEY=${REDACTED}`],
    ["-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nok", `${REDACTED}\nok`],
  ])("%j becomes %j", (text, safe) => {
    expect(redactText(text)).toBe(safe);
  });

  test.each([
    "--max-tokens 100",
    "the bearer of news",
    "https://example.com/a?page=2",
    "keyboard=qwerty",
    "task-list",
    '{"maxTokens":"8"}',
  ])("%j stays", (text) => {
    expect(redactText(text)).toBe(text);
  });

  test.each([
    [`eyJ${"a".repeat(20)} eyJ${"b".repeat(20)}.${"c".repeat(20)}-x`, `eyJ${"a".repeat(20)} ${REDACTED}`],
    [`run -x --a-very-long-name-token=${SECRET}.`, `run -x --a-very-long-name-token=${REDACTED}`],
    [`sk-${"a".repeat(6_000_000)} ok`, `${REDACTED} ok`],
    [`{"token":"${'\\"x'.repeat(2_000_000)}"}`, `{"token":"${REDACTED}"}`],
    [`?token=${"x".repeat(6_000_000)}&a`, `?token=${REDACTED}&a`],
    [`-----BEGIN PRIVATE KEY-----${"x\n".repeat(3_000_000)}-----END PRIVATE KEY-----.`, `${REDACTED}.`],
    [`bearer ${"x".repeat(6_000_000)}==`, `bearer ${REDACTED}`],
    [`eyJ${"a".repeat(2_000_000)}.${"b".repeat(2_000_000)}.${"c".repeat(2_000_000)}`, REDACTED],
  ])("a secret is hidden whole, however long: case %#", (text, safe) => {
    expect(redactText(text) === safe).toBe(true);
  });

  it("redacts every text after the first 20 000 of a message", () => {
    const list = Array.from({ length: 20_002 }, () => "a");
    expect((redactSecrets({ list: ["", ...list] }) as { list: string[] }).list.slice(19_999)).toEqual([
      ...["a", "a", REDACTED, REDACTED],
    ]);
  });
});
