import { expect, it } from "vitest";
import { answerFile } from "./page-files.js";

const ask = (path: string, method = "GET") => answerFile(new Request(`http://127.0.0.1${path}`, { method }));

it.each([
  "/../package.json",
  "/assets/../../package.json",
  "/%2e%2e/package.json",
  "/.env",
  "/a/b",
  "//etc/passwd",
  "/assets/",
])("SHARE-13 %s is no file of the page", async (path) => {
  expect((await ask(path)).status).toBe(404);
});

it("SHARE-13 every answer has the policy of the page, and only GET is answered", async () => {
  const answer = await ask("/nothing.js");
  expect(answer.headers.get("content-security-policy")).toContain("script-src 'self'");
  expect((await ask("/", "POST")).status).toBe(405);
});
