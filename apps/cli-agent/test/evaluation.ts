import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Finding } from "../src/lint/finding.js";
import { isLintable, lintText } from "../src/lint/oxlint.js";

/** Planted mistakes: the file, what is wrong, and a part of the wrong line, or of the two lines that are wrong together. */
const planted: readonly (readonly [file: string, mistake: string, ...lines: string[]])[] = [
  ["command-injection", "command injection", "const command =", "await run(command"],
  ["sql-injection", "SQL injection", '"%\'"', "query<Order>(sql)"],
  ["html-injection", "HTML injection", "item.innerHTML ="],
  ["path-traversal", "path traversal", "join(ROOT, name)"],
  ["off-by-one", "off by one", "index <= readings.length"],
  ["missing-await", "missing await", "writeFile(temporary"],
  ["race", "race between two calls", "setBalance(from"],
  ["resource-leak", "leak of a file handle", "await open("],
  ["unhandled-rejection", "unhandled rejection", "job.run()"],
  ["wrong-comparison", "wrong comparison", "indexOf(role) > 0"],
  ["secret-in-code", "secret in the code", "const apiToken ="],
  ["exploding-regex", "regular expression that explodes", "const HOST ="],
];

/** Published packages with a licence of MIT. */
const packages = ["minimist@1.2.5", "ms@2.1.3"];

const folder = new URL("../evaluation/", import.meta.url);

async function lint(file: string, text: string): Promise<readonly Finding[]> {
  return (await lintText(file, text, { signal: AbortSignal.timeout(60_000), roots: [] })).findings;
}

/** Returns the table about the planted mistakes: whether each was found, and the number of false findings. */
export async function evaluatePlanted(): Promise<string> {
  const rows: string[] = [];
  let hits = 0;
  let wrong = 0;
  for (const [name, mistake, ...parts] of planted) {
    const [bad, good] = await Promise.all(
      ["planted", "clean"].map((kind) => readFile(new URL(`${kind}/${name}.ts`, folder), "utf8")),
    );
    const wrongLines = (bad as string)
      .split("\n")
      .flatMap((one, at) => (parts.some((part) => one.includes(part)) ? [at + 1] : []));
    if (wrongLines.length !== parts.length) throw new Error(`${name}.ts has other lines than ${parts.join(" and ")}.`);
    const isHit = ({ line }: Finding) => wrongLines.includes(line);
    const found = await lint(`${name}.ts`, bad as string);
    const hit = found.find(isHit);
    const others = found.filter((one) => !isHit(one)).length + (await lint(`${name}.ts`, good as string)).length;
    hits += hit === undefined ? 0 : 1;
    wrong += others;
    rows.push(`| ${mistake} | ${hit === undefined ? "missed" : `found: \`${hit.rule}\``} | ${others} |`);
  }
  const sum = `| **all ${planted.length}** | **${hits} found, ${planted.length - hits} missed** | **${wrong}** |`;
  return ["| mistake | result | false |", "| --- | --- | --- |", ...rows, sum].join("\n");
}

/** Returns the findings in published packages, which `npm pack` fetches into a temporary folder. */
export async function evaluatePackages(): Promise<string> {
  const temporary = await mkdtemp(join(tmpdir(), "turnkit-evaluation-"));
  const run = promisify(execFile);
  try {
    const rows: string[] = [];
    for (const name of packages) {
      const { stdout } = await run("npm", ["pack", "--silent", name], { cwd: temporary, timeout: 60_000 });
      await run("tar", ["-xzf", stdout.trim()], { cwd: temporary });
      const files = (await readdir(join(temporary, "package"), { recursive: true })).filter(isOwnSource).sort();
      for (const file of files) {
        const findings = await lint(file, await readFile(join(temporary, "package", file), "utf8"));
        rows.push(...findings.map((one) => `${name} ${file}:${one.line} ${one.severity} ${one.rule}`));
      }
      await rm(join(temporary, "package"), { recursive: true });
    }
    return rows.join("\n");
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

const isOwnSource = (file: string): boolean => isLintable(file) && !/^(?:test|example)s?$/.test(dirname(file));

/** Returns why the packages cannot be fetched; `undefined` if they can. */
export async function offlineReason(): Promise<string | undefined> {
  const ask = promisify(execFile)("npm", ["view", packages[0] as string, "version"], { timeout: 20_000 });
  return ask.then(
    () => undefined,
    () => "npm reaches no registry",
  );
}
