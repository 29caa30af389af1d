import { describe, expect, it } from "vitest";
import { isPackageRunner } from "./package-runner.js";

describe("defect S1: a package runner", () => {
  it.each([
    ...["npx -y a", "/x/npx.cmd a", "C:\\x\\NPX.CMD a", "npm exec a", "npm x a", "npm --silent exec a", "npm init a"],
    ...["npm --prefix run exec a", "npm -w a exec b", "npm --unknown value exec a", "npm -y exec a", "pnpm dlx a"],
    ...["pnpm --silent dlx a", "pnpm -C x dlx a", "pnpx a", "yarn dlx a", "yarn create a", "bunx a", "bun x a"],
    ...["bun --bun x a", "uvx a", "uv tool run a", "pipx run a", "python3 -m pipx run a", "python -m uv tool run a"],
    ...["env npx a", "env -i A=b npx a", "/usr/bin/env -u X npm exec a", "corepack npx a", "corepack pnpm dlx a"],
    ...["corepack pnpm@9.1.0 dlx a", "corepack yarn@4 dlx a", "sudo -u me npx a", "nice -n 5 npx a", "timeout 5 npx a"],
    ...["nohup setsid npx a", "node /usr/lib/node_modules/npm/bin/npx-cli.js a", "node npm-cli.js exec a"],
    ...["deno run -A npm:a", "deno run https://example.com/a.ts", "go run example.com/a@latest", "cmd /c npx a"],
  ])("is %s", (line) => {
    expect(isPackageRunner(line.split(" "))).toBe(true);
  });

  it.each([
    ["sh", "-c", "npx a"],
    ["bash", "-lc", "cd x && exec npx -y a"],
    ["/bin/sh", "-e", "-c", "A=1 npx a"],
    ["sh", "-c", '"$(command -v npx)" a'],
    ["sh", "-c", 'exec "$@"', "sh", "npx", "a"],
    ["sh", "-c", "sh -c 'pnpm dlx a'"],
    ["env", "-S", "npx -y a"],
    ["cmd.exe", "/d", "/s", "/c", "npx a"],
    ["powershell", "-Command", "npx a"],
    ["env", "A=b", "sh", "-c", "corepack npx a"],
  ])("is behind a shell: %s %s %s", (...command) => {
    expect(isPackageRunner(command)).toBe(true);
  });

  it.each([
    ...["npm run x", "npm run exec", "npm --silent run x", "npm test x", "npm start", "npm run-script dlx", "npm"],
    ...["pnpm run dlx", "pnpm x", "yarn run exec", "bun run x", "uv run x", "npm-agent", "my-npx a", "agent npx"],
    ...["node npx.d.ts", "node server.js npx", "env A=npx node a.js", "python -m server exec", "git exec npx"],
    ...["go run .", "go run ./cmd/a", "deno run main.ts", "docker exec npx", "codex exec npx", "corepack enable"],
    ...["constructor x", "toString", "__proto__ dlx", "valueOf exec"],
  ])("is not %s", (line) => {
    expect(isPackageRunner(line.split(" "))).toBe(false);
  });

  it.each([["sh", "-c", "echo npx-like; npm run x"], ["sh", "run-npx.sh"], ["sh", "-c", "echo npx"], [""]])(
    "is not behind this shell: %s %s %s",
    (...command) => {
      expect(isPackageRunner(command)).toBe(false);
    },
  );

  it("looks at any command in linear time", () => {
    const began = process.cpuUsage().user / 1000;
    expect(isPackageRunner(Array(20_000).fill("env"))).toBe(true);
    isPackageRunner(Array(1_000).fill("env"));
    isPackageRunner(["sh", "-c", `$ ${"npm ".repeat(30_000)}`]);
    isPackageRunner(["sh", "-c", `$ ${"npm a ".repeat(20_000)}`]);
    expect(process.cpuUsage().user / 1000 - began).toBeLessThan(1_000);
  });

  it("counts a line that is too long to be examined", () => {
    expect(isPackageRunner(["sh", "-c", `echo ${"a".repeat(131_060)}`])).toBe(false);
    expect(isPackageRunner(["sh", "-c", `echo ${"a".repeat(131_072)}`])).toBe(true);
  });
});
