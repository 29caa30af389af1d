import { lstatSync } from "node:fs";
import { lstat, readdir, readFile, readlink, realpath, stat } from "node:fs/promises";
import { basename, delimiter, dirname, isAbsolute, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { PathCheck } from "@turnkit/session/paths";
import { isInside } from "@turnkit/transport/node";
import { redactText } from "@turnkit/transport/trace";
import { type Covered, type CoveredPathSearch, HEAVY } from "./covered-paths.js";
import { PROGRAM_FOLDERS } from "./isolation.js";

/** Folders of the system that commands can read. Links such as `/bin` stay links. */
const SYSTEM = [...PROGRAM_FOLDERS, "/etc"];

/** Files and folders outside of {@link SYSTEM} that a few programs need. */
const SYSTEM_PARTS = ["/var/lib/dpkg", "/var/lib/rpm", "/var/cache/fontconfig", "/sys/devices/system/cpu"];

/**
 * State of Nix. Its sockets give access to a daemon that builds as another user. Only the profiles, which are links to
 * programs, stay visible.
 */
const NIX = { path: "/nix/var", kept: "/nix/var/nix/profiles" };

/** Parts of `/etc` that are hidden, in addition to the parts that only some users may read. */
const SYSTEM_SECRETS = (
  "shadow shadow- gshadow gshadow- sudoers sudoers.d security/opasswd ssl/private pki/tls/private ssh krb5.keytab " +
  "NetworkManager/system-connections wireguard openvpn ipsec.secrets letsencrypt kubernetes rancher docker " +
  "ppp/chap-secrets ppp/pap-secrets wpa_supplicant iwd msmtprc fstab.creds netrc apt/auth.conf apt/auth.conf.d mysql/debian.cnf " +
  "postfix/sasl_passwd swanctl/private cryptsetup-keys.d rclone.conf"
).split(" ");

/** Tools in the home folder, and settings without secrets. All other files of the home folder are hidden. */
const TOOLS = (
  ".nvm .volta .fnm .n .asdf .mise .proto .pyenv .rbenv .rvm .nodenv .goenv .jenv .sdkman .rustup .cargo .deno .bun .ghcup " +
  ".cabal .stack .opam .elan .juliaup .julia .dotnet .nuget .m2 .gradle .ivy2 .sbt .coursier .gem .bundle .composer " +
  ".npm .yarn .pnpm .pub-cache .swiftpm .luarocks .nix-profile .linuxbrew .local/bin .local/lib .local/pipx " +
  ".local/share/mise .local/share/fnm .local/share/pnpm .local/share/uv .local/share/pipx .local/share/virtualenvs " +
  ".local/share/rtx .local/share/coursier .cache/ms-playwright .cache/puppeteer .cache/node .cache/pnpm .cache/uv " +
  ".config/git .config/pnpm .config/yarn .gitconfig .gitignore_global .editorconfig .tool-versions bin go/bin go/pkg " +
  "miniconda3 anaconda3 miniforge3 mambaforge .conda"
).split(" ");

/**
 * Folders of installed packages. Only their first level is searched, because packages are public and hold many files
 * with the names of keys.
 */
const PACKAGES = new Set([
  ...HEAVY,
  ..."site-packages dist-packages gems registry mod repository caches store _cacache pkgs toolchains".split(" "),
]);

/** Public certificates of authorities, which programs need for each connection. */
const AUTHORITIES = /^(?:cacert|ca-bundle|ca-certificates)\.pem$/;

/** Settings of tools that contain a password. The rules for secrets do not name them. */
const TOOL_SECRETS = (
  ".nuget/NuGet .bundle/config .cabal/config .luarocks/upload_config.lua .julia/servers .composer/config.json .npm/_logs " +
  ".conda/aau_token .swiftpm/security .swiftpm/configuration .local/share/coursier/credentials.properties"
).split(" ");

/** Settings of tools that programs need, and that may contain tokens. A file with a token of a known form is hidden. */
const TOOL_SETTINGS = (
  ".config/git/config .cargo/config.toml .cargo/config .config/pnpm/rc .npm/.npmrc .gradle/init.gradle .m2/settings-security.xml " +
  ".sbt/repositories .deno/auth.json .gem/config .config/yarn/config"
).split(" ");

/** Maximum size of a file whose content is searched for secrets, in bytes. A larger file is hidden. */
const MAX_SETTINGS = 1024 * 1024;

/** Maximum number of secrets in one folder of tools. Each is a mount. */
const MAX_SECRETS = 200;

/** Mount of the sandbox that is not a folder of the session. */
export type Readable =
  | { readonly kind: "folder" | "file"; readonly path: string }
  | { readonly kind: "link"; readonly path: string; readonly target: string }
  | { readonly kind: "hidden"; readonly path: string; readonly isFolder: boolean }
  /** Folder that is empty except for the folder `kept`. */
  | { readonly kind: "emptied"; readonly path: string; readonly kept: string };

type Search = {
  readonly check: PathCheck;
  readonly search: CoveredPathSearch;
  readonly signal?: AbortSignal;
  /** By default, {@link NIX}. */
  readonly nix?: typeof NIX;
};

export type KnownReadables = {
  readonly readables: readonly Readable[];
  /** Folders of tools whose search is still running. Commands cannot see them yet. */
  readonly unsearched: readonly string[];
};

/** Time that a command waits for the search of the tools, in milliseconds. */
const WAIT_MS = 1_000;

/**
 * Begins to search the paths that commands can read in addition to the session's folders. They are folders of the
 * system, tools of the home folder, and folders of `PATH`. Secrets and sockets in these folders are hidden.
 *
 * After the end of the session, the search stops, so that the process can exit.
 *
 * @returns a function that waits for the search for {@link WAIT_MS} at most, and returns what is known then; it rejects
 *   if the search was stopped early, because secrets may be missing
 */
export function searchReadables(
  { PATH = "" }: { readonly PATH?: string },
  homes: readonly string[],
  search: Search,
): () => Promise<KnownReadables> {
  const folders = PATH.split(delimiter);
  const found = new Map<string, readonly Readable[]>();
  let system: readonly Readable[] = [];
  let secrets: readonly Readable[] = [];
  let places: readonly string[] = [];
  const begin = async (): Promise<void> => {
    const [home = "/"] = homes;
    system = (await Promise.all([...SYSTEM, ...SYSTEM_PARTS].map(systemFolder))).flat();
    const { nix = NIX } = search;
    const isNix = (await realpath(nix.path).catch(() => undefined)) === nix.path;
    if (isNix) system = [...system, { kind: "emptied", ...nix }];
    const hiding = [
      ...SYSTEM_SECRETS.map((name) => join("/etc", name)),
      ...TOOL_SECRETS.map((name) => join(home, name)),
    ];
    const settings = await Promise.all(
      TOOL_SETTINGS.map(async (name) => ((await holdsSecret(join(home, name))) ? [join(home, name)] : [])),
    );
    const own = outermost([...hiding, ...(await privateIn("/etc", search.signal)), ...settings.flat()]);
    const optional = await readdir("/opt").catch(() => []);
    const known = [...optional.map((name) => join("/opt", name)), ...TOOLS.map((name) => join(home, name))];
    const covers = (path: string) => isInside(path, [...system.map((one) => one.path), ...known]);
    const more = folders.flatMap((folder) =>
      !isAbsolute(folder) || covers(folder) ? [] : (programFolder(folder, homes) ?? []),
    );
    places = [...new Set([...known, ...more])];
    const targets = await Promise.all([...TOOLS, ...TOOL_SETTINGS].map((name) => targetsOf(join(home, name), places)));
    secrets = (await Promise.all([...new Set([...own, ...targets.flat()])].map(hidden))).flat();
  };
  const searchPlace = async (path: string): Promise<void> => {
    const isLink = isInside(path, ["/opt"]) && (await lstat(path).catch(() => undefined))?.isSymbolicLink();
    // A folder that cannot be read is not visible.
    found.set(path, await (isLink ? systemFolder(path) : toolFolder(path, homes, search)).catch(() => []));
  };
  const begun = begin();
  const searched = begun.then(() => Promise.all(places.map(searchPlace)));
  searched.catch(() => undefined);
  return async () => {
    await begun;
    const limit = new AbortController();
    await Promise.race([
      searched,
      delay(WAIT_MS, undefined, { ref: false, signal: limit.signal }).catch(() => undefined),
    ]);
    limit.abort();
    const tools = places.flatMap((path) => found.get(path) ?? []);
    return { readables: [...system, ...tools, ...secrets], unsearched: places.filter((path) => !found.has(path)) };
  };
}

/** Maximum number of entries of `/etc` that are checked, and of private entries that are hidden. */
const MAX_ENTRIES = 50_000;
const MAX_PRIVATE = 300;

/**
 * Returns the files and folders that only some users may read. In a container, the agent may run as root and read them.
 */
async function privateIn(top: string, signal: AbortSignal | undefined): Promise<readonly string[]> {
  const found: string[] = [];
  const waiting = [top];
  for (let count = 0; waiting.length > 0 && count < MAX_ENTRIES && found.length < MAX_PRIVATE; ) {
    signal?.throwIfAborted();
    const folder = waiting.pop() ?? top;
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    count += entries.length;
    for (const entry of entries) {
      if (entry.isSymbolicLink()) continue;
      const path = join(folder, entry.name);
      const mode = modeOf(path) ?? 0o005;
      const isPrivate = entry.isDirectory() ? (mode & 0o005) !== 0o005 : (mode & 0o004) === 0;
      if (isPrivate) found.push(path);
      else if (entry.isDirectory()) waiting.push(path);
    }
  }
  return found;
}

/** Reads the mode synchronously. An asynchronous read takes ten times as long, and there are thousands of entries. */
function modeOf(path: string): number | undefined {
  try {
    return lstatSync(path).mode;
  } catch {
    return undefined;
  }
}

/** Returns the paths that are not inside another path of the list. Nothing can be mounted in a hidden folder. */
function outermost(paths: readonly string[]): readonly string[] {
  const all = new Set(paths);
  const isCovered = (path: string): boolean => {
    const above = dirname(path);
    return above !== path && (all.has(above) || isCovered(above));
  };
  return [...all].filter((path) => !isCovered(path));
}

async function systemFolder(path: string): Promise<readonly Readable[]> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isSymbolicLink()) return [{ kind: "link", path, target: await readlink(path) }];
  return found?.isDirectory() ? [{ kind: "folder", path }] : [];
}

