import { fileURLToPath } from "node:url";

/** @type {import("next").NextConfig} */
const config = {
  // The API's paths are what they are: a slash too many is a 404 in our envelope, not a redirect.
  skipTrailingSlashRedirect: true,
  poweredByHeader: false,
  devIndicators: false,
  // No picture is resized here, and the route that would do so renders any page for whoever asks.
  images: { unoptimized: true },
  // Otherwise Next takes any lock file further up for the root.
  turbopack: {
    root: fileURLToPath(new URL(".", import.meta.url)),
    rules: {
      "**/components/texts/*/*.json": { loaders: ["./components/texts/compile-messages.cjs"], as: "*.json" },
    },
    resolveAlias: { "use-intl/format-message": "use-intl/format-message/format-only" },
  },
  experimental: {
    // Each version is built once, and writing the cache takes a sixth of the time.
    turbopackFileSystemCacheForBuild: false,
    // A page's code is loaded when the page is first opened. All of it takes 30 MB.
    preloadEntriesOnStart: false,
    // By default a page loads twenty scripts. The same code in a few compresses to a tenth less.
    turbopackChunking: { minChunkSize: 1_000_000, maxMergeChunkSize: 2_000_000, requestCost: 2_000_000 },
  },
  // `npm test` checks types with TypeScript 7, whose JS API, which Next would use, is gone.
  typescript: { ignoreBuildErrors: true },
  async headers() {
    // Fonts carry a number in their name; see public/type/README.md.
    return [
      {
        source: "/type/:file*.woff2",
        headers: [{ key: "Cache-Control", value: "public, max-age=31536000, immutable" }],
      },
    ];
  },
};

export default config;
