import { describe, expect, it } from "vitest";
import { createPathCheck } from "./path-check.js";

const { protectedBy, secretBy } = createPathCheck();

describe("defect S4: files that make programs run something", () => {
  it.each([
    ...["/p/.git/config", "/p/.git/hooks/pre-commit", "/p/.git", "/p/sub/.git", "/p/bare.git/config", "/p/sub/HEAD"],
    ...["/p/.gitmodules", "/p/.hg/hgrc", "/p/.husky/pre-push", "/p/lefthook.yml", "/p/.pre-commit-config.yaml"],
    ...["/p/.vscode/tasks.json", "/p/.idea/workspace.xml", "/p/.zed/tasks.json", "/p/x.code-workspace", "/p/.exrc"],
    ...["/p/AGENTS.md", "/p/in/AGENTS.md", "/p/CLAUDE.md", "/p/.claude/settings.json", "/p/.cursor/rules/x.mdc"],
    ...["/p/.mcp.json", "/p/.github/workflows/ci.yml", "/p/.github/copilot-instructions.md", "/p/.turnkit/x"],
    ...["/h/.local/state/turnkit/agent/trust.json", "/h/.cache/turnkit/runners/x"],
    ...["/h/.bashrc", "/h/.zshenv", "/h/.config/fish/config.fish", "/p/.envrc", "/p/mise.toml", "/p/.tool-versions"],
    ...[
      "/p/.npmrc",
      "/p/.yarnrc.yml",
      "/p/.pnpmfile.cjs",
      "/p/pip.conf",
      "/p/.cargo/config.toml",
      "/p/.mvn/jvm.config",
    ],
    ...["/p/node_modules/.bin/tsc", "/p/.venv/bin/python", "/p/sitecustomize.py", "/etc/profile.d/x.sh"],
    ...[
      "/p/eslint.config.js",
      "/p/.eslintrc.cjs",
      "/p/.prettierrc.js",
      "/p/.pylintrc",
      "/p/.rubocop.yml",
      "/p/mypy.ini",
    ],
    ...[
      "/p/flake.nix",
      "/p/.gitattributes",
      "/p/.ripgreprc",
      "/p/.luarc.json",
      "/p/.pre-commit-config.yml",
      "/p/.clangd",
    ],
    ...["/p/.github/dependabot.yml", "/p/bitbucket-pipelines.yml", "/p/.replit", "/p/.gitpod.yml"],
    ...["/h/.ssh/authorized_keys", "/h/.ssh/id_rsa.pub", "/h/.config/systemd/user/x.service", "/p/.env"],
    ...["/p/.sl/config", "/p/_darcs/prefs/defaults", "/p/prek.toml", "/p/hk.pkl", "/p/commitlint.config.js"],
    ...["/p/.bsp/sbt.json", "/p/.ycm_extra_conf.py", "/p/.lvimrc", "/p/.oxlintrc.json", "/p/tailwind.config.js"],
    ...["/p/.markdownlint-cli2.cjs", "/p/.pdbrc", "/p/.iex.exs", "/p/.ocamlinit", "/p/.erlang", "/p/.lldbinit-Xcode"],
    ...["/p/jupyter_server_config.py", "/p/ipython_config.py", "/p/rust-toolchain.toml", "/p/tools/bazel", "/p/.zsh/x"],
    ...["/p/.github/agents/x.agent.md", "/p/x.chatmode.md", "/p/WARP.md", "/p/.kimi/x", "/p/.aiassistant/rules/x.md"],
    ...[
      "/p/.tekton/x.yaml",
      "/p/.readthedocs.yaml",
      "/p/azure-pipelines-ci.yml",
      "/p/.renovaterc.json",
      "/p/devfile.yaml",
    ],
    ...["/h/.config/environment.d/x.conf", "/h/.forward", "/h/.rhosts", "/h/.wezterm.lua", "/h/.config/tmux/tmux.conf"],
  ])("are protected: %s", (path) => {
    expect(protectedBy(path)).toBeDefined();
  });

  it.each([
    ...["/p/src/git/config.ts", "/p/agents.ts", "/p/src/hooks/use-state.ts", "/p/.gitignore", "/p/package.json"],
    ...["/p/README.md", "/p/head.ts", "/p/src/profile.ts", "/p/.github/ISSUE_TEMPLATE.md", "/p/gitconfig.md"],
    ...["/p/tsconfig.json", "/p/Makefile", "/p/conftest.py", "/p/setup.py", "/p/pyproject.toml", "/p/Cargo.toml"],
    ...["/private/p/x", "/p/private/etc/x", "/p/AB~1", "/p/file~2.txt", "/p/deadbeef~1", "/p/github~x/y"],
    ...[
      "/p/tools/bazel.md",
      "/p/src/pipelines.yml",
      "/p/tailwind.css",
      "/p/renovate.md",
      "/p/agent-notes.md",
      "/p/settings/x",
    ],
    ...["/p/docs/etc/x", "/p/.env.example", "/p/node_modules.md", "/p/npmrc.ts", "/p/src/env.ts", "."],
  ])("are few: %s is none", (path) => {
    expect([protectedBy(path), secretBy(path)]).toEqual([undefined, undefined]);
  });
});

