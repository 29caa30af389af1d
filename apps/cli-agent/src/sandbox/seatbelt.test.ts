import { describe, expect, it } from "vitest";
import { createSeatbelt, regexOf, seatbeltProfile } from "./seatbelt.js";

// The profile was never run: these tests are about its text, and about what its expressions match.
const profile = (more = {}) => seatbeltProfile({ roots: ["/Users/u/p"], network: false, paths: {}, ...more });

describe("the profile of Seatbelt, which was never run on macOS", () => {
  it("denies everything first, and allows writing to the roots and folders for temporary files", () => {
    const lines = profile().split("\n");
    expect(lines.slice(0, 2)).toEqual(["(version 1)", "(deny default)"]);
    expect(lines.find((line) => line.startsWith("(allow file-write*"))).toContain('(subpath "/Users/u/p")');
  });

  it("allows the network only on demand", () => {
    expect(profile()).not.toContain("network");
    expect(profile({ network: true })).toContain("(allow network*");
  });

  it("denies protected files after the roots were allowed, since the last rule counts", () => {
    const text = profile({ paths: { protected: ["deploy/**"] } });
    const roots = text.indexOf('(subpath "/Users/u/p")');
    for (const pattern of [".git/**", ".envrc", "AGENTS.md", "deploy/**"]) {
      expect(text.indexOf(`(deny file-write* (regex #"${regexOf(pattern)}"))`)).toBeGreaterThan(roots);
    }
  });

  it("lets an exception write only where commands may write, and read what is no secret", () => {
    const text = profile({ paths: { protected: ["!.vscode/settings.json"] } });
    expect(text).toContain(
      `(allow file-write* (require-all (regex #"${regexOf(".vscode/settings.json")}") (require-any`,
    );
    expect(text).toContain(`(allow file-read* (regex #"${regexOf("*.pub")}"))`);
  });

  it("quotes folders, and refuses one that could add a rule", async () => {
    expect(profile({ roots: ['/p "x" \\'] })).toContain('(subpath "/p \\"x\\" \\\\")');
    expect(() => profile({ roots: ["/p\n(allow default)"] })).toThrow(/line break/);
    const missing = createSeatbelt({ roots: ["/no/such"], paths: {} });
    await expect(missing.wrap({ argv: ["ls"], cwd: "/", network: false })).rejects.toThrow(/not on this machine/);
  });

  it.each([
    [".git/**", ["/p/.git", "/p/.git/config", "/p/a/.GIT/hooks/x"], ["/p/.github/x", "/p/a.git", "/p/.gitignore"]],
    ["*.pem", ["/p/a.pem", "/p/b/c.PEM"], ["/p/a.pem.txt", "/p/pem"]],
    ["/etc/**", ["/etc/hosts", "/private/etc/hosts"], ["/p/etc/hosts"]],
    [".config/gh/**", ["/u/.config/gh/hosts.yml"], ["/u/.config/ghx/a"]],
    ["a+b(c)[d]^e", ["/p/a+b(c)[d]^e"], ["/p/aab(c)[d]^e"]],
  ])("has an expression for %s", (pattern, covered, free) => {
    const expression = new RegExp(regexOf(pattern));
    expect(covered.filter((path) => !expression.test(path))).toEqual([]);
    expect(free.filter((path) => expression.test(path))).toEqual([]);
  });
});
