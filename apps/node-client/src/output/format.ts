/** What `--output` may say. */
export const outputFormats = ["text", "json", "ndjson"] as const;

/** How a run is printed: for people, as one document at its end, or as one line for each event. */
export type OutputFormat = (typeof outputFormats)[number];