it.each(
  (
    ".opencode.json .opencode.jsonc .lazy.lua .continuerc.json .puppeteerrc.cjs puppeteer.config.js .ncurc.js .ncurc.json " +
    ".vimspector.json ansible.cfg .ansible.cfg simple-git-hooks.json simple-git-hooks.cjs .neoconf.json"
  ).split(" "),
)("defect S51: %s starts programs, as its relatives do", (name) => {
  expect(protectedBy(`/project/sub/${name}`)).toBeDefined();
});

it.each(
  (
    "husky.config.js nano-staged.json .czrc .cz-config.js .gitlint hie.yaml .hie-bios buildServer.json .sourcekit-lsp/config.json " +
    ".lsp/config.edn .joyride/scripts/workspace_activate.cljs .bloop/root.json .jedi/project.json .ropeproject/config.py " +
    "rust-analyzer.toml .rust-analyzer.toml omnisharp.json sgconfig.yml .merlin config.nims nim.cfg .lapce/settings.toml " +
    ".externalToolBuilders/a.launch .run/tests.run.xml gtags.conf .lazygit.yml .qoder/rules/a.md .codebuddy/a CODEBUDDY.md " +
    ".codeium/a .kilocodemodes .gitlab/duo/chat-rules.md cline_mcp_settings.json gptme.toml .formatter.exs .lintr pylintrc.toml " +
    ".pyre_configuration .pyre_configuration.local .sqlfluff .cfnlintrc.yaml .checkov.yaml .ansible-lint .mdlrc .alexrc.js " +
    "cspell.config.cjs cspell.json .cspell.json graphql.config.ts .graphqlrc.js uno.config.ts .spectral.js redocly.yaml xo.config.js " +
    ".template-lintrc.js .htmlvalidate.cjs phpcs.xml phpcs.xml.dist phpstan.neon phpstan.dist.neon psalm.xml .latexmkrc latexmkrc " +
    ".cmake-format.py .tflint.d/plugins/a devbox.json .shadowenv.d/500.lisp .prototools .pdbrc.py .bowerrc lean-toolchain " +
    "test.gitlab-ci.yml .build.yml .builds/a.yml amplify.yml render.yaml nixpacks.toml .releaserc.json .goreleaser.yaml"
  ).split(" "),
)("defect S55: %s makes a tool start something", (name) => {
  expect(protectedBy(`/project/sub/${name}`)).toBeDefined();
});

