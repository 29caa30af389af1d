import { checkArgument } from "../check-argument.js";
import { checkOptions, type OptionTypes } from "../check-options.js";

/** Variables of a process by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Folder and environment of a program. */
export type ProgramOptions = {
  /** @defaultValue the folder of this process */
  readonly cwd?: string;
  /**
   * Complete environment of the program.
   *
   * @defaultValue the environment of this process
   */
  readonly env?: Environment;
};

/** Variables of a program in addition to the fixed list of {@link childEnvironment}. */
export type EnvironmentGrant = {
  /** Names of further variables of this process, for example the variable with the agent's key. */
  readonly names?: readonly string[];
  /**
   * Variables with new values. They override the variables of this process. The value `undefined` removes a variable.
   */
  readonly values?: Environment;
};

/**
 * Variables for locations of programs and folders, settings, and proxies. These variables usually contain no secrets.
 */
const everywhere = [
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "PWD", "TMPDIR", "TEMP", "TMP", "HOSTNAME", "TZ", "LANG", "LANGUAGE"],
  ...["TERM", "TERM_PROGRAM", "COLORTERM", "NO_COLOR", "FORCE_COLOR", "CI", "EDITOR", "VISUAL", "PAGER", "BROWSER"],
  ...["DISPLAY", "WAYLAND_DISPLAY", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY"],
  ...["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"],
  ...["NVM_DIR", "NVM_BIN", "FNM_DIR", "VOLTA_HOME", "PNPM_HOME", "BUN_INSTALL", "DENO_DIR", "DENO_INSTALL"],
  ...["JAVA_HOME", "ANDROID_HOME", "GOPATH", "GOROOT", "GOBIN", "CARGO_HOME", "RUSTUP_HOME", "DOTNET_ROOT", "GEM_HOME"],
  ...["VIRTUAL_ENV", "CONDA_PREFIX", "CONDA_DEFAULT_ENV", "PYENV_ROOT", "RBENV_ROOT", "ASDF_DIR", "MISE_DATA_DIR"],
];

const onWindows = [
  ...["SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "OS", "PROCESSOR_ARCHITECTURE", "PSMODULEPATH"],
  ...["USERPROFILE", "USERNAME", "USERDOMAIN", "HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA"],
  ...["PROGRAMFILES", "PROGRAMFILES(X86)", "PROGRAMW6432", "COMMONPROGRAMFILES", "ALLUSERSPROFILE", "PUBLIC"],
  ...["COMPUTERNAME", "NUMBER_OF_PROCESSORS"],
];

const allowed = new Set([...everywhere, ...onWindows]);

/**
 * Returns an environment without the secrets of this process. The result contains a fixed list of locations and
 * settings (`PATH`, `HOME`, languages, proxies, certificates, tools), and the granted variables. By default, launched
 * agents, logins and commands get this environment.
 *
 * @param from source of the variables; default: the environment of this process
 * @throws TypeError for a grant that is not an object, and for names that are not a list of texts
 *
 * @example
 * const env = childEnvironment({ names: ["SOME_AGENT_API_KEY"] });
 * const channel = await spawnChannel(["some-agent", "--acp"], { env });
 */
export function childEnvironment(grant: EnvironmentGrant = {}, from: Environment = process.env): Environment {
  checkOptions("childEnvironment", grant, GRANT);
  checkArgument(grant.names === undefined || isTexts(grant.names), "childEnvironment names", {
    got: grant.names,
    remedy: 'pass a list of names, such as { names: ["SOME_AGENT_API_KEY"] }',
  });
  const granted = new Set(grant.names?.map(nameOf));
  const present = new Set(Object.keys(from).map(nameOf));
  const env: Record<string, string | undefined> = Object.create(null);
  for (const [name, value] of Object.entries(from)) {
    const isKnown = allowed.has(name.toUpperCase()) || /^(LC|XDG)_/.test(name);
    // Some shells read a value that begins with `()` as a function, and run the text after it.
    if (granted.has(nameOf(name)) || (isKnown && !value?.startsWith("()"))) env[name] = value;
  }
  for (const [name, value] of Object.entries(grant.values ?? {})) {
    for (const known of Object.keys(env)) if (nameOf(known) === nameOf(name)) delete env[known];
    if (value !== undefined) env[name] = value;
  }
  const absent = grant.names?.filter((name) => !present.has(nameOf(name)) && env[name] === undefined) ?? [];
  if (absent.length > 0) absentNames.set(env, absent);
  return env;
}

const GRANT: OptionTypes<EnvironmentGrant> = { names: "any", values: "any" };

const isTexts = (names: unknown): boolean => Array.isArray(names) && names.every((name) => typeof name === "string");

/** Granted names that the process of the caller does not have, by environment. */
const absentNames = /* @__PURE__ */ new WeakMap<Environment, readonly string[]>();

/** Returns the names that were granted to {@link childEnvironment}, although this process has no such variables. */
export function absentVariables(env: Environment): readonly string[] {
  return absentNames.get(env) ?? [];
}

/** Returns the key for the name of a variable. On Windows, `Path` and `PATH` have the same key. */
function nameOf(name: string): string {
  return process.platform === "win32" ? name.toUpperCase() : name;
}
