import { afterEach, expect, it, vi } from "vitest";
import { createCookieStore } from "./cookies.js";

const at = (url: string) => new URL(url);
/** Returns the cookies for an address after another one has set one. */
function sent(setCookie: string, from: string, to: string): string | undefined {
  const store = createCookieStore();
  store.write(at(from), [setCookie]);
  return store.read(at(to));
}

afterEach(() => void vi.useRealTimers());

const site = "https://agents.example/acp";

it.each([
  ["a cookie of https over http", "a=1; Secure", site, "http://agents.example/acp"],
  ["a cookie of wss over ws", "a=1; secure", "wss://agents.example/acp", "ws://agents.example/acp"],
  ["a Secure cookie that an address without encryption sets", "a=1; Secure", "http://agents.example/acp", site],
  ["a cookie of another path", "a=1; Path=/other", site, site],
  ["a cookie of a path that only begins alike", "a=1; Path=/ac", site, site],
  ["a cookie of the folder of another path", "a=1", "https://agents.example/x/acp", site],
  ["a cookie for another domain", "a=1; Domain=other.example", site, site],
  ["a cookie for a domain that only ends alike", "a=1; Domain=ents.example", site, site],
  ["a cookie for another host of its domain", "a=1; Domain=example", site, "https://b.example/acp"],
  ["an ended cookie", "a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT", site, site],
  [
    "a cookie that Max-Age ends, whatever Expires says",
    "a=1; Max-Age=0; Expires=Fri, 01 Jan 2999 00:00:00 GMT",
    site,
    site,
  ],
  ["a __Secure- cookie without Secure", "__Secure-a=1", site, site],
  ["a __Host- cookie with a domain", "__Host-a=1; Secure; Path=/; Domain=agents.example", site, site],
  ["a __Host- cookie without the path /", "__Host-a=1; Secure", site, site],
  ["a control character", "a=1\u0001", site, site],
])("%s is not sent", (_, setCookie, from, to) => {
  expect(sent(setCookie, from, to)).toBeUndefined();
});

it.each([
  ["a Secure cookie over https", "a=1; Secure", site, site],
  ["a Secure cookie of this machine", "a=1; Secure", "http://127.0.0.1:8080/acp", "ws://127.0.0.1:9/acp"],
  ["a cookie over https that is not Secure, over http", "a=1", site, "http://agents.example/acp"],
  ["a cookie of the path above", "a=1; Path=/", site, site],
  ["a cookie of the folder", "a=1", "https://agents.example/x/acp", "https://agents.example/x/y/z"],
  ["a cookie of its own domain", "a=1; Domain=.example", site, site],
  ["an Expires to come", "a=1; Expires=Fri, 01 Jan 2999 00:00:00 GMT", site, site],
  ["a Max-Age that is no number", "a=1; Max-Age=soon", site, site],
  ["an attribute that is unknown", "a=1; HttpOnly; SameSite=Strict; Partitioned", site, site],
])("%s is sent", (_, setCookie, from, to) => {
  expect(sent(setCookie, from, to)).toBe("a=1");
});

it("a cookie leaves after its Max-Age", () => {
  vi.useFakeTimers();
  const store = createCookieStore();
  store.write(at(site), ["a=1; Max-Age=60", "b=2"]);
  vi.advanceTimersByTime(59_000);
  expect(store.read(at(site))).toBe("a=1; b=2");
  vi.advanceTimersByTime(1_000);
  expect(store.read(at(site))).toBe("b=2");
});

it("a longer path comes first, and another value replaces the cookie of its path alone", () => {
  const store = createCookieStore();
  store.write(at(site), ["a=1; Path=/", "a=2; Path=/acp", "a=3; Path=/"]);
  expect(store.read(at(site))).toBe("a=2; a=3");
});

it("defect M14: an address without encryption does not replace, hide or end a Secure cookie of the same host", () => {
  const store = createCookieStore();
  const plain = at("http://agents.example/acp");
  store.write(at(site), ["a=1; Secure; Path=/", "b=1; Path=/"]);
  store.write(plain, ["a=2; Path=/", "a=3", "a=; Max-Age=0; Path=/", "b=2; Path=/"]);
  expect([store.read(at(site)), store.read(plain)]).toEqual(["a=1; b=2", "b=2"]);
});

it("defect M14: a Secure cookie of a longer path, or one that has ended, keeps no other cookie out", () => {
  vi.useFakeTimers();
  const store = createCookieStore();
  const plain = at("http://agents.example/acp");
  store.write(at(site), ["a=1; Secure; Path=/acp/login", "b=1; Secure; Path=/; Max-Age=60"]);
  vi.advanceTimersByTime(60_000);
  store.write(plain, ["a=2; Path=/", "b=2; Path=/"]);
  expect(store.read(plain)).toBe("a=2; b=2");
});

it("defect M14: a path and a name that together read like those of another cookie do not replace it", () => {
  const store = createCookieStore();
  store.write(at(site), ["__Host-a=1; Secure; Path=/", "Host-a=2; Path=/__"]);
  expect([store.read(at(site)), store.read(at("https://agents.example/__"))]).toEqual([
    "__Host-a=1",
    "Host-a=2; __Host-a=1",
  ]);
});