describe("defect S21: files that hold secrets", () => {
  it.each([
    ...["/p/.env", "/p/.env.local", "/p/.env~", "/p/prod.env", "/p/.envrc", "/h/.ssh/id_ed25519", "/h/.ssh/config"],
    ...["/p/id_rsa.bak", "/p/server.key", "/p/cert.pem", "/h/.aws/credentials", "/h/.kube/config", "/h/.netrc"],
    ...["/h/.config/turnkit/agent.json", "/h/.claude.json", "/h/.local/share/fish/fish_history", "/h/.Xauthority"],
    ...["/etc/sudoers.d/ann", "/etc/wireguard/wg0.conf", "/etc/krb5.keytab", "/etc/ppp/chap-secrets"],
    ...["/etc/NetworkManager/system-connections/home.nmconnection", "/var/run/secrets/token", "/etc/letsencrypt/x"],
    ...["/h/.docker/config.json", "/h/.npmrc", "/p/credentials.json", "/p/client_secret_1.json", "/p/secrets.yml"],
    ...["/p/terraform.tfstate", "/p/config/master.key", "/h/.config/gh/hosts.yml", "/h/.git-credentials"],
    ...["/h/.bash_history", "/proc/self/environ", "/proc/1/task/1/environ", "/h/.config/turnkit/keys.json"],
    ...["/p/local.settings.json", "/h/.databrickscfg", "/h/.kaggle/kaggle.json", "/h/.cache/huggingface/token"],
    ...[
      "/h/.dbt/profiles.yml",
      "/h/.authinfo.gpg",
      "/h/.gemini/oauth_creds.json",
      "/h/.clasprc.json",
      "/h/rclone.conf",
    ],
    ...["/h/.config/configstore/firebase-tools.json", "/p/x-firebase-adminsdk-1.json", "/p/gha-creds-0a.json"],
    ...[
      "/p/key.properties",
      "/p/wp-config.php",
      "/p/.vagrant/machines/d/v/private_key",
      "/p/secring.gpg",
      "/p/wallet.dat",
    ],
    ...[
      "/p/token.json",
      "/p/.token",
      "/p/passwords.txt",
      "/p/.vault_pass",
      "/p/deploy_key",
      "/h/.config/solana/id.json",
    ],
    ...["/h/.config/github-copilot/apps.json", "/h/.snowflake/config.toml", "/h/.msmtprc", "/h/.cabal/config"],
    ...[
      "/p/sftp.json",
      "/p/sitemanager.xml",
      "/p/rootkey.csv",
      "/p/credentials.bak",
      "/h/.netrc.gpg",
      "/h/x/Login Data",
    ],
  ])("are known: %s", (path) => {
    expect(secretBy(path)).toBeDefined();
  });

  it.each([
    ...["/p/.env.example", "/p/.env.local.example", "/p/.env.sample", "/p/.env.template", "/h/id_rsa.pub"],
    ...[
      "/p/design/tokens.json",
      "/p/src/token.ts",
      "/p/secret.md",
      "/p/private.ts",
      "/p/appsettings.json",
      "/p/kaggle.md",
    ],
    ...["/p/src/credentials.ts", "/p/secrets.py", "/p/keys.json", "/p/environment.ts", "/p/key.ts", "/p/.git/config"],
  ])("are few: %s may be read", (path) => {
    expect(secretBy(path)).toBeUndefined();
  });
});

