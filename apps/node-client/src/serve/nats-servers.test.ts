import { expect, it } from "vitest";
import { UsageError } from "../exit-code.js";
import { natsFailure } from "./nats-failure.js";
import { parseNatsServers, takeNatsServers } from "./nats-servers.js";

it.each([
  ["nats://a:1,b,tls://c.example:3/", ["a:1", "b:4222", "c.example:3"], { isEncrypted: true, isLoopback: false }],
  ["127.0.0.1, [::1]:7", ["127.0.0.1:4222", "[::1]:7"], { isEncrypted: false, isLoopback: true }],
] as const)("SHARE-13 --nats %s names servers", (text, addresses, rest) => {
  expect(parseNatsServers(text, {})).toEqual({ addresses, isLoginVisible: false, ...rest });
});

it.each([
  ["nats://ann:p%40ss@a", {}, { user: "ann", pass: "p@ss" }],
  ["nats://t0ken@a", {}, { token: "t0ken" }],
  ["a,b", { TURNKIT_NATS_USER: "ann", TURNKIT_NATS_PASSWORD: "p@ss" }, { user: "ann", pass: "p@ss" }],
  ["nats://t0ken@a", { TURNKIT_NATS_TOKEN: "t0ken" }, { token: "t0ken" }],
] as const)("SHARE-13 --nats %s with %j has one login", (text, env, login) => {
  const given = { ...env, OTHER: "stays" };
  expect(takeNatsServers(text, given).login).toEqual(login);
  expect(given).toEqual({ OTHER: "stays" });
});

it.each([
  ["nats://ann:secret@a", true],
  ["a,nats://secret@b", true],
  ["nats://a,b", false],
] as const)("defect N65: --nats %s has its login in the list of processes: %s", (text, isVisible) => {
  expect(parseNatsServers(text, { TURNKIT_NATS_TOKEN: text.includes("ann") ? "" : "secret" }).isLoginVisible).toBe(
    isVisible,
  );
});

it.each([
  ["", {}],
  ["nats://", {}],
  ["http://secret@a", {}],
  ["nats://secret@a:70000", {}],
  ["nats://secret@a/x", {}],
  ["nats://secret@a,nats://secret2@b", {}],
  ["nats://secret@a", { TURNKIT_NATS_TOKEN: "secret2" }],
  ["a", { TURNKIT_NATS_USER: "secret" }],
  ["a", { TURNKIT_NATS_USER: "u", TURNKIT_NATS_PASSWORD: "secret", TURNKIT_NATS_TOKEN: "secret2" }],
] as const)("SHARE-13 --nats %j with %j is refused without its secrets", (text, env) => {
  const parse = () => parseNatsServers(text, env);
  expect(parse).toThrow(UsageError);
  expect(parse).toThrow(/^(?!.*secret)/s);
});

it("SHARE-13 packages that are not installed are named", () => {
  const error = Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
  const { message } = natsFailure(error, { addresses: ["a:1"], replicas: 1 });
  expect(message).toContain("npm install @nats-io/transport-node @nats-io/jetstream @nats-io/kv");
});

it("SHARE-13 an unknown authority of a certificate is answered with the option for its file", () => {
  const error = Object.assign(new Error("self-signed"), { code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
  expect(natsFailure(error, { addresses: ["a:1"], replicas: 1 }).message).toContain("--nats-ca FILE");
});

it("SHARE-13 tls:// at a server without TLS is answered with the scheme, and not with another server", () => {
  const { message } = natsFailure(new Error("server does not support 'tls'"), { addresses: ["a:1"], replicas: 1 });
  expect(message).toBe("--nats: a:1 has no TLS. Give the server a certificate, or pass nats:// and no --nats-ca.");
});

it.each([
  [
    { name: "JetStreamApiError", status: 503, code: 10_008 },
    "a:1, b:2 does not store anything now. Most servers of the cluster must run.",
  ],
  [{ message: "unable to parse credentials" }, "--nats-creds: my.creds has no credentials."],
  [{ message: "timeout" }, "a:1, b:2 cannot be reached: timeout. Perhaps another program has this port."],
  [{ message: "the stream acp-0 has 1 replica, not 3" }, "Pass --replicas 1, or change this and each other stream"],
] as const)("defect N72: the failure %j is told with what is wrong and what to do", (failure, words) => {
  const failed = { addresses: ["a:1", "b:2"], replicas: 3, credsFile: "my.creds" };
  expect(natsFailure(Object.assign(new Error("unavailable"), failure), failed).message).toContain(words);
});
