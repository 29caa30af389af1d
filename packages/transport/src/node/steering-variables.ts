/** Pattern for variables that load another program, library or configuration, or that lead to another server. */
const steering = /* @__PURE__ */ new RegExp(
  `^(?:${[
    "PATH|PATHEXT|COMSPEC|SYSTEMROOT|WINDIR|SHELL|ENV|IFS|CDPATH|PS[0-4]|PROMPT_COMMAND|BASH.*|ZDOTDIR|FPATH|INPUTRC",
    "HOME|USERPROFILE|APPDATA|LOCALAPPDATA|PROGRAMDATA|HOMEDRIVE|HOMEPATH|XDG_.*|TMP|TEMP|TMPDIR|PWD",
    "EDITOR|VISUAL|.*PAGER|BROWSER|LESS.*|TERMINFO.*|TERMCAP|DISPLAY|WAYLAND_DISPLAY|DBUS_.*",
    "LD_.*|DYLD_.*|GCONV_PATH|LOCPATH|NLSPATH|GLIBC_TUNABLES|MALLOC_.*|HOSTALIASES|LOCALDOMAIN|RESOLV_.*",
    "NODE.*|NPM_.*|PNPM_.*|YARN_.*|BUN_.*|DENO_.*|ELECTRON_.*|COREPACK_.*|V8_.*|TS_NODE_.*|TSX_.*",
    "PYTHON.*|PIP_.*|UV_.*|VIRTUAL_ENV|CONDA_.*|PERL.*|RUBY.*|GEM_.*|BUNDLE_.*|LUA_.*|PHP.*|R_.*",
    "_?JAVA_.*|JDK_.*|CLASSPATH|MAVEN_.*|GRADLE_.*|CARGO.*|RUST.*|GO[A-Z]+|DOTNET_.*|CORECLR_.*|COR_.*|MONO_.*",
    "GIT_.*|HG.*|SVN_.*|RIPGREP_.*|SSH_.*|SSL_.*|OPENSSL_.*|CURL_.*|WGETRC|GNUPGHOME|GPG_.*|DOCKER_.*|KUBECONFIG|AWS_.*FILE|TURNKIT_.*",
    "MAKE|CC|CXX|CPP|FC|AR|AS|LD|NM|RANLIB|STRIP|GTK_.*|QT_.*|GIO_.*|ERL_.*|EMACS.*|G?VIMINIT|EXINIT|MYVIMRC|NVIM_.*|FCEDIT",
    "ANSIBLE_.*|HELM_.*|TF_CLI_.*|TF_PLUGIN.*|XDEBUG_.*|COMPOSER.*|CMAKE_.*|PKG_CONFIG.*|JUPYTER_.*|EXECIGNORE|GH_HOST|OP_CONNECT_HOST",
    ".*_(?:DIR|HOME|ROOT|LIBS|CONFIG|RSH|SHELL|WRAPPER|PYTHON|COMMAND|CMD|BASE_URL|LIBRARY|PLUGINS?)",
    ".*(?:PATH|ASKPASS|EDITOR|MODULES|(?<!PRO)FILES?)|\\w+DIR",
    ".*PROXY|.*_CA_.*|.*_OPTIONS|.*OPTS|.*_?FLAGS|.*_PRELOAD|.*_HOOK.*",
  ].join("|")})$`,
  "i",
);

/** Pattern for such variables with values that have none of these effects. */
const harmless =
  /^(?:(?:GIT_|MAN)?PAGER=(?:cat)?|GIT_(?:SEQUENCE_)?EDITOR=(?:true|:)|GIT_TERMINAL_PROMPT=[01]|GIT_OPTIONAL_LOCKS=[01]|GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)=.*|PYTHON(?:UNBUFFERED|UTF8|DONTWRITEBYTECODE)=\d|PYTHONIOENCODING=[\w:-]*|NODE_ENV=\w*|NODE_NO_WARNINGS=\d|NPM_CONFIG_(?:YES|COLOR|FUND|AUDIT|UPDATE_NOTIFIER)=\w*|NO_PROXY=.*|GOFLAGS=|RUST_BACKTRACE=\w*|ESLINT_USE_FLAT_CONFIG=\w*|CARGO_TERM_COLOR=\w*)$/is;

/**
 * Returns `true` for a variable that loads another program, library or configuration, or that leads to another server.
 * Examples are `PATH`, `NODE_OPTIONS`, `LD_PRELOAD`, `GIT_SSH_COMMAND` and `HTTPS_PROXY`.
 *
 * @param value value, if it is known. A value such as `PAGER=cat` has none of these effects.
 */
export function isSteeringVariable(name: string, value?: string): boolean {
  return steering.test(name) && !(value !== undefined && value.length < 200 && harmless.test(`${name}=${value}`));
}
