import { expect, it } from "vitest";
import { webAddress } from "./web-address.js";

it.each([
  "https://example.com",
  "http://example.com:8080/a?b=c#d",
  "https://EXAMPLE.com/%7Ea/(b)",
  "https://xn--bcher-kva.example/",
  "mailto:ada.l+x@example.com",
])("%s leads to itself", (address) => {
  expect(webAddress(address)).toBe(address);
});

it("an address without a scheme gets one", () => {
  expect(webAddress("www.example.com/a")).toBe("http://www.example.com/a");
});

it.each([
  ["another scheme", "javascript:alert(1)"],
  ["a program's scheme", "vscode://file/etc/passwd"],
  ["a file", "file:///etc/passwd"],
  ["data", "data:text/html,x"],
  ["a user name that looks like a host", "https://bank.example@evil.example/"],
  ["a user name with a password", "https://bank.example:443@evil.example/"],
  ["a back slash", "https://evil.example\\@bank.example/"],
  ["letters of another script in the host", "https://b\u0430nk.example/"],
  ["a host that is a number", "http://2130706433/"],
  ["a host that is a short number", "http://127.1/"],
  ["an encoded host", "https://evil%2eexample/"],
  ["an address in an address", "https://evil.example/?to=https://bank.example/"],
  ["a blank", "https://evil.example/ bank.example"],
  ["a control character", "https://evil.example/\u0007\u001b]8;;x"],
  ["a mark of direction", "https://evil.example/\u202egpj"],
  ["mail with a file", "mailto:a@evil.example?attach=/etc/passwd"],
  ["an address that no terminal takes", `https://evil.example/${"a".repeat(3000)}`],
  ["a path", "src/a.ts"],
])("%s is no link", (_, address) => {
  expect(webAddress(address)).toBeUndefined();
});

it("hostile addresses are read in linear time", () => {
  const start = performance.now();
  for (const one of [`https://${"a.".repeat(500_000)}`, `mailto:${"a".repeat(1_000_000)}`, `www.${"@".repeat(1e6)}`])
    expect(webAddress(one)).toBeUndefined();
  expect(performance.now() - start).toBeLessThan(1000);
});
