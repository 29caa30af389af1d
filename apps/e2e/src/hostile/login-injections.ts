/** A login method on the terminal, as a hostile agent offers it. */
export type LoginMethod = {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly [more: string]: unknown;
};

const evil = "./evil.cjs";

/** Methods that are neither offered to the person nor run. */
export const refusedLogins: readonly LoginMethod[] = [
  { env: { NODE_OPTIONS: `--require ${evil}` } },
  { env: { node_options: `--require=${evil}` } },
  { env: { PATH: ".:node_modules/.bin" } },
  { env: { Path: "." } },
  { env: { LD_PRELOAD: "./evil.so" } },
  { env: { LD_LIBRARY_PATH: "." } },
  { env: { NODE_PATH: "." } },
  { env: { HOME: "." } },
  { env: { XDG_CONFIG_HOME: "." } },
  { env: { BASH_ENV: "./evil.sh" } },
  { env: { "BASH_FUNC_login%%": "() { ./evil.sh; }" } },
  { env: { HTTPS_PROXY: "http://evil.example" } },
  { env: { SSL_CERT_FILE: "./evil.pem" } },
  { env: { OPENSSL_CONF: "./evil.cnf" } },
  { env: { GIT_SSH_COMMAND: "./evil.sh" } },
  { env: { BROWSER: "./evil.sh" } },
  { env: { EDITOR: "./evil.sh", OK: "1" } },
  { env: { VIMINIT: ":!./evil.sh" } },
  { env: { ANYTHING_UNKNOWN: "./evil.sh" } },
  { env: { "A=B": "c" } },
  { env: { OK: "a\u001b[8mb" } },
  { args: ["login", "\u202egnp.exe"] },
  { args: ["login\nrm -rf ."] },
  { args: ["login", "x".repeat(5_000)] },
  { args: Array.from({ length: 40 }, () => "--quiet") },
  { env: Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`OK_${n}`, "1"])) },
];

/** Methods that try to run another program. They may be chosen, and run the agent's own program with what is shown. */
export const shownLogins: readonly LoginMethod[] = [
  { args: ["--require", evil] },
  { args: ["-e", "require('./evil.cjs')"] },
  { args: ["--", evil] },
  { args: ["; ./evil.sh"] },
  { args: ["$(./evil.sh)", "`./evil.sh`", "| ./evil.sh"] },
  { args: [""] },
  { args: ["login"], command: "./evil.sh", program: "./evil.sh", path: "./evil.sh", cwd: "/tmp" },
  { args: ["login"], _meta: { "terminal-auth": { command: "./evil.sh", args: ["x"] } } },
  { args: ["login"], description: `Log in. runs "/bin/true"${" ".repeat(300)}` },
  { env: { LOGIN_MODE: "$(./evil.sh)" } },
];
