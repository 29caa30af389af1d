/** Something that the user configured cannot be used. The message says what, where, and what would do. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ConfigError";
  }
}
