import { lstat, readdir, readlink, realpath } from "node:fs/promises";
import { basename, delimiter, dirname, isAbsolute, join } from "node:path";
import type { PathCheck } from "@turnkit/session/paths";
import { isWithin } from "../is-within.js";

/** Folders of the system that commands can read. Links such as `/bin` stay links. */
const SYSTEM = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/etc",
  "/opt",
  "/nix",
  "/gnu",
  "/snap",
];

/** Files and folders outside of {@link SYSTEM} that a few programs need. */
const SYSTEM_PARTS = ["/var/lib/dpkg", "/var/lib/rpm", "/var/cache/fontconfig", "/sys/devices/system/cpu"];

/**
 * Parts of `/etc` that only the system's own user may read. In a container, this user may run the agent, so these parts
 * are hidden.
 */
const SYSTEM_SECRETS = (
  "shadow shadow- gshadow gshadow- sudoers sudoers.d security/opasswd ssl/private pki/tls/private ssh krb5.keytab " +
  "NetworkManager/system-connections wireguard openvpn ipsec.secrets letsencrypt kubernetes rancher docker " +
  "ppp/chap-secrets ppp/pap-secrets wpa_supplicant iwd msmtprc fstab.creds netrc"
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

/** Mount of the sandbox that is not a folder of the session. */
export type Readable =
  | { readonly kind: "folder" | "file"; readonly path: string }
  | { readonly kind: "link"; readonly path: string; readonly target: string }
  | { readonly kind: "hidden"; readonly path: string; readonly isFolder: boolean };

/**
 * Returns the paths that commands can read in addition to the session's folders. They are folders of the system, tools
 * of the home folder, and folders of `PATH`. Secrets in these folders are hidden.
 */
export async function readableFolders(
  { PATH = "" }: { readonly PATH?: string },
  home: string,
  check: PathCheck,
): Promise<readonly Readable[]> {
  const system = (await Promise.all([...SYSTEM, ...SYSTEM_PARTS].map(systemFolder))).flat();
  const tools = (await Promise.all(TOOLS.map((name) => toolFolder(join(home, name), check)))).flat();
  const known = [...system, ...tools].map(({ path }) => path);
  const programs: Readable[] = [];
  for (const folder of PATH.split(delimiter)) {
    if (!isAbsolute(folder) || known.some((path) => isWithin(path, folder))) continue;
    const path = programFolder(folder, home);
    if (path !== undefined) programs.push(...(await toolFolder(path, check)));
  }
  const secrets = await Promise.all(SYSTEM_SECRETS.map((name) => hidden(join("/etc", name))));
  return [...system, ...tools, ...programs, ...secrets.flat()];
}

async function systemFolder(path: string): Promise<readonly Readable[]> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isSymbolicLink()) return [{ kind: "link", path, target: await readlink(path) }];
  return found?.isDirectory() ? [{ kind: "folder", path }] : [];
}

/** Returns a folder or file, with the secrets in its first level. Links are followed, because the user created them. */
async function toolFolder(path: string, { secretBy }: PathCheck): Promise<readonly Readable[]> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined || secretBy(path) !== undefined || secretBy(real) !== undefined) return [];
  const entries = await readdir(real, { withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) return [{ kind: "file", path }];
  const secrets = entries.filter((entry) => entry.isSocket() || secretBy(join(path, entry.name)) !== undefined);
  return [
    { kind: "folder", path },
    ...secrets.map((entry) => ({
      kind: "hidden" as const,
      path: join(path, entry.name),
      isFolder: entry.isDirectory(),
    })),
  ];
}

async function hidden(path: string): Promise<readonly Readable[]> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined || found.isSymbolicLink()) return [];
  return [{ kind: "hidden", path, isFolder: found.isDirectory() }];
}

/**
 * Folders with sockets and files of other programs. If a folder of `PATH` is inside, the folders beside it stay hidden.
 */
const SHARED = ["/tmp", "/var/tmp", "/dev", "/proc", "/sys", "/run", "/var/run"];

/** Returns the folder of an installation if the folder is its `bin`. Programs also read files beside `bin`. */
function programFolder(folder: string, home: string): string | undefined {
  const parent = dirname(folder);
  const isShared = SHARED.some((shared) => isWithin(shared, parent)) && !isWithin("/run/current-system", folder);
  const isPart = /^s?bin$/.test(basename(folder)) && !isShared && dirname(parent) !== parent && !isWithin(parent, home);
  const path = isPart ? parent : folder;
  return isWithin(path, home) || SHARED.includes(path) ? undefined : path;
}
