/**
 * Patterns for paths with a special meaning. A pattern matches whole parts of a path, at any depth:
 *
 * - `*` matches any characters within one part
 * - `/**` at the end matches a folder and everything in it
 * - `/` at the start means that the pattern starts at the root of the path
 * - `!` undoes the matches of earlier patterns in the list; the last match counts
 */
export type PathRules = {
  /** Files that make programs run something, or that instruct agents. A person has to agree before they are written. */
  readonly protected: readonly string[];
  /** Files that contain keys or credentials. A person has to agree before they are read or written. */
  readonly secret: readonly string[];
};

/**
 * Files of version control. Its configuration and hooks start programs. Git treats a folder with a file `HEAD` as a
 * repository.
 */
const versionControl = `
  .git/** *.git/** HEAD .gitmodules .gitattributes .gitconfig .config/git/**`;
const otherVersionControl = `
  .hg/** .hgrc .svn/** .jj/** .sl/** .bzr/** _darcs/** .pijul/** .fossil-settings/** .p4config
  .p4enviro .arcconfig`;

const hooks = `
  .husky/** .huskyrc* .githooks/** .git-hooks/** .lefthook/** .lefthook* lefthook*.y*ml lefthook.toml
  lefthook.json .pre-commit-config.y*ml .pre-commit-hooks.y*ml .overcommit.yml .lintstagedrc*
  lint-staged.config.* .simple-git-hooks.* simple-git-hooks.* .nano-staged* .commitlintrc* commitlint.config.* prek.toml hk.pkl
  captainhook.json grumphp.y*ml .git_hooks/** .cargo-husky/** .rusty-hook.toml
  husky.config.* nano-staged.* .czrc .cz-config.* .gitlint`;

const editors = `
  .vscode/** .vscode-server/** .vs/** .idea/** .fleet/** .zed/** .theia/** .nova/** .helix/** .kakrc
  .devcontainer/** .devcontainer.json *.code-workspace *.sublime-project .nvim.lua .nvimrc .exrc .vimrc _vimrc
  .vim/** .vim.custom .config/nvim/** .dir-locals.el .dir-locals-2.el .emacs .emacs.d/** .config/emacs/**
  .projectile .lvimrc .nvim/** .ycm_extra_conf.py .bsp/** .metals/** .settings/** .factorypath .wezterm.lua
  .hammerspoon/** .lazy.lua .neoconf.json .vimspector.json
  hie.yaml .hie-bios buildServer.json .sourcekit-lsp/** .lsp/** .joyride/** .bloop/** .jedi/** .ropeproject/**
  rust-analyzer.toml .rust-analyzer.toml omnisharp.json sgconfig.y*ml .merlin config.nims nim.cfg .externalToolBuilders/**
  .lapce/** *.run.xml gtags.conf .lazygit.y*ml`;

const agents = `
  AGENTS.md AGENTS.*.md AGENT.md CLAUDE.md CLAUDE.*.md GEMINI.md QWEN.md CRUSH.md CONVENTIONS.md
  copilot-instructions.md *.instructions.md *.prompt.md SKILL.md .rules .agents/** .agent/** .aider* .amazonq/**
  .amp/** .augment/** .claude/** .claude.json .cline/** .clinerules/** .codex/** .continue/** .continuerc.json .copilot/**
  .crush/** .crush.json crush.json .cursor/** .cursorrules .factory/** .gemini/** .goose/** .goosehints
  .junie/** .kilocode/** .kiro/** .opencode/** .opencode.json* opencode.json* .openhands/** .qwen/** .roo/** .roomodes .roorules
  .trae/** .turnkit/** .config/turnkit/** .local/state/turnkit/** .cache/turnkit/** .windsurf/** .windsurfrules .mcp.json mcp.json mcp_config.json
  .config/opencode/** .config/goose/** *.agent.md *.chatmode.md .github/agents/** .github/hooks/** .github/prompts/**
  .github/skills/** WARP.md .warp/** IFLOW.md .iflow/** GROK.md .grok/** CODEX.md .kimi/** .vibe/** .rovodev/**
  .rovodev.y*ml .ruler/** .aiassistant/** .zencoder/** .tabnine/** .devin/** .pi/** .antigravity/** .cagent/**
  .cody/** .sourcegraph/** .hermes/** .nanocoder/** .coderabbit.y*ml
  .qoder/** .codebuddy/** CODEBUDDY.md .codeium/** .kilocodemodes .gitlab/duo/** *mcp_settings.json gptme.toml`;

