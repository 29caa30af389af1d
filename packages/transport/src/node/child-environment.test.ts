import { describe, expect, test } from "vitest";
import { childEnvironment } from "./child-environment.js";

const from = {
  PATH: "/bin",
  HOME: "/home/me",
  Path: "C:\\Windows",
  LC_ALL: "C.UTF-8",
  XDG_CONFIG_HOME: "/home/me/.config",
  https_proxy: "http://proxy",
  SOME_API_KEY: "sk-secret",
  AWS_SECRET_ACCESS_KEY: "secret",
  SSH_AUTH_SOCK: "/tmp/agent",
  DATABASE_URL: "postgres://me:secret@host",
  NODE_OPTIONS: "--require /tmp/x.js",
  LD_PRELOAD: "/tmp/x.so",
  LD_LIBRARY_PATH: "/tmp",
};

describe("the environment of a child", () => {
  test("is what says where things are, and no variable that nobody listed", () => {
    expect(Object.keys(childEnvironment({}, from)).sort()).toEqual(
      ["HOME", "LC_ALL", "PATH", "Path", "XDG_CONFIG_HOME", "https_proxy"].sort(),
    );
  });

  test("and what is granted, by name or by value; a value counts more, and takes away", () => {
    const env = childEnvironment(
      { names: ["SOME_API_KEY", "MISSING"], values: { MODE: "fast", HOME: "/tmp/home", LC_ALL: undefined } },
      from,
    );
    expect(env).toMatchObject({ SOME_API_KEY: "sk-secret", MODE: "fast", HOME: "/tmp/home" });
    expect(env).not.toHaveProperty("LC_ALL");
    expect(env).not.toHaveProperty("MISSING");
    expect(env).not.toHaveProperty("AWS_SECRET_ACCESS_KEY");
  });

  test("holds no function of a shell, and names of every object are variables like any other", () => {
    const env = childEnvironment({ names: ["__proto__", "constructor"] }, { ...from, TERM: "() { :; }; id" });
    expect(env.TERM).toBe(undefined);
    expect(env.constructor).toBe(undefined);
  });
});
