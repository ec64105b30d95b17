/**
 * A loader of Next: compiles the messages of a catalogue, so that the browser needs no parser for them (12 kB).
 * next.config.mjs lets `use-intl` read compiled messages; tests read the files as they are.
 */
module.exports = async function compileMessages(source) {
  // The server's sentences are no messages of the ICU format.
  if (this.resourcePath.endsWith("server.json")) return source;
  const { default: compile } = await import("icu-minify/compile");
  return JSON.stringify(
    JSON.parse(source, (_, value) => (typeof value === "string" ? compile(value) : value)),
  );
};