/** Configuration that editors read when they open, check or save a file. It is code, or contains the path of code. */
const checkers = `
  eslint.config.* .eslintrc* .prettierrc* prettier.config.* .stylelintrc* stylelint.config.* .pylintrc pylintrc
  .flake8 mypy.ini .mypy.ini .rubocop.y*ml .luarc.json* .luacheckrc .clangd .credo.exs .golangci.* .ripgreprc
  .solargraph.yml .standard.y*ml .phpcs.xml* .php-cs-fixer*.php .watchmanconfig .trunk/** .oxlintrc* oxlint.config.*
  tailwind.config.* svelte.config.* .markdownlint* .remarkrc* .textlintrc* .tflint.hcl .swiftlint.y*ml .vale.ini
  selene.toml .puppeteerrc* puppeteer.config.*
  .formatter.exs .lintr pylintrc.toml .pylintrc.toml .pyre_configuration* .sqlfluff .cfnlintrc* .checkov.y*ml .ansible-lint*
  .mdlrc .alexrc* cspell.* .cspell.* graphql.config.* .graphqlrc* uno.config.* unocss.config.* .spectral.* redocly.y*ml
  .redocly.y*ml xo.config.* .xo-config* .template-lintrc* .htmlvalidate.* phpcs.xml* phpstan*.neon* psalm.xml* .latexmkrc
  latexmkrc cmake-format.py .cmake-format.py .tflint.d/**`;

const shells = `
  .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .bash_env .profile .zshrc .zshenv .zprofile
  .zlogin .zlogout .zfunc/** .oh-my-zsh/** .kshrc .mkshrc .cshrc .tcshrc .login .logout .inputrc .config/fish/**
  .config/nushell/** .elvish/** .xonshrc .xprofile .xinitrc .xsession* .pam_environment *profile.ps1 .envrc
  .direnv/** .config/direnv/** flake.nix shell.nix devenv.nix devenv.yaml .autoenv* .mise/** .mise.* mise.toml mise.*.toml .config/mise/** .rtx.toml
  devbox.json .shadowenv.d/** .prototools .pdbrc.py
  .tool-versions .tmux.conf .screenrc .gdbinit .gdbearlyinit .lldbinit* .pythonrc* .irbrc .pryrc .Rprofile .ghci .psqlrc
  .sqliterc .mailrc .pdbrc .iex.exs .ocamlinit .erlang .octaverc .Renviron .tclshrc .wishrc .sbclrc .guile .perldb
  .byebugrc .rdbgrc .utoprc .julia/config/** .ipython/** ipython_config.* jupyter*_config.* .zsh/** .config/zsh/**
  .config/tmux/** .config/kitty/** .config/alacritty/** .config/environment.d/** .local/share/bash-completion/**
  .forward .procmailrc .rhosts .shosts .k5login .valgrindrc .tigrc .config/lazygit/**`;

const packageManagers = `
  .npmrc .pnpmfile.* pnpmfile.* pnpm-workspace.yaml .yarnrc .yarnrc.yml .yarn/** bunfig.toml .bunfig.toml
  .denorc node_modules/** .pnp.* npmrc pip.conf pip.ini .config/pip/** uv.toml .pypirc .pydistutils.cfg .condarc
  .venv/** venv/** sitecustomize.py usercustomize.py *.pth .cargo/** .gemrc .bundle/** .composer/** nuget.config
  .nuget/** .mvn/** .m2/** .gradle/** init.gradle* .sbtopts .jvmopts .bazelrc .terraformrc terraform.rc .curlrc
  _curlrc .wgetrc .netrc _netrc .buckconfig .brew/** rust-toolchain rust-toolchain.toml tools/bazel .bazeliskrc
  gradle-wrapper.properties maven-wrapper.properties .ncurc*
  .bowerrc lean-toolchain`;