describe("defect S4: a protected path in another spelling", () => {
  it.each([
    ...["/p/.GIT/config", "/p/.Git/hooks/x", "/p/./.git//config", "/p/src/../.git/config", "\\p\\.git\\config"],
    ...["/p/.git./config", "/p/.git /config", "/p/.git . ./config", "/p/.git::$INDEX_ALLOCATION/config"],
    ...["/p/GIT~1/config", "/p/git~2/hooks/x", "C:.git\\config", ".git", "../.git/config", "a/b/../../.git/x"],
    ...[
      "/p/.g\u200cit/config",
      "/p/.\ufeffgit/config",
      "/p/.gi\u00adt/config",
      "/p/\uff0egit/config",
      "/p/.g\u0131t/x",
    ],
    ...["/p/AGENTS.MD", "/p/agents.md", "/p/AGENTS.md.", "/p/AGENT\u017f.md", "/p/agents.md:x", "/p/.vs\u200bcode/x"],
    ...[
      "/p/GI7EBA~1/config",
      "/p/gi1f2e~3/hooks/x",
      "/p/X~1.COD",
      "/p/PRE-C~12.YAM",
      "/p/MISELO~1.TOM",
      "/p/HU0A1B~1/x",
    ],
    ...["/private/etc/hosts", "/System/Volumes/Data/private/etc/hosts", "/PRIVATE/ETC/x", "/etc/./x", "//etc/x"],
    ...["/p/.git/.", "/p/.git\u3000/x", "/p/.git\u00a0/x", "/p/.Gi\u0301t/../.git/x", "/p/.github/workflows./ci.yml"],
    ...["/p/.\u017f\u017fh/x", "/p/.\u00dfh/x", "/p/.\u212aube/config", "/p/VSCODE~1/tasks.json", "/p/.npmrc::$DATA"],
  ])("is protected: %j", (path) => {
    expect(protectedBy(path)).toBeDefined();
  });

  it.each([
    ...[
      "/p/EN12AB~1",
      "/private/etc/shadow",
      "/private/etc/ssh/x",
      "/p/.e\u0301nv/../.env",
      "/p/.env\u2024",
      "/p/.env/",
    ],
    ...["/p/.ENV", "/p/x/../.env", "/p/.env.", "/p/.env ", "/p/.env::$DATA", "/p/ENV~1", "/p/ENV~1.LOC"],
    ...[
      "/p/.e\u200dnv",
      "/p/\uff0eenv",
      "C:.env",
      "/p/.Env.Local",
      "\\\\?\\C:\\p\\.env",
      "/p/ID_RSA",
      "/p/.a\u2060ws/x",
    ],
  ])("is secret: %j", (path) => {
    expect(secretBy(path)).toBeDefined();
  });
});

describe("rules of the caller", () => {
  const own = createPathCheck({ protected: ["deploy/**", "!.vscode/settings.json"], secret: ["*.vault", "!.env.ci"] });

  it("add to the list, and take back", () => {
    expect(own.protectedBy("/p/deploy/run.sh")).toBe("deploy/**");
    expect(own.protectedBy("/p/.vscode/settings.json")).toBeUndefined();
    expect(own.protectedBy("/p/.vscode/tasks.json")).toBe(".vscode/**");
    expect(own.secretBy("/p/a.vault")).toBe("*.vault");
    expect(own.protectedBy("/p/a.vault")).toBe("*.vault");
    expect([own.secretBy("/p/.env.ci"), own.secretBy("/p/.env")]).toEqual([undefined, ".env*"]);
  });
});

it("defect S22: looks at any path in linear time, and at none that no system opens", () => {
  const hostile = [
    "\ufdfa".repeat(32_000),
    "\ufdfa".repeat(4_096),
    `a${"\u0301\u0323".repeat(2_040)}`,
    "a/".repeat(2_048),
    "service_account".repeat(273),
    `${". ".repeat(2_000)}x`,
    "~1/".repeat(1_365),
    "\u200b".repeat(4_096),
    "x".repeat(10_000_000),
  ];
  const began = process.cpuUsage().user / 1000;
  for (const path of hostile) protectedBy(path);
  // The first one alone took this long.
  expect(process.cpuUsage().user / 1000 - began).toBeLessThan(500);
  expect(protectedBy("x".repeat(4_097))).toBe("(too long)");
  expect(protectedBy("x".repeat(4_096))).toBeUndefined();
  // One character that becomes eighteen.
  expect(protectedBy("\ufdfa".repeat(300))).toBe("(too long)");
  expect(protectedBy("\ufdfa".repeat(200))).toBeUndefined();
});
