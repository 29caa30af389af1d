import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { lintText } from "./oxlint.js";

const never = new AbortController().signal;
let folder: string;
let realTmp: string | undefined;

/** Private temporary folder, which shows the files that the linter leaves. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "oxlint-test-"));
  realTmp = process.env.TMPDIR;
  process.env.TMPDIR = folder;
});

afterEach(async () => {
  vi.unstubAllEnvs();
  if (realTmp === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = realTmp;
  await rm(folder, { recursive: true });
});

describe("linting with oxlint", () => {
  it("finds real defects in the sample and fixes some of them", async () => {
    const text = await readFile(new URL("../../samples/cart.ts", import.meta.url), "utf8");
    const { findings, fixed } = await lintText("cart.ts", text, { signal: never, roots: [] });
    const rules = findings.map(({ rule }) => rule);
    expect(rules).toEqual(expect.arrayContaining(["use-isnan", "oxc/missing-throw", "for-direction", "eqeqeq"]));
    expect(findings.filter(({ fixable }) => fixable).map(({ rule }) => rule)).toEqual([
      "no-unsafe-negation",
      "use-isnan",
      "no-extra-boolean-cast",
    ]);
    expect(fixed).toContain("if (isNaN(price)) {");
  });

  it("gives the column that an editor shows, behind umlauts, emoji and Windows line ends", async () => {
    const text = "const größe = 1;\r\nconst s = '😀ä'; if (größe === NaN) { alert(s); }\r\n";
    const { findings, fixed } = await lintText("a.js", text, { signal: never, roots: [] });
    expect(findings).toMatchObject([{ line: 2, column: text.split("\r\n")[1]!.indexOf("NaN") + 1, rule: "use-isnan" }]);
    expect(fixed).toBe(text.replace("größe === NaN", "isNaN(größe)"));
  });

  it("hands no key of this process on to the linter", async () => {
    const seen = join(folder, "seen");
    const spy = join(folder, "spy.cjs");
    await writeFile(
      spy,
      `require("node:fs").appendFileSync(${JSON.stringify(seen)}, process.env.OPENAI_API_KEY + "\\n")`,
    );
    vi.stubEnv("OPENAI_API_KEY", "sk-one");
    vi.stubEnv("NODE_OPTIONS", `--require=${spy}`);
    await lintText("a.ts", "export const one = 1;\n", { signal: never, roots: [] });
    expect(await readFile(seen, "utf8")).toMatch(/^(undefined\n)+$/);
  });

  it("has nothing to say about a clean file, and leaves it as it is", async () => {
    const text = "export const one = 1;\n";
    expect(await lintText("a.ts", text, { signal: never, roots: [] })).toEqual({ findings: [], fixed: text });
  });

  it("reports a syntax error with its line and no rule", async () => {
    const { findings, fixed } = await lintText("a.ts", "const a = 1;\nconst b = ;\n", { signal: never, roots: [] });
    expect(findings[0]).toMatchObject({ line: 2, column: 11, severity: "error", message: "Unexpected token" });
    expect(findings[0]).not.toHaveProperty("rule");
    expect(fixed).toBe("const a = 1;\nconst b = ;\n");
  });

  it("understands JSX, and the rules of React there", async () => {
    const text = "export const List = ({ names }) => names.map((name) => <li>{name}</li>);\n";
    const { findings } = await lintText("list.jsx", text, { signal: never, roots: [] });
    expect(findings.map(({ rule }) => rule)).toEqual(["react/jsx-key"]);
  });

  it("is not moved by configuration files and ignore files around it", async () => {
    await writeFile(join(folder, ".oxlintrc.json"), '{"rules":{"use-isnan":"off"}}');
    await writeFile(join(folder, ".eslintignore"), "*");
    await writeFile(join(folder, ".gitignore"), "*");
    const { findings } = await lintText("a.js", "alert(1 === NaN);\n", { signal: never, roots: [] });
    expect(findings.map(({ rule }) => rule)).toContain("use-isnan");
  });

  it("takes a strange file name for a name and nothing else", async () => {
    const { findings } = await lintText("--fix; `rm` 'x'.ts", "alert(1 === NaN);\n", { signal: never, roots: [] });
    expect(findings.length).toBeGreaterThan(0);
  });

  it("copes with 1 MB of code", async () => {
    const line = "export const value = [1, 2, 3].map((each) => each + 1);\n";
    const text = `alert(1 === NaN);\n${line.replace("value", "a")}${"// filler\n".repeat(100_000)}`;
    const { findings } = await lintText("big.ts", text, { signal: never, roots: [] });
    expect(findings.map(({ rule }) => rule)).toContain("use-isnan");
  });

  it("leaves nothing behind", async () => {
    await lintText("a.ts", "debugger;\n", { signal: never, roots: [] });
    expect(await readdir(folder)).toEqual([]);
  });

  it("stops when aborted, and leaves nothing behind", async () => {
    const controller = new AbortController();
    const run = lintText("a.ts", "debugger;\n".repeat(10_000), { signal: controller.signal, roots: [] });
    controller.abort();
    await expect(run).rejects.toThrow(/abort/i);
    expect(await readdir(folder)).toEqual([]);
  });

  it("does not begin when it was aborted before", async () => {
    await expect(lintText("a.ts", "", { signal: AbortSignal.abort(), roots: [] })).rejects.toThrow(/abort/i);
  });
});