/** Files that start programs automatically, on this machine or on a build machine. */
const automation = `
  .github/workflows/** .github/actions/** .github/dependabot.y*ml bitbucket-pipelines.y*ml .forgejo/** .gitea/**
  .semaphore/** appveyor.yml .appveyor.yml .cirrus.y*ml .replit .gitpod.* .idx/** .gitlab-ci.y*ml .circleci/** .buildkite/** azure-pipelines*.y*ml .azure-pipelines/**
  Jenkinsfile .travis.yml .drone.* .woodpecker/** .woodpecker.yml .config/autostart/** .config/systemd/**
  .local/share/applications/** crontab /etc/** Library/LaunchAgents/** Library/LaunchDaemons/** Start*Menu/**
  .local/bin/** .ssh/** .gnupg/** .aws/** .kube/** .docker/** .local/share/systemd/** .config/plasma-workspace/**
  .config/mimeapps.list .tekton/** .teamcity/** .zuul.y*ml .zuul.d/** .prow.y*ml wercker.yml .scrutinizer.yml
  bitrise.y*ml codemagic.y*ml cloudbuild.y*ml buildspec.y*ml .readthedocs.y*ml devfile.y*ml .devfile.y*ml
  .codesandbox/** .stackblitzrc netlify.toml vercel.json .renovaterc* renovate.json* ansible.cfg .ansible.cfg
  *.gitlab-ci.y*ml .build.y*ml .builds/** amplify.y*ml render.yaml nixpacks.toml .releaserc* .goreleaser.y*ml`;

const keys = `
  *.pem *.key *.p12 *.pfx *.p8 *.jks *.keystore *.kdbx *.ppk *.ovpn id_rsa* id_dsa* id_ecdsa* id_ed25519*
  id_xmss* .ssh/** .gnupg/** .pki/** !*.pub .password-store/** .local/share/keyrings/** Library/Keychains/**
  *.keychain* .age/** *.pk8 *.jwk private_key* *_private_key* privatekey* secring.* deploy_key* deploy-key*
  *_deploy_key wallet.dat .ethereum/keystore/** .config/solana/** .vault_pass* .vault-password* vault_pass*`;

const environmentFiles = `
  *.env .env* !.env*.example !.env*.sample !.env*.template !.env*.dist !*.example.env !*.sample.env
  !*.template.env !.env.defaults !.env.schema .flaskenv .dev.vars*`;

const credentials = `
  .aws/** .azure/** .config/gcloud/** .oci/** .kube/** kubeconfig* *.kubeconfig .docker/** .dockercfg
  .config/containers/auth.json .config/gh/** .config/hub .config/glab-cli/** .config/op/** .config/sops/**
  .config/rclone/** .config/doctl/** .config/heroku/** .netrc* _netrc .pgpass* pgpass.conf .my.cnf .mylogin.cnf
  .git-credentials .config/git/credentials .npmrc .yarnrc.yml .pypirc .gem/credentials .cargo/credentials*
  .m2/settings*.xml .gradle/gradle.properties .composer/auth.json auth.json .boto* .s3cfg* .vault-token .htpasswd*
  *.tfstate *.tfstate.* *.tfvars *.tfvars.* .terraform.d/** .terraformrc terraform.rc credentials
  credentials.json credentials.y*ml credentials.toml credentials.ini credentials.xml credentials.csv
  credentials.db credentials.bak credentials.old credentials.sbt credentials.properties .credentials* *_credentials.json *-credentials.json client_secret*.json *service-account*.json
  *service_account*.json *serviceaccount*.json secrets.json secrets.y*ml secrets.toml secrets.ini secret.json
  secret.y*ml .secrets* .secrets/** master.key *.enc.key .streamlit/secrets.toml turnkit/keys.json turnkit/agent.json
  .claude.json .Xauthority .ICEauthority /proc/** /run/secrets/** /var/run/secrets/**`;