/**
 * Returns a folder or file, with its secrets. Returns nothing if not everything could be searched. Links are followed,
 * because the user created them.
 */
async function toolFolder(
  path: string,
  homes: readonly string[],
  { check: { secretBy }, search }: Search,
): Promise<readonly Readable[]> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined || secretBy(path) !== undefined || secretBy(real) !== undefined) return [];
  // Otherwise, the whole home folder would be visible.
  if (homes.some((home) => isInside(home, [real]))) return [];
  const entry = await lstat(real);
  if (!entry.isDirectory()) return entry.isFile() && !(await holdsSecret(real)) ? [{ kind: "file", path }] : [];
  const secretsIn = (all: readonly Covered[]) =>
    all.filter((one) => one.kind !== "protected" && !AUTHORITIES.test(basename(one.path)));
  const isEnough = (all: readonly Covered[]) => all.length > MAX_SECRETS && secretsIn(all).length > MAX_SECRETS;
  const { found, problems } = await search(real, { skips: PACKAGES, isEnough });
  const secrets = secretsIn(found);
  if (problems.length > 0 || secrets.length > MAX_SECRETS || secrets.some(({ bytes }) => bytes !== undefined))
    return [];
  const hiding = secrets.map((one) => {
    if (one.kind !== "link") return hidden(one.path);
    return one.isSecret === true && one.real !== undefined && isInside(one.real, [real]) ? hidden(one.real) : [];
  });
  const all = (await Promise.all(hiding)).flat();
  return [{ kind: "folder", path }, ...all.map((one) => ({ ...one, path: `${path}${one.path.slice(real.length)}` }))];
}