/** Files of the system with passwords and keys. */
const system = `
  /etc/shadow* /etc/gshadow* /etc/ssh/** /etc/sudoers /etc/sudoers.d/** /etc/security/opasswd /etc/krb5.keytab
  /etc/NetworkManager/system-connections/** /etc/wireguard/** /etc/openvpn/** /etc/wpa_supplicant/** /etc/iwd/**
  /etc/ipsec.secrets /etc/ppp/*-secrets /etc/letsencrypt/** /etc/ssl/private/** /etc/pki/tls/private/**
  /etc/kubernetes/** /etc/rancher/** /etc/msmtprc /etc/fstab.creds /etc/apt/auth.conf /etc/apt/auth.conf.d/**
  /etc/mysql/debian.cnf /etc/postfix/sasl_passwd* /etc/cryptsetup-keys.d/**`;

/** Settings of further services and programs with tokens and passwords. */
const services = `
  .databrickscfg .kaggle/** kaggle.json .huggingface/** .cache/huggingface/token .cache/huggingface/stored_tokens
  .dbt/profiles.yml .authinfo* oauth_creds*.json .clasprc.json rclone.conf .config/configstore/**
  *firebase-adminsdk*.json gha-creds-*.json gcp-key*.json sa-key*.json .sentryclirc .expo/state.json token.json
  key.properties keystore.properties signing.properties local.settings.json wp-config.php .secret secret.txt
  secrets.txt password.txt passwords.txt .token token.txt api_key.txt apikey.txt .apikey .api_key .cloudflared/**
  .wrangler/config/** .config/.wrangler/** .fly/config.yml .config/ngrok/** .ngrok2/** .config/hcloud/** .config/scw/**
  .config/stripe/** .railway/** .netlify/config.json .config/netlify/** .config/github-copilot/** .snowsql/config
  .snowflake/** .msmtprc .fetchmailrc .mbsyncrc .offlineimaprc .odbc.ini .cvspass .subversion/auth/** .config/argocd/**
  .argocd/** talosconfig .rancher/** .bluemix/** .config/helm/registry/** .passwd-s3fs .mc/config.json
  .config/linode-cli .twilio-cli/** .coveralls.yml .continue/config.* .aider.conf.y*ml .config/io.datasette.llm/**
  .hex/hex.config .bw/** .cabal/config .luarocks/upload_config.lua .julia/servers/** .composer/config.json
  .config/coursier/** sftp-config.json .ftpconfig sftp.json ftpsync.settings WinSCP.ini sitemanager.xml
  recentservers.xml confCons.xml .wakatime.cfg rootkey.csv accessKeys.csv *_accessKeys.csv *credentials.csv
  .aws-credentials aws_credentials`;

/** Files with typed passwords and cookies, such as histories. */
const traces = `
  .bash_history .zsh_history .sh_history .node_repl_history .python_history .psql_history .mysql_history
  .sqlite_history fish_history .rediscli_history .lesshst ConsoleHost_history.txt .config/google-chrome/**
  .config/chromium/** .mozilla/** .config/BraveSoftware/** Library/Cookies/** logins.json key4.db cookies.sqlite
  Login*Data .config/Signal/** .config/Slack/** .config/discord/** .local/share/kwalletd/**
  Library/Application*Support/Google/Chrome/**`;

/**
 * Rules for protected and secret files. `createPathCheck` uses these rules and adds those of its caller.
 *
 * A file is protected if a tool runs its content although nobody has started the project's code. Such tools are git,
 * shells, editors, package managers, agents and CI services. Files that configure the build or the tests are not
 * protected: `package.json`, `Makefile`, `conftest.py`, `setup.py`, `pyproject.toml`, `tsconfig.json`. They take effect
 * only when the build or the tests run, as the sources do.
 */
export const pathRules: PathRules = {
  protected: /* @__PURE__ */ patterns(
    versionControl,
    otherVersionControl,
    hooks,
    editors,
    checkers,
    agents,
    shells,
    packageManagers,
    automation,
  ),
  secret: /* @__PURE__ */ patterns(environmentFiles, keys, credentials, system, services, traces),
};

function patterns(...lists: readonly string[]): readonly string[] {
  return lists.join("").trim().split(/\s+/);
}