/** Returns `true` for a file with a secret of a known form. A file that cannot be read counts too, if it exists. */
async function holdsSecret(path: string): Promise<boolean> {
  try {
    if ((await stat(path)).size > MAX_SETTINGS) return true;
    const text = await readFile(path, "utf8");
    return redactText(text) !== text;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ENOENT";
  }
}

/** Returns the paths at which commands would see a file with a secret, if a link is another name of this file. */
async function targetsOf(path: string, places: readonly string[]): Promise<readonly string[]> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined || real === path) return [];
  const isFile = await lstat(real).then(
    (found) => found.isFile(),
    () => false,
  );
  if (!isFile || !(await holdsSecret(real))) return [];
  const seen = places.map(async (place) => {
    const folder = await realpath(place).catch(() => undefined);
    return folder === undefined || folder === real || !isInside(real, [folder])
      ? []
      : [place + real.slice(folder.length)];
  });
  return (await Promise.all(seen)).flat();
}

async function hidden(path: string): Promise<readonly Extract<Readable, { kind: "hidden" }>[]> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined || found.isSymbolicLink()) return [];
  return [{ kind: "hidden", path, isFolder: found.isDirectory() }];
}

/**
 * Folders with sockets and files of other programs. If a folder of `PATH` is inside, the folders beside it stay hidden.
 */
const SHARED = ["/tmp", "/var/tmp", "/dev", "/proc", "/sys", "/run", "/var/run"];

/** Returns the folder of an installation if the folder is its `bin`. Programs also read files beside `bin`. */
function programFolder(folder: string, homes: readonly string[]): string | undefined {
  const parent = dirname(folder);
  const holdsHome = (path: string) => homes.some((home) => isInside(home, [path]));
  const isShared = isInside(parent, SHARED) && !isInside(folder, ["/run/current-system"]);
  const isPart = /^s?bin$/.test(basename(folder)) && !isShared && dirname(parent) !== parent && !holdsHome(parent);
  const path = isPart ? parent : folder;
  return holdsHome(path) || SHARED.includes(path) ? undefined : path;
}
